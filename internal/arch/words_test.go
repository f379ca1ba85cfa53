package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// words that may stand only in some packages, and why.
var words = []struct{ word, only, why string }{
	{"time.Now", "cli sandbox cmd/scrubeval", "time comes in as an argument; only the box and the bench measure"},
	{"os.Getenv", "cli", "the environment is read in one place"},
	{"os.LookupEnv", "cli", "the environment is read in one place"},
	{"flag.NewFlagSet", "cli", "flags are read in one place"},
	{"slog.Default", "", "there is no global logger"},
	{"log.Printf", "", "below cli nothing logs"},
	{"rand.N", "", "chance comes in as an argument"},
	{"rand.IntN", "", "chance comes in as an argument"},
	{"func init", "", "nothing happens before main"},
	{"map[string]any", "", "give it a type"},
	{"map[string]interface{}", "", "give it a type"},
	{`"failed to`, "", "an error is a failure already; say what was being done"},
}

// projects are the names that only profiles may know.
var projects = regexp.MustCompile(`(?i)torch|sympy|xarray|numpy|pandas|sklearn|tensorflow|\bjax\b`)

func TestWords(t *testing.T) {
	eachFile(t, func(p pkg, fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, w := range words {
				if spells(n, w.word) && !slices.Contains(strings.Fields(w.only), p.name()) {
					t.Errorf("%v: %s: %s", fset.Position(n.Pos()), w.word, w.why)
				}
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && projects.MatchString(lit.Value) && p.name() != "cli" {
				t.Errorf("%v: %s: what is known of a project belongs in its profile", fset.Position(n.Pos()), lit.Value)
			}
			return true
		})
	})
}

// eachFile shows f every file of ours that ships.
func eachFile(t *testing.T, f func(pkg, *token.FileSet, *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	for _, p := range list(t) {
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			f(p, fset, file)
		}
	}
}

func spells(n ast.Node, word string) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		return ok && x.Name+"."+n.Sel.Name == word
	case *ast.FuncDecl:
		return n.Recv == nil && "func "+n.Name.Name == word
	case *ast.MapType:
		return string(source(n)) == word
	case *ast.BasicLit:
		return word[0] == '"' && strings.HasPrefix(n.Value, word)
	}
	return false
}

// outside are words that have no place in any file of the project: paths of
// one machine, and unfinished work.
var outside = regexp.MustCompile(`/(work|root)/[a-z.]|\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)

func TestTheProjectSpeaksOfItselfAlone(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = "../.."
	names, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for name := range strings.Lines(string(names)) {
		name = strings.TrimSpace(name)
		if strings.HasSuffix(name, ".sum") || name == "internal/arch/words_test.go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			continue // deleted, and not yet committed so
		}
		for i, line := range strings.Split(string(data), "\n") {
			if m := outside.FindString(line); m != "" {
				t.Errorf("%s:%d: %q", name, i+1, m)
			}
		}
	}
}
