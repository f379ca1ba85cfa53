package pass

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// parse reads a text with the first Python of this machine.
func parse(t *testing.T, text string) syntax.Tree {
	t.Helper()
	dir := t.TempDir()
	reader, err := filepath.Abs("../../syntax/python")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "0.txt"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", "import scrub_tree; scrub_tree.main()")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH="+reader, "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.Output()
	var trees []syntax.Tree
	if err != nil || json.Unmarshal(out, &trees) != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return trees[0]
}

// Each file of testdata is for one pass, whose name stands at its top: a
// program, what a look at it showed, and candidates that the pass must propose.
func TestPasses(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	tried := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSpace(string(a.Comment))
			tried[name] = true
			try(t, name, a.Files)
		})
	}
	for _, p := range Python {
		if !tried[p.Name] {
			t.Errorf("%q has no case", p.Name)
		}
	}
}

func try(t *testing.T, name string, files []txtar.File) {
	var p reduce.Program
	var look syntax.Look
	var straight []syntax.Lift
	var want []string
	for _, f := range files {
		switch f.Name {
		case "program":
			p.Files = bug.Files{bug.Script: string(f.Data)}
			p.Trees = map[string]*syntax.Node{bug.Script: parse(t, string(f.Data)).Root}
		case "look":
			if err := json.Unmarshal(f.Data, &look); err != nil {
				t.Fatal(err)
			}
		case "straight":
			straight = append(straight, syntax.Lift{Own: true, Text: string(f.Data)})
		default:
			want = append(want, string(f.Data))
		}
	}
	p.Look, p.Straight = func() syntax.Look { return look }, func() []syntax.Lift { return straight }
	var got []string
	for _, pass := range Python {
		if pass.Name != name {
			continue
		}
		for e := range pass.Propose(p) {
			got = append(got, e.Apply(p.Files)[bug.Script])
		}
	}
	for _, w := range want {
		found := false
		for _, g := range got {
			found = found || g == w
		}
		if !found {
			t.Errorf("%s does not propose:\n%s\nbut:\n%s", name, w, strings.Join(got, "---\n"))
		}
	}
}

// What a pass proposes for a real program can nearly always be read: a pass
// that often breaks the grammar is wrong about spans.
func TestProposalsCanBeRead(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/minimize/*/program.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	check := filepath.Join(t.TempDir(), "check.py")
	if err := os.WriteFile(check, []byte("import sys\nbad = 0\nfor text in sys.stdin.read().split('\\0'):\n    "+
		"try:\n        compile(text, 'x', 'exec')\n    except SyntaxError:\n        bad += 1\nprint(bad)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var programs []reduce.Program
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, reduce.Program{Files: bug.Files{bug.Script: string(text)},
			Trees: map[string]*syntax.Node{bug.Script: parse(t, string(text)).Root},
			Look:  func() syntax.Look { return syntax.Look{} }, Straight: func() []syntax.Lift { return nil }})
	}
	for _, pass := range Python {
		var all []string
		for _, p := range programs {
			n := 0
			for e := range pass.Propose(p) {
				all = append(all, e.Apply(p.Files)[bug.Script])
				if n++; n == 25 {
					break
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		cmd := exec.Command("python3", "-W", "ignore", check)
		cmd.Stdin = strings.NewReader(strings.Join(all, "\x00"))
		out, err := cmd.Output()
		var bad int
		if err != nil || json.Unmarshal(out, &bad) != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if 10*bad > len(all) {
			t.Errorf("%s: %d of %d proposals cannot be read", pass.Name, bad, len(all))
		}
	}
}
