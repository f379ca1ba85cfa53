package pass

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Calls puts the body of a function in the place of the one call of it. Of methods that share a name
// nobody can tell which one a call is of, so each is tried.
var Calls = python("calls for what they do", func(s source, yield func(reduce.Edit) bool) bool {
	defs := s.all(func(n *syntax.Node) bool { return isDef(n) && n.Kind != "ClassDef" && len(n.In("decorator_list")) == 0 })
	named := map[string]int{}
	for _, def := range defs {
		named[def.Name]++
	}
	for _, def := range defs {
		calls := s.callsTo(def)
		if len(calls) > named[def.Name] {
			continue
		}
		for _, call := range calls {
			if within(call, def) {
				continue
			}
			if e, ok := s.inlined(def, call); ok && !yield(e) {
				return false
			}
		}
	}
	return true
})

// callsTo are the calls of a definition, those that call an instance of its
// class included.
func (s source) callsTo(def *syntax.Node) []*syntax.Node {
	calls := s.callsOf(def)
	if def.Parent.Kind != "ClassDef" || def.Name != "__call__" && !slices.Contains(s.called, def.Name) {
		return calls
	}
	instances := map[string]bool{}
	for _, n := range s.all(func(n *syntax.Node) bool {
		return n.Kind == "Assign" && len(n.Kids) == 2 &&
			n.Kids[1].Kind == "Call"
	}) {
		if made := n.Kids[1].Kids[0]; made.Kind == "Name" && made.Name == def.Parent.Name {
			instances[s.of(n.Kids[0])] = true
		}
	}
	return append(calls, s.all(func(n *syntax.Node) bool {
		if n.Kind != "Call" {
			return false
		}
		if made := n.Kids[0]; made.Kind == "Call" && made.Kids[0].Name == def.Parent.Name {
			return true
		}
		return instances[s.of(n.Kids[0])]
	})...)
}

// inlined puts the body of def in the place of a call that is a statement of
// its own, or the value of one.
func (s source) inlined(def, call *syntax.Node) (reduce.Edit, bool) {
	st := statementOf(call)
	whole := call // the call, with what waits for it
	if def.Kind == "AsyncFunctionDef" {
		if whole = call.Parent; whole.Kind != "Await" {
			return nil, false
		}
	}
	body := def.In("body")
	in, alone := s.indent(st)
	if st == nil || !alone || len(body) == 0 || def.Parent == nil {
		return nil, false
	}
	last := body[len(body)-1]
	returns := returnsIn(body)
	if returns > 1 || returns == 1 && last.Kind != "Return" {
		return nil, false
	}
	lines, ok := s.bodyLines(def, call, in, returns)
	if !ok {
		return nil, false
	}
	result := "None"
	if last.Kind == "Return" && len(last.Kids) == 1 {
		result = s.ownText(def, call, last.Kids[0])
		if len(result) > 0 && isLoose(last.Kids[0]) && st.Kids[len(st.Kids)-1] != whole {
			result = "(" + result + ")"
		}
	}
	head := s.text[s.lineStart(st.Start):whole.Start]
	tail := s.text[whole.End:s.lineEnd(st.End)]
	text := head + result + tail
	if st.Kind == "Expr" && st.Kids[0] == whole && returns == 0 {
		text = ""
	}
	e := s.without(map[*syntax.Node]bool{def: true})
	e = append(e, s.edit(s.lineStart(st.Start), s.lineEnd(st.End), lines+text))
	return e, !within(st, def)
}

// returnsIn counts the places where a body gives something back.
func returnsIn(body []*syntax.Node) int {
	returns := 0
	for _, b := range body {
		b.Walk(func(n *syntax.Node) {
			if n.Kind == "Return" || n.Kind == "Yield" || n.Kind == "YieldFrom" {
				returns++
			}
		})
	}
	return returns
}

func isLoose(n *syntax.Node) bool {
	for _, k := range loose {
		if n.Kind == k {
			return true
		}
	}
	return false
}

// bodyLines are the parameters of def as a call gives them, and its body.
func (s source) bodyLines(def, call *syntax.Node, in string, returns int) (string, bool) {
	var b strings.Builder
	given, ok := s.given(def, call)
	if !ok {
		return "", false
	}
	if self, ok := s.self(def); ok && !isName(s.receiver(call)) {
		given = append([][2]string{{self, s.receiver(call)}}, given...)
	}
	for _, g := range given {
		if g[0] != g[1] {
			b.WriteString(in + g[0] + " = " + g[1] + "\n")
		}
	}
	body := def.In("body")
	if returns == 1 {
		body = body[:len(body)-1]
	}
	if len(body) == 0 {
		return b.String(), true
	}
	inner, alone := s.indent(body[0])
	if !alone {
		return "", false
	}
	text, ok := s.reindented(s.lineStart(body[0].Start), s.lineEnd(body[len(body)-1].End), inner, in)
	if !ok {
		return "", false
	}
	return b.String() + s.selfless(def, call, text), true
}

