package arch

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const (
	maxFunc = 60 // lines of a function's body
	minTwin = 8  // lines at which two equal functions are one too many
	maxWays = 20 // ways that lead through a function
	columns = 120
	long    = 0.003 // the share of lines that may be longer: patterns that nothing can part
)

// ways counts those that lead through a function (its cyclomatic complexity).
func ways(f ast.Node) int {
	n := 1
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestColumns looks at the lines of all Go files.
func TestColumns(t *testing.T) {
	over, all := 0, 0
	for _, p := range list(t) {
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				all++
				if len([]rune(line)) > columns+1 {
					over++
				}
			}
		}
	}
	if share := float64(over) / float64(all); share > long {
		t.Errorf("%d of %d lines are longer than %d columns: %.2f %%", over, all, columns, 100*share)
	}
}

// TestFunctions looks into every function outside tests for what makes code
// tiring to read: length, twins, and comments that repeat the next line.
func TestFunctions(t *testing.T) {
	twins := map[[32]byte]string{}
	eachFile(t, func(_ pkg, fset *token.FileSet, file *ast.File) {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			at := fset.Position(f.Pos())
			n := fset.Position(f.Body.End()).Line - fset.Position(f.Body.Pos()).Line
			if n > maxFunc {
				t.Errorf("%v: %s is %d lines long, more than %d", at, f.Name.Name, n, maxFunc)
			}
			if w := ways(f); w > maxWays {
				t.Errorf("%v: %d ways lead through %s, more than %d", at, w, f.Name.Name, maxWays)
			}
			if n >= minTwin {
				sum := sha256.Sum256(source(f.Body))
				if other, ok := twins[sum]; ok {
					t.Errorf("%v: %s is the same as %s", at, f.Name.Name, other)
				}
				twins[sum] = fmt.Sprintf("%s at %v", f.Name.Name, at)
			}
			for _, c := range echoes(fset, file, f.Body) {
				t.Errorf("%v: the comment only repeats the code: %q", fset.Position(c.Pos()), c.Text())
			}
		}
	})
}

// source returns the source of n without its comments.
func source(n ast.Node) []byte {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		panic(err) // the node was parsed
	}
	return b.Bytes()
}

// echoes returns the one-line comments in body most of whose words
// are in the statement below them.
func echoes(fset *token.FileSet, file *ast.File, body *ast.BlockStmt) []*ast.CommentGroup {
	below := map[int]ast.Node{} // by the line it starts on
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			below[fset.Position(s.Pos()).Line] = firstLine(s)
		}
		return true
	})
	var found []*ast.CommentGroup
	for _, c := range file.Comments {
		if c.Pos() < body.Pos() || c.End() > body.End() || len(c.List) > 1 {
			continue
		}
		if s := below[fset.Position(c.End()).Line+1]; s != nil && echo(c.Text(), string(source(s))) {
			found = append(found, c)
		}
	}
	return found
}

// firstLine returns the part of s that a reader sees on its first line.
func firstLine(s ast.Stmt) ast.Node {
	switch s := s.(type) {
	case *ast.IfStmt:
		if s.Init != nil {
			return s.Init
		}
		return s.Cond
	case *ast.RangeStmt:
		return s.X
	}
	return s
}

var (
	word = regexp.MustCompile(`[A-Za-z]+`)
	dull = strings.Fields("the an of to and or if is are be it its this that in on for with by as at we from then so " +
		"each all new not")
)

func echo(comment, code string) bool {
	said, code2 := stems(comment), stems(code)
	hits := 0
	for _, w := range said {
		if slices.Contains(code2, w) {
			hits++
		}
	}
	return len(said) >= 2 && len(said) <= 8 && hits*10 >= len(said)*6
}

// stems splits text into lower-case words without their endings,
// taking camelCase apart and leaving dull words out.
func stems(text string) []string {
	var out []string
	for _, w := range word.FindAllString(text, -1) {
		for _, part := range strings.FieldsFunc(camel(w), unicode.IsSpace) {
			if len(part) < 2 || slices.Contains(dull, part) {
				continue
			}
			for _, end := range []string{"ing", "ies", "es", "ed", "s", "e"} {
				if cut, ok := strings.CutSuffix(part, end); ok && len(cut) > 2 {
					part = cut
					break
				}
			}
			out = append(out, part)
		}
	}
	return out
}

func camel(w string) string {
	var b strings.Builder
	wasLower := false
	for _, r := range w {
		if wasLower && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		wasLower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func TestEcho(t *testing.T) {
	for _, tt := range []struct {
		comment, code string
		want          bool
	}{
		{"Marshal filter into JSON format.", "body, err := json.Marshal(filter)", true},
		{"Extract missing tools", "missingTools, err := extractMissingToolsFromRun(dir)", true},
		{"Loop over the workers", "for _, w := range workers {", false}, // one word is not enough to tell
		{"canonical: map keys are sorted", "data, err := json.Marshal(in)", false},
		{"GitHub answers 404 to tokens that lack the scope.", "if resp.StatusCode == 404 {", false},
	} {
		if got := echo(tt.comment, tt.code); got != tt.want {
			t.Errorf("echo(%q, %q) = %v", tt.comment, tt.code, got)
		}
	}
}
