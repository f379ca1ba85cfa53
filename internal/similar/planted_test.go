package similar_test

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/similar"
)

// library has as many bugs as it is asked for, each of which is reached by two ways. Functions of several
// bugs have one name, and their errors one message, so that neither tells them apart.
func library(bugs int) string {
	var b strings.Builder
	for i := range bugs {
		name := fmt.Sprintf("turn%d", i)
		if i%3 == 0 {
			name = "forward"
		}
		inner := []string{
			"raise ValueError('cannot turn %d snails' % n)", "return [0][n + ITEM]", "return len(None if n else n) + ITEM",
			"return None.shell + ITEM", "return {}['shell%d' % n] + ITEM", "return n // (n - n) + ITEM",
			"return int('x%d' % n) + ITEM",
		}[i%7]
		inner = strings.ReplaceAll(inner, "ITEM", fmt.Sprint(i))
		fmt.Fprintf(&b, "class Part%d:\n    def %s(self, n):\n        k = n + %d\n        %s\n\n    def direct(self, n):\n"+
			"        return self.%s(n)\n\n    def by(self, items):\n        return [self.%s(len(items) + k) for k in items]\n\n",
			i, name, i, inner, name, name)
	}
	return b.String()
}

// Among 200 reports with 20 bugs that were reported twice, by other programs, the pairs are found and nothing else is.
func TestPlantedPairsAreFound(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	const bugs, twice = 180, 20
	if err := os.WriteFile(filepath.Join(dir, "snail.py"), []byte(library(bugs)), 0o644); err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewSource(7))
	var cases []similar.Case
	of := map[int64]int{}
	add := func(which int, program string) {
		n := int64(len(cases) + 1)
		of[n] = which
		cases = append(cases, ran(t, dir, n, program))
	}
	for i := range bugs {
		add(i, fmt.Sprintf("import snail\nsnail.Part%d().direct(%d)\n", i, 1+draw.Intn(90)))
	}
	for _, i := range draw.Perm(bugs)[:twice] {
		add(i, fmt.Sprintf("from snail import Part%d as P\n\ndef go(items):\n    p = P()\n    return p.by(items)\n\n"+
			"go([%d])\n", i, 1+draw.Intn(90)))
	}
	right, wrong := 0, 0
	for _, g := range similar.Groups(cases) {
		for _, n := range g.Cases[1:] {
			if of[n] == of[g.Cases[0]] {
				right++
			} else {
				wrong++
				t.Logf("bugs %d and %d are taken for one: %s", of[n], of[g.Cases[0]], g.Why)
			}
		}
	}
	t.Logf("%d pairs found, %d wrong, of %d", right, wrong, twice)
	if found := right + wrong; found == 0 || 20*right < 19*found || 10*right < 7*twice {
		t.Errorf("%d right and %d wrong of %d pairs", right, wrong, twice)
	}
}

// The same for programs of real libraries, in a file of them that SCRUB_TEST_DUPLICATES names: those in one folder are
// about one bug. SCRUB_TEST_PYTHON names an interpreter that has the libraries.
func TestDuplicatesOf(t *testing.T) {
	at, python := os.Getenv("SCRUB_TEST_DUPLICATES"), os.Getenv("SCRUB_TEST_PYTHON")
	if at == "" || python == "" {
		t.Skip("SCRUB_TEST_DUPLICATES and SCRUB_TEST_PYTHON name no programs")
	}
	all, err := txtar.ParseFile(at)
	if err != nil {
		t.Fatal(err)
	}
	dir, of, reports := t.TempDir(), map[int64]string{}, map[string]int{}
	var cases []similar.Case
	for i, f := range all.Files {
		n := int64(i + 1)
		of[n], _, _ = strings.Cut(f.Name, "/")
		reports[of[n]]++
		c := ranBy(t, python, dir, n, string(f.Data))
		c.Package = imported.FindStringSubmatch(string(f.Data) + "\nimport builtins")[1]
		cases = append(cases, c)
	}
	right, wrong := 0, 0
	for _, g := range similar.Groups(cases) {
		for _, n := range g.Cases[1:] {
			first := all.Files[g.Cases[0]-1].Name
			if of[n] == of[g.Cases[0]] {
				right++
				reports[of[n]] = 0
			} else {
				wrong++
				t.Logf("WRONG: %s and %s are taken for one: %s", all.Files[n-1].Name, first, g.Why)
			}
		}
	}
	twice := right
	for bug, n := range reports {
		if n > 1 {
			twice++
			t.Logf("missed: %s", bug)
		}
	}
	t.Logf("%d pairs found, %d wrong, of %d", right, wrong, twice)
}

var imported = regexp.MustCompile(`(?m)^(?:import|from) (\w+)`)

func ran(t *testing.T, dir string, n int64, program string) similar.Case {
	t.Helper()
	return ranBy(t, "python3", dir, n, program)
}

func ranBy(t *testing.T, python, dir string, n int64, program string) similar.Case {
	t.Helper()
	file := filepath.Join(dir, bug.Script)
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd := exec.Command(python, file)
	cmd.Dir, cmd.Stderr = dir, &stderr
	if err := cmd.Run(); err == nil {
		t.Fatalf("it does not fail:\n%s", program)
	}
	o := bug.Outcome{End: bug.Exited, Code: 1, Stderr: stderr.String()}
	return similar.Case{N: n, Package: "snail", Version: "1.0", Symptom: o.Symptom(), Outcome: o, Size: len(program)}
}