// given are the names of the parameters of def with what a call passes for them.
func (s source) given(def, call *syntax.Node) ([][2]string, bool) {
	args := def.In("args")
	if len(args) == 0 {
		return nil, len(call.Kids) == 1
	}
	if len(args[0].In("vararg")) > 0 || len(args[0].In("kwarg")) > 0 {
		return nil, false
	}
	list := append(args[0].In("args"), args[0].In("kwonlyargs")...)
	if def.Parent.Kind == "ClassDef" && len(list) > 0 {
		list = list[1:]
	}
	defaults := append(args[0].In("defaults"), args[0].In("kw_defaults")...)
	items := s.items(call)
	var all [][2]string
	for i, p := range list {
		value := ""
		for _, d := range defaults {
			if d.Start > p.End && (i+1 == len(list) || d.Start < list[i+1].Start) {
				value = s.of(d)
			}
		}
		for j, item := range items {
			switch {
			case item.Kind == "Starred" || item.Kind == "keyword" && item.Name == "":
				return nil, false
			case item.Kind == "keyword" && item.Name == p.Name:
				value = s.of(item.Kids[0])
			case item.Kind != "keyword" && j == i:
				value = s.of(item)
			}
		}
		if value == "" {
			return nil, false
		}
		all = append(all, [2]string{p.Name, value})
	}
	return all, true
}

// receiver is what self stands for in a call.
func (s source) receiver(call *syntax.Node) string {
	f := call.Kids[0]
	if f.Kind == "Attribute" && len(f.Kids) == 1 {
		return s.of(f.Kids[0])
	}
	return s.of(f)
}

// self is the name that a method has for what it is called on.
func (s source) self(def *syntax.Node) (string, bool) {
	args := def.In("args")
	if def.Parent.Kind != "ClassDef" || len(args) == 0 || len(args[0].In("args")) == 0 {
		return "", false
	}
	return args[0].In("args")[0].Name, true
}

var name = regexp.MustCompile(`^[\pL_][\pL\pN_.]*$`)

func isName(text string) bool { return name.MatchString(text) }

// selfless is a text of a method with the receiver in the place of self. One
// that is no name is made only once, and keeps the name.
func (s source) selfless(def, call *syntax.Node, text string) string {
	self, ok := s.self(def)
	if !ok || !isName(s.receiver(call)) {
		return text
	}
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(self)+`\b`).ReplaceAllLiteralString(text, s.receiver(call))
}

func (s source) ownText(def, call, n *syntax.Node) string { return s.selfless(def, call, s.of(n)) }

// Dissolve makes names of the attributes of the one instance of a class that
// has nothing but a constructor, or nothing at all.
var Dissolve = python("classes for their attributes", func(s source, yield func(reduce.Edit) bool) bool {
	for _, class := range s.all(func(n *syntax.Node) bool { return n.Kind == "ClassDef" }) {
		var init *syntax.Node
		plain := true
		for _, m := range class.In("body") {
			switch {
			case m.Kind == "FunctionDef" && m.Name == "__init__":
				init = m
			case isDef(m):
				plain = false
			}
		}
		if !plain || init == nil {
			continue
		}
		if e, ok := s.dissolved(class, init); ok && !yield(e) {
			return false
		}
	}
	return true
})

var superInit = regexp.MustCompile(`(?m)^.*\bsuper\(.*\n`)

func (s source) dissolved(class, init *syntax.Node) (reduce.Edit, bool) {
	calls := s.callsOf(init)
	if len(calls) != 1 || within(calls[0], class) {
		return nil, false
	}
	st := statementOf(calls[0])
	if st == nil || st.Kind != "Assign" || len(st.Kids) != 2 || st.Kids[1] != calls[0] || st.Kids[0].Kind != "Name" {
		return nil, false
	}
	in, alone := s.indent(st)
	lines, ok := s.bodyLines(init, calls[0], in, 0)
	args := init.In("args")
	if !alone || !ok || len(args) == 0 {
		return nil, false
	}
	// The receiver of a constructor is the name it is assigned to.
	member := regexp.MustCompile(`\b` + regexp.QuoteMeta(s.receiver(calls[0])) + `\.(\w+)`)
	lines = member.ReplaceAllString(superInit.ReplaceAllString(lines, ""), "$1")
	e := s.without(map[*syntax.Node]bool{class: true})
	e = append(e, s.edit(s.lineStart(st.Start), s.lineEnd(st.End), lines))
	for _, u := range s.all(func(n *syntax.Node) bool {
		return n.Kind == "Attribute" && len(n.Kids) == 1 && n.Kids[0].Kind == "Name" &&
			n.Kids[0].Name == st.Kids[0].Name
	}) {
		e = append(e, s.edit(u.Start, u.End, u.Name))
	}
	return e, true
}
