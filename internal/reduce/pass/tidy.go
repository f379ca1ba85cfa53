package pass

import (
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Tidy takes away what says nothing to the interpreter: remarks, empty lines,
// docstrings, and imports that nobody uses.
var Tidy = python("remarks and unused imports", func(s source, yield func(reduce.Edit) bool) bool {
	var all []reduce.Edit
	add := func(more reduce.Edit) {
		for _, c := range more {
			all = append(all, reduce.Edit{c})
		}
	}
	add(s.remarks())
	add(s.docstrings())
	add(s.idleImports())
	return reduce.Halves(all, yield)
})

// remarks are the comments and empty lines.
func (s source) remarks() reduce.Edit {
	quoted := make([]bool, len(s.text)+1)
	s.root.Walk(func(n *syntax.Node) {
		if n.Kind == "Constant" && (n.Name == "str" || n.Name == "bytes") || n.Kind == "JoinedStr" {
			for i := n.Start; i < n.End; i++ {
				quoted[i] = true
			}
		}
	})
	var e reduce.Edit
	at := 0
	for line := range strings.Lines(s.text) {
		start, end := at, at+len(line)
		at = end
		if quoted[start] && start > 0 && quoted[start-1] {
			continue // inside a text of several lines
		}
		if strings.TrimSpace(line) == "" {
			e = append(e, s.edit(start, end, ""))
			continue
		}
		for i := start; i < end; i++ {
			if s.text[i] == '#' && !quoted[i] {
				if strings.TrimSpace(s.text[start:i]) == "" {
					e = append(e, s.edit(start, end, ""))
				} else {
					e = append(e, s.edit(start+len(strings.TrimRight(s.text[start:i], " \t")),
						start+len(strings.TrimRight(line, "\n")), ""))
				}
				break
			}
		}
	}
	return e
}

// docstrings are texts that stand alone.
func (s source) docstrings() reduce.Edit {
	gone := map[*syntax.Node]bool{}
	for _, n := range s.all(func(n *syntax.Node) bool {
		return n.Kind == "Expr" && len(n.Kids) == 1 &&
			n.Kids[0].Kind == "Constant"
	}) {
		gone[n] = true
	}
	return s.without(gone)
}

// idleImports are imports of names that stand nowhere else.
func (s source) idleImports() reduce.Edit {
	used := map[string]bool{}
	s.root.Walk(func(n *syntax.Node) {
		if n.Kind == "Name" {
			used[n.Name] = true
		}
	})
	gone := map[*syntax.Node]bool{}
	var e reduce.Edit
	for _, n := range s.all(func(n *syntax.Node) bool {
		return n.Kind == "Import" || n.Kind == "ImportFrom" && n.Name != "__future__"
	}) {
		list := n.In("names")
		idle := func(k *syntax.Node) bool { return k.Name != "*" && !used[root(k.Name)] }
		count := 0
		for _, k := range list {
			if idle(k) {
				count++
			}
		}
		switch {
		case count == 0:
		case count == len(list):
			gone[n] = true
		default:
			for i, k := range list {
				if idle(k) {
					if drop, ok := s.dropped(n, list, i); ok {
						if m, ok := reduce.Merge(e, drop); ok {
							e = m
						}
					}
				}
			}
		}
	}
	return append(s.without(gone), e...)
}

// Parens takes away parentheses that hold nothing together.
var Parens = python("parentheses", func(s source, yield func(reduce.Edit) bool) bool {
	for _, n := range s.all(isExpression) {
		l, r := n.Start-1, n.End
		if l < 0 || r >= len(s.text) || s.text[l] != '(' || s.text[r] != ')' || n.Parent.Kind == "Call" &&
			n.Parent.End == r+1 || n.Parent.Kind == "ClassDef" || n.Kind == "Tuple" || n.Kind == "GeneratorExp" ||
			strings.Contains(s.of(n), "\n") {
			continue
		}
		if !yield(reduce.Edit{s.edit(l, l+1, space(s.text, l)), s.edit(r, r+1, "")}) {
			return false
		}
	}
	return true
})

// space is a blank if a word ends just before a place.
func space(text string, at int) string {
	if at > 0 && strings.IndexByte(" \t\n([{,=:", text[at-1]) < 0 {
		return " "
	}
	return ""
}
