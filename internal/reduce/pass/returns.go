package pass

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Returns puts what a function returns in the place of every call of it, if
// it does nothing else, and spells an attribute that is got by name.
var Returns = python("calls for what they return", func(s source, yield func(reduce.Edit) bool) bool {
	for _, def := range s.all(func(n *syntax.Node) bool { return n.Kind == "FunctionDef" }) {
		if e, ok := s.returned(def); ok && !yield(e) {
			return false
		}
	}
	for _, n := range s.all(func(n *syntax.Node) bool {
		return n.Kind == "Call" && n.Kids[0].Name == "getattr" &&
			len(n.Kids) > 2
	}) {
		if attr := n.Kids[2]; attr.Kind == "Constant" && attr.Name == "str" {
			word := strings.Trim(s.of(attr), `'"`)
			if isName(word) && !yield(reduce.Edit{s.edit(n.Start, n.End, s.of(n.Kids[1])+"."+word)}) {
				return false
			}
		}
	}
	return true
})

// returned puts the value of a function that only returns in the place of its
// calls, and takes the function away.
func (s source) returned(def *syntax.Node) (reduce.Edit, bool) {
	body := def.In("body")
	if len(body) != 1 || body[0].Kind != "Return" || len(body[0].Kids) != 1 || len(def.In("decorator_list")) > 0 {
		return nil, false
	}
	calls := s.callsTo(def)
	e := s.without(map[*syntax.Node]bool{def: true})
	for i, call := range calls {
		given, ok := s.given(def, call)
		if !ok || within(call, def) || slices.ContainsFunc(calls[:i],
			func(c *syntax.Node) bool { return within(call, c) }) {
			return nil, false
		}
		if self, ok := s.self(def); ok {
			given = append(given, [2]string{self, s.receiver(call)})
		}
		text := s.of(body[0].Kids[0])
		for _, g := range given {
			value := g[1]
			if !isName(value) && strings.ContainsAny(value, " ") && !strings.HasSuffix(value, ")") {
				value = "(" + value + ")"
			}
			text = regexp.MustCompile(`\b`+regexp.QuoteMeta(g[0])+`\b`).ReplaceAllLiteralString(text, value)
		}
		e = append(e, s.replaced(call, text, body[0].Kids[0]))
	}
	return e, len(calls) > 0
}
