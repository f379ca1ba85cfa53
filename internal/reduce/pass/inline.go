package pass

import (
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Variables puts what a name stands for in the place of its uses, and drops
// the name.
var Variables = python("names for what they stand for", func(s source, yield func(reduce.Edit) bool) bool {
	for _, n := range s.all(func(n *syntax.Node) bool { return n.Kind == "Assign" && len(n.Kids) == 2 }) {
		target, value := n.Kids[0], n.Kids[1]
		if target.Kind != "Name" && target.Kind != "Attribute" {
			continue
		}
		uses, once := s.usesOf(target)
		if !once || len(uses) == 0 || len(uses) > 1 && value.Kind != "Constant" && value.Kind != "Name" {
			continue
		}
		if !yield(s.substituted(n, value, uses)) {
			return false
		}
	}
	return true
})

// substituted is the edit that puts value in the place of uses and takes the statement away.
func (s source) substituted(n, value *syntax.Node, uses []*syntax.Node) reduce.Edit {
	e := s.without(map[*syntax.Node]bool{n: true})
	for _, u := range uses {
		e = append(e, s.replaced(u, s.of(value), value))
	}
	return e
}

// usesOf are the places that read a name or an attribute, and whether it is
// given a meaning in one place only.
func (s source) usesOf(target *syntax.Node) ([]*syntax.Node, bool) {
	var uses []*syntax.Node
	stores := 0
	s.root.Walk(func(n *syntax.Node) {
		switch {
		case n.Kind == target.Kind && n.Name == target.Name && (stored(n) || strings.HasSuffix(n.Field, "-")):
			stores++
		case n.Kind == target.Kind && n.Name == target.Name:
			uses = append(uses, n)
		case target.Kind == "Name" && (n.Kind == "arg" && n.Name == target.Name || isDef(n) && n.Name == target.Name ||
			n.Kind == "Global" || n.Kind == "Nonlocal"):
			stores++
		}
	})
	return uses, stores == 1
}

// Iteration puts the round of a loop that failed in its place.
var Iteration = python("the failing round of a loop", func(s source, yield func(reduce.Edit) bool) bool {
	look := s.look()
	for _, n := range s.all(func(n *syntax.Node) bool { return n.Kind == "For" }) {
		target, over := n.In("target="), n.In("iter")
		if len(target) != 1 || len(over) != 1 {
			continue
		}
		first, last := s.lines(n)
		var values []string
		for _, f := range look.Frames {
			if first <= f.Line && f.Line <= last {
				if v, ok := s.valueOf(target[0], f.Locals); ok {
					values = append(values, v)
				}
			}
		}
		if over[0].Kind == "List" || over[0].Kind == "Tuple" {
			for _, k := range over[0].Kids {
				values = append(values, s.of(k))
			}
		}
		values = append(values, "next(iter("+s.of(over[0])+"))")
		for _, v := range values {
			body, ok := s.unwrapped(n, n.In("body"))
			in, alone := s.indent(n)
			if !ok || !alone {
				continue
			}
			body.With = in + s.of(target[0]) + " = " + v + "\n" + body.With
			if !yield(reduce.Edit{body}) {
				return false
			}
		}
	}
	return true
})

// valueOf is what a target stood for.
func (s source) valueOf(target *syntax.Node, locals map[string]string) (string, bool) {
	if target.Kind == "Name" {
		v, ok := locals[target.Name]
		return v, ok
	}
	var parts []string
	for _, k := range target.Kids {
		v, ok := s.valueOf(k, locals)
		if !ok {
			return "", false
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", "), len(parts) > 0
}

// Parameters drops a parameter together with what is passed for it. If one
// call passes something, that is put in the place of its uses.
var Parameters = python("parameters", func(s source, yield func(reduce.Edit) bool) bool {
	for _, def := range s.all(func(n *syntax.Node) bool { return isDef(n) && n.Kind != "ClassDef" }) {
		args := def.In("args")
		if len(args) != 1 {
			continue
		}
		list := args[0].In("args")
		for i := range slices.Backward(list) {
			for _, put := range []bool{false, true} {
				if e, ok := s.parameterDropped(def, args[0], list, i, put); ok && !yield(e) {
					return false
				}
			}
		}
	}
	return true
})

// withoutParameter takes the ith parameter away, with its default, which
// stands right behind it.
func (s source) withoutParameter(args *syntax.Node, list []*syntax.Node, i int) (reduce.Change, *syntax.Node) {
	p := list[i]
	end := p.End
	var value *syntax.Node
	for _, d := range args.In("defaults") {
		if d.Start > p.End && (i+1 == len(list) || d.Start < list[i+1].Start) {
			end, value = d.End, d
		}
	}
	switch {
	case i+1 < len(list):
		return s.edit(p.Start, list[i+1].Start, ""), value
	case i == 0:
		return s.edit(p.Start, end, ""), value
	}
	before := list[i-1].End
	for _, d := range args.In("defaults") {
		if d.Start > list[i-1].End && d.End < p.Start {
			before = d.End
		}
	}
	return s.edit(before, end, ""), value
}

func (s source) parameterDropped(def, args *syntax.Node, list []*syntax.Node, i int, put bool) (reduce.Edit, bool) {
	p := list[i]
	method := def.Parent.Kind == "ClassDef"
	if method && i == 0 {
		return nil, false
	}
	cut, value := s.withoutParameter(args, list, i)
	e := reduce.Edit{cut}
	calls := s.callsOf(def)
	at := i
	if method {
		at--
	}
	for _, c := range calls {
		items := s.items(c)
		for j, item := range items {
			if item.Kind == "keyword" && item.Name == p.Name || item.Kind != "keyword" && j == at &&
				item.Kind != "Starred" {
				value = item
				if item.Kind == "keyword" {
					value = item.Kids[0]
				}
				if drop, ok := s.dropped(c, items, j); ok {
					e = append(e, drop...)
				}
			}
		}
	}
	if !put {
		return e, true
	}
	if value == nil || len(calls) > 1 {
		return nil, false
	}
	for _, b := range def.In("body") {
		b.Walk(func(n *syntax.Node) {
			if n.Kind == "Name" && n.Name == p.Name && !stored(n) {
				e = append(e, s.replaced(n, s.of(value), value))
			}
		})
	}
	return e, true
}

// callsOf are the calls that a definition seems to be called by.
func (s source) callsOf(def *syntax.Node) []*syntax.Node {
	names := map[string]bool{def.Name: true}
	if def.Name == "__init__" && def.Parent.Kind == "ClassDef" {
		names = s.madeBy(def.Parent)
	}
	return s.all(func(n *syntax.Node) bool {
		return n.Kind == "Call" && (n.Kids[0].Kind == "Name" || n.Kids[0].Kind == "Attribute") && names[n.Kids[0].Name]
	})
}

// madeBy are the names of the classes that are made by the constructor of one:
// its own, and those of classes derived from it.
func (s source) madeBy(class *syntax.Node) map[string]bool {
	names := map[string]bool{class.Name: true}
	for _, c := range s.all(func(n *syntax.Node) bool { return n.Kind == "ClassDef" }) {
		for _, base := range c.In("bases") {
			if base.Kind == "Name" && names[base.Name] {
				names[c.Name] = true
			}
		}
	}
	return names
}
