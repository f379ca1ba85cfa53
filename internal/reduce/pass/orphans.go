package pass

import (
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// cleared is an edit together with the names that nothing uses after it:
// definitions, assignments and imports go with their last use. It reports
// whether there are any.
func (s source) cleared(e reduce.Edit) (reduce.Edit, bool) {
	more := slices.Clone(e)
	gone := func(n *syntax.Node) bool {
		return slices.ContainsFunc(more, func(c reduce.Change) bool {
			return c.File == s.file && c.Start <= n.Start &&
				n.End <= c.End
		})
	}
	written := e.Words()
	found := false
	for again := true; again; {
		again = false
		for _, b := range s.bindings() {
			if written[b.name] || len(b.at) != 1 || gone(b.at[0]) || strings.HasPrefix(b.name, "__") ||
				!s.lastUse(b, gone) {
				continue
			}
			cut := s.without(map[*syntax.Node]bool{b.at[0]: true})
			if m, ok := reduce.Merge(more, cut); ok {
				more, found, again = m, true, true
			}
		}
	}
	return more, found
}

// lastUse reports whether a name was used, and is not any more. A statement
// that also does something else is not for the name alone.
func (s source) lastUse(b binding, gone func(*syntax.Node) bool) bool {
	at := b.at[0]
	if len(at.In("body")) > 0 && !isDef(at) || (at.Kind == "Import" || at.Kind == "ImportFrom") &&
		len(at.In("names")) > 1 || at.Kind == "Assign" && len(at.Kids) != 2 || at.Kind == "Assign" &&
		at.Kids[0].Kind == "Tuple" {
		return false
	}
	used, left := false, false
	s.root.Walk(func(n *syntax.Node) {
		if n.Name != b.name || within(n, at) || left {
			return
		}
		reads := n.Kind == "Name" && !stored(n) || b.member && n.Kind == "Attribute" && !stored(n)
		if reads {
			used = true
			left = left || !gone(n)
		}
	})
	return used && !left
}
