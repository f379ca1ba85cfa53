package pass

import (
	"iter"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Unrun takes away what a run never came to: all at once, if that works.
var Unrun = python("what did not run", func(s source, yield func(reduce.Edit) bool) bool {
	look := s.look()
	if len(look.Lines) == 0 {
		return true
	}
	ran := map[int]bool{}
	for _, l := range look.Lines {
		ran[l] = true
	}
	alive := func(n *syntax.Node) bool { return s.touched(n, ran) }
	bold, careful := map[*syntax.Node]bool{}, map[*syntax.Node]bool{}
	for _, b := range s.blocks() {
		for _, n := range b.list {
			if isDef(n) && n.Kind != "ClassDef" {
				if !slices.ContainsFunc(n.In("body"), alive) {
					bold[n] = true
				}
			} else if !alive(n) {
				bold[n], careful[n] = true, true
			}
		}
	}
	for _, gone := range []map[*syntax.Node]bool{bold, careful} {
		if e := s.without(gone); len(e) > 0 && !yield(e) {
			return false
		}
	}
	var parts []reduce.Edit
	for _, c := range s.without(careful) {
		parts = append(parts, reduce.Edit{c})
	}
	return reduce.Halves(parts, yield)
})

// touched reports whether any line of n ran.
func (s source) touched(n *syntax.Node, ran map[int]bool) bool {
	first, last := s.lines(n)
	for l := first; l <= last; l++ {
		if ran[l] {
			return true
		}
	}
	return false
}

// lines are the first and the last line of n, from one.
func (s source) lines(n *syntax.Node) (int, int) {
	line := func(at int) int {
		i, _ := slices.BinarySearch(s.ends, at)
		return i + 1
	}
	return line(n.Start), line(max(n.Start, n.End-1))
}

// Slice keeps only what the failing statements depend on by name.
var Slice = python("what it does not depend on", func(s source, yield func(reduce.Edit) bool) bool {
	look := s.look()
	if len(look.Frames) == 0 {
		return true
	}
	for _, changes := range []bool{false, true} {
		if e := s.without(s.unrelated(look, changes)); len(e) > 0 && !yield(e) {
			return false
		}
	}
	return true
})

// unrelated are the statements that the failing ones do not depend on. If
// changes is set, whatever may change a thing they depend on stays.
func (s source) unrelated(look syntax.Look, changes bool) map[*syntax.Node]bool {
	keep, wanted := map[*syntax.Node]bool{}, map[string]bool{}
	statements := s.all(isStatement)
	want := func(n *syntax.Node) {
		for m := n; m != nil; m = m.Parent {
			if isStatement(m) {
				keep[m] = true
			}
		}
		s.uses(n, wanted)
	}
	for _, n := range statements {
		for _, f := range look.Frames {
			if first, last := s.lines(n); first <= f.Line && f.Line <= last && len(n.In("body")) == 0 {
				want(n)
			}
		}
	}
	for again := true; again; {
		again = false
		for _, n := range statements {
			if keep[n] && !isDef(n) && len(n.In("body")) > 0 {
				s.headUses(n, wanted)
			}
			if keep[n] || !s.provides(n, wanted, changes) {
				continue
			}
			want(n)
			again = true
		}
	}
	gone := map[*syntax.Node]bool{}
	for _, n := range statements {
		if !keep[n] && !s.insideKept(n, keep) {
			gone[n] = true
		}
	}
	return gone
}

// insideKept reports whether n is part of a definition that is kept because of its name.
func (s source) insideKept(n *syntax.Node, keep map[*syntax.Node]bool) bool {
	for m := n.Parent; m != nil; m = m.Parent {
		if isDef(m) && keep[m] && !slices.ContainsFunc(m.In("body"), func(k *syntax.Node) bool { return keep[k] }) {
			return true
		}
	}
	return false
}

// uses adds the names that n reads.
func (s source) uses(n *syntax.Node, into map[string]bool) {
	n.Walk(func(k *syntax.Node) {
		if k.Kind == "Name" {
			into[k.Name] = true
		}
		if k.Kind == "Attribute" {
			into["."+k.Name] = true
		}
	})
}

// headUses adds the names that a compound statement reads outside its blocks.
func (s source) headUses(n *syntax.Node, into map[string]bool) {
	for _, k := range n.Kids {
		if !isStatement(k) && k.Kind != "ExceptHandler" {
			s.uses(k, into)
		}
	}
}

// provides reports whether a statement gives one of names a meaning or, if
// changes is set, may change what it stands for.
func (s source) provides(n *syntax.Node, names map[string]bool, changes bool) bool {
	if isDef(n) {
		return names[n.Name] || names["."+n.Name]
	}
	if len(n.In("body")) > 0 {
		return false // its parts speak for themselves
	}
	found := n.Kind == "Return" && changes
	n.Walk(func(k *syntax.Node) {
		found = found || gives(k, names) || k.Kind == "Call" && changes && n.Kind == "Expr" && names[rootOf(k)]
	})
	return found
}

// gives reports whether a node gives one of names a meaning.
func gives(k *syntax.Node, names map[string]bool) bool {
	switch k.Kind {
	case "Name":
		return stored(k) && names[k.Name]
	case "alias":
		return names[root(k.Name)] || k.Name == "*"
	case "Attribute", "Subscript":
		return stored(k) && (names[rootOf(k)] || names["."+k.Name])
	}
	return false
}

// root is the first part of a dotted name.
func root(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

// rootOf is the name that a chain of calls, attributes and indices starts with.
func rootOf(n *syntax.Node) string {
	for n.Kind != "Name" && len(n.Kids) > 0 {
		n = n.Kids[0]
	}
	return n.Name
}

// Rows takes away statements that stand in a row: whole blocks, halves and
// quarters of them. It does so once: later what is left is mostly needed.
var Rows = once(python("rows of statements", func(s source, yield func(reduce.Edit) bool) bool {
	for _, parts := range []int{1, 2, 4} {
		for _, b := range s.blocks() {
			size := (len(b.list) + parts - 1) / parts
			if size < 2 || parts == 1 && b.owner.Kind == "Module" {
				continue
			}
			for to := len(b.list); to > 0; to -= size {
				if !yield(reduce.Edit{s.cut(b, max(0, to-size), to)}) {
					return false
				}
			}
		}
	}
	return true
}))

func once(p reduce.Pass) reduce.Pass {
	p.Once = true
	return p
}

// Singles takes away statements one by one, from the end, where things are
// used, to the beginning, where they are made.
var Singles = python("statements", singles)

func singles(s source, yield func(reduce.Edit) bool) bool {
	for _, b := range slices.Backward(s.blocks()) {
		for i, n := range slices.Backward(b.list) {
			if (n.Kind != "Pass" || len(b.list) > 1) && !s.hopeless(n) && !yield(reduce.Edit{s.cut(b, i, i+1)}) {
				return false
			}
		}
	}
	return true
}

// Parts takes away every statement and every argument of a program, each
// alone: what must be known before anybody says that nothing more can go.
func Parts(p reduce.Program) iter.Seq[reduce.Edit] {
	p.Last = true
	return func(yield func(reduce.Edit) bool) {
		for _, s := range sources(p) {
			if !singles(s, yield) || !items(s, yield) {
				return
			}
		}
	}
}

// hopeless reports whether n is where the program fails: without it, it does not.
func (s source) hopeless(n *syntax.Node) bool {
	if s.last {
		return false
	}
	first, last := s.lines(n)
	for _, f := range s.look().Frames {
		if first <= f.Line && f.Line <= last {
			return true
		}
	}
	return false
}

// Coupled takes away a name with everything that uses it.
var Coupled = python("a name and its uses", func(s source, yield func(reduce.Edit) bool) bool {
	names := s.bindings()
	for _, b := range names {
		gone := map[*syntax.Node]bool{}
		for _, n := range b.at {
			gone[n] = true
		}
		for _, u := range s.all(func(n *syntax.Node) bool {
			return n.Kind == "Name" && n.Name == b.name || n.Kind == "Attribute" && b.member && n.Name == b.name
		}) {
			if st := statementOf(u); st != nil && !anyAbove(st, gone) {
				gone[st] = true
			}
		}
		lost := false
		for n := range gone {
			lost = lost || s.hopeless(n)
		}
		if len(gone) > len(b.at) && !lost && !yield(s.without(gone)) {
			return false
		}
	}
	return true
})

// A binding is a name and the statements that give it a meaning.
type binding struct {
	name   string
	member bool // it is a method, or an attribute of self
	at     []*syntax.Node
}

func (s source) bindings() []binding {
	var order []string
	found := map[string]*binding{}
	add := func(name string, member bool, n *syntax.Node) {
		if st := statementOf(n); st != nil {
			b := found[name]
			if b == nil {
				b = &binding{name: name, member: member}
				found[name] = b
				order = append(order, name)
			}
			if !slices.Contains(b.at, st) {
				b.at = append(b.at, st)
			}
		}
	}
	s.root.Walk(func(n *syntax.Node) {
		switch {
		case isDef(n):
			add(n.Name, n.Parent.Kind == "ClassDef", n)
		case n.Kind == "Name" && stored(n):
			if st := statementOf(n); st != nil && len(st.In("body")) == 0 {
				add(n.Name, n.Parent.Kind == "ClassDef", n)
			}
		case n.Kind == "Attribute" && stored(n):
			add(n.Name, true, n)
		case n.Kind == "alias":
			add(root(n.Name), false, n)
		}
	})
	var all []binding
	for _, name := range order {
		all = append(all, *found[name])
	}
	return all
}
