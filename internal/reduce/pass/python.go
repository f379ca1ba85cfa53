// Package pass knows what can be cut from programs. A pass proposes; it runs
// nothing.
package pass

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A source is one Python file of a program, with its tree.
type source struct {
	file, text string
	root       *syntax.Node
	look       func() syntax.Look
	last       bool
	called     []string // methods that calling an object runs
	ends       []int    // where its lines end
}

// sources are the files of a program that have a tree, by name.
func sources(p reduce.Program) []source {
	var all []source
	for _, name := range slices.Sorted(maps.Keys(p.Trees)) {
		if p.Trees[name] != nil {
			s := source{file: name, text: p.Files[name], root: p.Trees[name], look: p.Look, last: p.Last,
				called: p.Called}
			for i := range s.text {
				if s.text[i] == '\n' {
					s.ends = append(s.ends, i)
				}
			}
			all = append(all, s)
		}
	}
	return all
}

// python makes a pass of what can be proposed for one file.
func python(name string, propose func(source, func(reduce.Edit) bool) bool) reduce.Pass {
	return reduce.Pass{Name: name, Propose: func(p reduce.Program) iter.Seq[reduce.Edit] {
		return func(yield func(reduce.Edit) bool) {
			for _, s := range sources(p) {
				// What nothing uses any more goes in the same cut.
				clear := func(e reduce.Edit) bool {
					more, ok := s.cleared(e)
					return !(ok && !yield(more)) && (ok && !s.last || yield(e))
				}
				if !propose(s, clear) {
					return
				}
			}
		}
	}}
}

// edit is one change of the file.
func (s source) edit(start, end int, with string) reduce.Change {
	return reduce.Change{File: s.file, Start: start, End: end, With: with}
}

func (s source) of(n *syntax.Node) string { return s.text[n.Start:n.End] }

// seen says what a look at the program knows of an expression.
func (s source) seen() func(*syntax.Node) syntax.Value {
	at := map[[2]int]syntax.Value{}
	for _, v := range s.look().Values {
		at[[2]int{v.Start, v.End}] = v
	}
	return func(n *syntax.Node) syntax.Value { return at[[2]int{n.Start, n.End}] }
}

// all returns the nodes for which keep holds, from the top down.
func (s source) all(keep func(*syntax.Node) bool) []*syntax.Node {
	var found []*syntax.Node
	s.root.Walk(func(n *syntax.Node) {
		if keep(n) {
			found = append(found, n)
		}
	})
	return found
}

var statements = strings.Fields("FunctionDef AsyncFunctionDef ClassDef Return Delete Assign AugAssign AnnAssign For " +
	"AsyncFor While If With AsyncWith Match Raise Try TryStar Assert Import ImportFrom Global Nonlocal Expr Pass " +
	"Break Continue TypeAlias")

func isStatement(n *syntax.Node) bool { return slices.Contains(statements, n.Kind) }

var others = strings.Fields("Module ExceptHandler arguments arg keyword alias withitem comprehension match_case " +
	"Slice Starred FormattedValue type_ignore")

func isExpression(n *syntax.Node) bool {
	return !isStatement(n) && !slices.Contains(others, n.Kind) && !strings.HasPrefix(n.Kind, "Match") &&
		n.Parent != nil && n.Parent.Kind != "JoinedStr" && n.Parent.Kind != "FormattedValue"
}

// stored reports whether n is assigned to.
func stored(n *syntax.Node) bool { return strings.HasSuffix(n.Field, "=") }

func isDef(n *syntax.Node) bool {
	return n.Kind == "FunctionDef" || n.Kind == "AsyncFunctionDef" || n.Kind == "ClassDef"
}

// A block is statements that stand in a row.
type block struct {
	owner *syntax.Node
	field string
	list  []*syntax.Node
}

// blocks are all there are, from the top down.
func (s source) blocks() []block {
	var all []block
	s.root.Walk(func(n *syntax.Node) {
		for _, field := range []string{"body", "orelse", "finalbody"} {
			if list := n.In(field); len(list) > 0 && isStatement(list[0]) &&
				(isStatement(n) || n.Kind == "Module" || n.Kind == "ExceptHandler" || n.Kind == "match_case") {
				all = append(all, block{n, field, list})
			}
		}
	})
	return all
}

