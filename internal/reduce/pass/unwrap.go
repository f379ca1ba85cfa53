package pass

import (
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Unwrap puts what is in a compound statement in its place: the branch of an
// if, the body of a loop, of a with, of a try, of a function.
var Unwrap = python("compound statements", func(s source, yield func(reduce.Edit) bool) bool {
	for _, n := range s.all(isStatement) {
		if next := n.In("orelse"); n.Kind == "If" && len(next) == 1 && strings.HasPrefix(s.of(next[0]), "elif") &&
			!yield(reduce.Edit{s.edit(n.Start, next[0].Start+len("el"), "")}) {
			return false
		}
		for _, field := range []string{"body", "orelse", "finalbody"} {
			if c, ok := s.unwrapped(n, n.In(field)); ok && !yield(reduce.Edit{c}) {
				return false
			}
		}
	}
	return true
})

// unwrapped puts statements of a block in the place of the statement they are in.
func (s source) unwrapped(n *syntax.Node, list []*syntax.Node) (reduce.Change, bool) {
	if len(list) == 0 || !isStatement(list[0]) || s.tied(n, list) {
		return reduce.Change{}, false
	}
	outer, ok1 := s.indent(n)
	inner, ok2 := s.indent(list[0])
	start, end := s.lineStart(n.Start), s.lineEnd(n.End)
	if !ok1 {
		return reduce.Change{}, false
	}
	if !ok2 { // on one line with its head
		return s.edit(n.Start, n.End, s.text[list[0].Start:list[len(list)-1].End]), true
	}
	body, ok := s.reindented(s.lineStart(list[0].Start), s.lineEnd(list[len(list)-1].End), inner, outer)
	return s.edit(start, end, body), ok
}

// tied reports whether statements cannot stand outside of n: they return from
// a function, or leave a loop.
func (s source) tied(n *syntax.Node, list []*syntax.Node) bool {
	var bad []string
	switch n.Kind {
	case "FunctionDef", "AsyncFunctionDef":
		bad = []string{"Return", "Yield", "YieldFrom", "Await", "Nonlocal"}
	case "For", "AsyncFor", "While":
		bad = []string{"Break", "Continue"}
	}
	found := false
	var visit func(*syntax.Node)
	visit = func(k *syntax.Node) {
		found = found || slices.Contains(bad, k.Kind)
		if isDef(k) || bad != nil && bad[0] == "Break" && (k.Kind == "For" || k.Kind == "While") {
			return
		}
		for _, kid := range k.Kids {
			visit(kid)
		}
	}
	for _, k := range list {
		visit(k)
	}
	return found
}

// Decorated takes away what stands around definitions and names: decorators,
// annotations, base classes.
var Decorated = python("decorators and annotations", func(s source, yield func(reduce.Edit) bool) bool {
	var annotations []reduce.Edit
	for _, n := range s.all(func(*syntax.Node) bool { return true }) {
		if e, ok := s.unannotated(n); ok {
			annotations = append(annotations, e)
		}
	}
	if !reduce.Halves(annotations, yield) {
		return false
	}
	for _, n := range s.all(isDef) {
		for _, d := range n.In("decorator_list") {
			at := s.lineStart(d.Start)
			if !yield(reduce.Edit{s.edit(at, s.lineEnd(d.End), "")}) {
				return false
			}
		}
	}
	return true
})

// unannotated takes away the annotation n is.
func (s source) unannotated(n *syntax.Node) (reduce.Edit, bool) {
	switch {
	case n.Field == "annotation" && n.Parent.Kind == "arg":
		return reduce.Edit{s.edit(n.Parent.Start+len(n.Parent.Name), n.End, "")}, true
	case n.Field == "annotation" && n.Parent.Kind == "AnnAssign" && len(n.Parent.In("value")) == 1:
		target := n.Parent.Kids[0]
		return reduce.Edit{s.edit(target.End, n.End, "")}, true
	case n.Field == "returns":
		at := n.Start
		for at > 0 && s.text[at-1] != ')' {
			at--
		}
		return reduce.Edit{s.edit(at, n.End, "")}, true
	}
	return nil, false
}
