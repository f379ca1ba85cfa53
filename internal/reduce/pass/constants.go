package pass

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/data"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Folds puts what expressions always were in their places, many at once.
// Settings that came through a parser of arguments become plain numbers.
var Folds = once(python("values that never vary", func(s source, yield func(reduce.Edit) bool) bool {
	return reduce.Halves(s.folds(), yield)
}))

// Fold does it one by one.
var Fold = python("a value that never varies", func(s source, yield func(reduce.Edit) bool) bool {
	for _, e := range s.folds() {
		if !yield(e) {
			return false
		}
	}
	return true
})

func (s source) folds() []reduce.Edit {
	seen := s.seen()
	var all []reduce.Edit
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		text := seen(n).Text
		written := !strings.Contains(text, "(") || text[0] == '(' // what must be made is for Plain
		if text != "" && written && isExpression(n) && n.Kind != "Name" && n.Kind != "Constant" && text != s.of(n) &&
			n.Field != "func" && !strings.HasPrefix(n.Field, "decorator") {
			if strings.HasPrefix(text, "-") && n.Parent.Kind != "Call" {
				text = "(" + text + ")"
			}
			all = append(all, reduce.Edit{s.edit(n.Start, n.End, text)})
			return
		}
		for _, k := range n.Kids {
			visit(k)
		}
	}
	visit(s.root)
	return all
}

// Numbers makes numbers smaller: all that are equal together, so that shapes
// still fit, and never to nothing unless there is no other way.
var Numbers = python("numbers", func(s source, yield func(reduce.Edit) bool) bool {
	groups := map[int][]*syntax.Node{}
	var order []int
	for _, n := range s.all(func(n *syntax.Node) bool { return n.Kind == "Constant" && n.Name == "int" }) {
		v, err := strconv.Atoi(strings.ReplaceAll(s.of(n), "_", ""))
		if err != nil || v < 2 {
			continue
		}
		if groups[v] == nil {
			order = append(order, v)
		}
		groups[v] = append(groups[v], n)
	}
	slices.Sort(order)
	slices.Reverse(order)
	for _, v := range order {
		for _, w := range smaller(v, groups) {
			var e reduce.Edit
			for _, n := range groups[v] {
				e = append(e, s.edit(n.Start, n.End, strconv.Itoa(w)))
			}
			if !yield(e) {
				return false
			}
			for _, c := range e {
				if len(e) > 1 && !yield(reduce.Edit{c}) {
					return false
				}
			}
		}
	}
	return true
})

// smaller are numbers to try in the place of v: small ones that are not in
// use, so that what was different stays so.
func smaller(v int, used map[int][]*syntax.Node) []int {
	var all []int
	for w := 1; w < v && len(all) < 1; w++ {
		if used[w] == nil {
			all = append(all, w)
		}
	}
	if v > 9 && !slices.Contains(all, v/2) {
		all = append(all, v/2)
	}
	return all
}

// Strings makes texts shorter, but not empty, and floats simpler.
var Strings = python("texts", func(s source, yield func(reduce.Edit) bool) bool {
	for _, n := range s.all(func(n *syntax.Node) bool {
		return n.Kind == "Constant" && (n.Name == "str" || n.Name == "float" || n.Name == "bytes")
	}) {
		less := []string{"1.0", "0.5", "2.0"}
		if n.Name != "float" {
			less = data.Less(s.of(n))
		}
		for _, w := range less {
			if len(w) < n.End-n.Start && !yield(reduce.Edit{s.edit(n.Start, n.End, w)}) {
				return false
			}
		}
		if n.Name != "float" && !s.shorter(n, yield) {
			return false
		}
	}
	return true
})

// shorter takes parts of a text away: lines, if it has several, or else all
// but the first letter, halves, and quarters of a long one. The first line and
// the first letter stay: an empty text is a case of its own.
func (s source) shorter(n *syntax.Node, yield func(reduce.Edit) bool) bool {
	text := s.of(n)
	quote := strings.IndexAny(text, `'"`)
	if quote < 0 || len(text) < quote+4 {
		return true
	}
	width := 1
	if q := text[quote : quote+3]; q == `"""` || q == `'''` {
		width = 3
	}
	from, to := n.Start+quote+width, n.End-width
	if to-from < 2 {
		return true
	}
	if lines := lineBreak.FindAllStringIndex(s.text[from:to], -1); len(lines) > 1 {
		var all []reduce.Edit
		for i, l := range lines {
			end := to
			if i+1 < len(lines) {
				end = from + lines[i+1][1]
			}
			all = append(all, reduce.Edit{s.edit(from+l[1], end, "")})
		}
		return reduce.Halves(all, yield)
	}
	from += utf8.RuneLen([]rune(s.text[from:to])[0])
	for parts := 1; parts <= 4 && (parts == 1 || to-from > 4*parts); parts *= 2 {
		size := (to - from + parts - 1) / parts
		for at := from; at < to; at += size {
			if !yield(reduce.Edit{s.edit(at, min(at+size, to), "")}) {
				return false
			}
		}
	}
	return true
}

// lineBreak is one in a text, or one that is spelled.
var lineBreak = regexp.MustCompile(`\n|\\n`)

// Plain puts the plainest value of its type in the place of an expression.
var Plain = python("plain values", func(s source, yield func(reduce.Edit) bool) bool {
	values := s.seen()
	for _, n := range s.biggestFirst(isExpression) {
		seen := values(n).Text
		whole := n.Field == "value" && isStatement(n.Parent) || n.Field == "args" || n.Parent.Kind == "keyword"
		if stored(n) || n.Kind == "Constant" || n.Kind == "Name" || n.Field == "func" || seen == "" &&
			(!whole || n.Kind == "Attribute") {
			continue
		}
		for _, w := range plain(seen) {
			if w != s.of(n) && !yield(reduce.Edit{s.edit(n.Start, n.End, w)}) {
				return false
			}
		}
	}
	return true
})

// plain are values like the one seen, the plainest first.
func plain(seen string) []string {
	switch {
	case seen == "":
		return []string{"None"}
	case seen == "True" || seen == "False" || seen == "None":
		return []string{seen}
	case strings.HasPrefix(seen, "'"):
		return []string{seen}
	case strings.HasPrefix(seen, "["), strings.HasPrefix(seen, "("), strings.HasPrefix(seen, "{"):
		return []string{seen}
	}
	if _, err := strconv.ParseFloat(seen, 64); err == nil {
		return []string{seen}
	}
	return []string{"None"}
}