// lineStart is where the line of a byte starts, and lineEnd where the next does.
func (s source) lineStart(at int) int { return strings.LastIndexByte(s.text[:at], '\n') + 1 }

func (s source) lineEnd(at int) int {
	if i := strings.IndexByte(s.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.text)
}

// indent is the white space in front of a statement, if it is first in its line.
func (s source) indent(n *syntax.Node) (string, bool) {
	before := s.text[s.lineStart(n.Start):n.Start]
	return before, strings.TrimSpace(before) == ""
}

// cut takes away statements that stand in a row in a block. A block that
// would be empty gets a pass, or goes with its head if it need not be there.
func (s source) cut(b block, from, to int) reduce.Change {
	first, last := b.list[from], b.list[to-1]
	if from == 0 && to == len(b.list) && b.owner.Kind != "Module" {
		if b.field == "orelse" || b.field == "finalbody" {
			if start, ok := s.head(b); ok {
				return s.edit(start, s.lineEnd(last.End), "")
			}
		}
		return s.edit(first.Start, last.End, "pass")
	}
	start, end := first.Start, last.End
	if _, alone := s.indent(first); alone &&
		strings.TrimSpace(strings.SplitN(s.text[end:s.lineEnd(end)], "#", 2)[0]) == "" {
		return s.edit(s.lineStart(start), s.lineEnd(end), "")
	}
	if to < len(b.list) && s.lineStart(b.list[to].Start) < end {
		return s.edit(start, b.list[to].Start, "") // the next one is on the same line
	}
	if from > 0 {
		return s.edit(b.list[from-1].End, end, "")
	}
	return s.edit(start, end, "pass")
}

// head is where the else or finally of a block starts.
func (s source) head(b block) (int, bool) {
	at := s.lineStart(b.list[0].Start)
	for at > b.owner.Start {
		line := strings.TrimSpace(s.text[at:s.lineEnd(at)])
		if strings.HasPrefix(line, "else") || strings.HasPrefix(line, "finally") {
			return at, true
		}
		if strings.HasPrefix(line, "elif") || at == 0 {
			return 0, false
		}
		at = s.lineStart(at - 1)
	}
	return 0, false
}

// without is the edit that takes statements away, wherever they stand.
func (s source) without(gone map[*syntax.Node]bool) reduce.Edit {
	var e reduce.Edit
	for _, b := range s.blocks() {
		if b.owner != s.root && anyAbove(b.owner, gone) {
			continue
		}
		for i := 0; i < len(b.list); {
			j := i
			for j < len(b.list) && gone[b.list[j]] {
				j++
			}
			if j > i {
				e = append(e, s.cut(b, i, j))
			}
			i = max(j, i+1)
		}
	}
	return e
}

func anyAbove(n *syntax.Node, gone map[*syntax.Node]bool) bool {
	for ; n != nil; n = n.Parent {
		if gone[n] {
			return true
		}
	}
	return false
}

// reindented is a part of the text, whole lines, with its indentation changed
// from one to another. It reports false if that would change a string.
func (s source) reindented(start, end int, from, to string) (string, bool) {
	for _, n := range s.all(func(n *syntax.Node) bool { return n.Kind == "Constant" || n.Kind == "JoinedStr" }) {
		if n.Start >= start && n.End <= end && strings.Contains(s.of(n), "\n") {
			return "", false
		}
	}
	var b strings.Builder
	for line := range strings.Lines(s.text[start:end]) {
		if rest, ok := strings.CutPrefix(line, from); ok {
			line = to + rest
		} // or else it is blank, or inside brackets, where it may stand anywhere
		b.WriteString(line)
	}
	return b.String(), true
}

// within reports whether n lies in top, or is it.
func within(n, top *syntax.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == top {
			return true
		}
	}
	return false
}

// statementOf is the innermost statement that n is in.
func statementOf(n *syntax.Node) *syntax.Node {
	for n != nil && !isStatement(n) {
		n = n.Parent
	}
	return n
}
