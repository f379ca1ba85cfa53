package pass

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Hoist puts a part of an expression in its place: an operand for the sum, an
// argument for the call.
var Hoist = python("parts of expressions", func(s source, yield func(reduce.Edit) bool) bool {
	imported := s.imported()
	seen := s.seen()
	for _, n := range s.biggestFirst(isExpression) {
		for _, k := range n.Kids {
			if k.Kind == "keyword" || k.Kind == "Starred" {
				k = k.Kids[0]
			}
			// What a method is called on may do without the call.
			if n.Kind == "Call" && k.Field == "func" && k.Kind == "Attribute" && k.Kids[0].Kind == "Call" &&
				!yield(reduce.Edit{s.replaced(n, s.of(k.Kids[0]), k.Kids[0])}) {
				return false
			}
			if (k.Field == "func" || n.Kind == "Attribute") && imported[rootOf(k)] {
				continue // a module, or a function of one, is no value
			}
			if a, b := seen(n).Type, seen(k).Type; a != "" && b != "" && a != b && !s.last {
				continue // something of another type would hardly do
			}
			if !isExpression(k) || stored(k) || n.Kind == "Lambda" || k.Kind == "GeneratorExp" || stored(n) {
				continue
			}
			if !yield(reduce.Edit{s.replaced(n, s.of(k), k)}) {
				return false
			}
			if n.Kind == "Call" && k.Field == "func" && k.Kind == "Attribute" && k.Kids[0].Kind != "Call" &&
				!yield(reduce.Edit{s.replaced(n, s.of(k.Kids[0]), k.Kids[0])}) {
				return false
			}
		}
	}
	return true
})

// imported are the names that come from elsewhere.
func (s source) imported() map[string]bool {
	all := map[string]bool{}
	for _, n := range s.all(func(n *syntax.Node) bool { return n.Kind == "alias" }) {
		all[root(n.Name)] = true
	}
	return all
}

// biggestFirst are nodes of a kind, the longest text first.
func (s source) biggestFirst(keep func(*syntax.Node) bool) []*syntax.Node {
	all := s.all(keep)
	slices.SortStableFunc(all, func(a, b *syntax.Node) int { return -cmp.Compare(a.End-a.Start, b.End-b.Start) })
	return all
}

var loose = strings.Fields("BinOp BoolOp Compare IfExp Lambda NamedExpr UnaryOp Await Tuple Yield YieldFrom " +
	"GeneratorExp")

// replaced puts text, which is like the node k, in the place of n, in
// parentheses if it would otherwise come apart.
func (s source) replaced(n *syntax.Node, text string, k *syntax.Node) reduce.Change {
	tight := n.Parent != nil && (slices.Contains([]string{"BinOp", "BoolOp", "Compare", "UnaryOp", "Attribute",
		"Subscript", "IfExp", "Await", "Starred"}, n.Parent.Kind) || n.Parent.Kind == "Call" && n.Field == "func")
	if (tight || strings.Contains(text, "\n")) && k != nil && slices.Contains(loose, k.Kind) &&
		!strings.HasPrefix(text, "(") {
		text = "(" + text + ")"
	}
	return s.edit(n.Start, n.End, text)
}

// Items drops arguments, parameters, elements, aliases, bases and operands.
var Items = python("arguments and elements", items)

func items(s source, yield func(reduce.Edit) bool) bool {
	if !s.columns(yield) {
		return false
	}
	for _, n := range s.all(func(*syntax.Node) bool { return true }) {
		if !s.pairs(n, yield) {
			return false
		}
		list := s.items(n)
		for i := range slices.Backward(list) {
			if e, ok := s.dropped(n, list, i); ok && !yield(e) {
				return false
			}
		}
	}
	return true
}

// columns drops the elements that stand in the same place of several lists of
// the same length: names and their values, or what is compared.
func (s source) columns(yield func(reduce.Edit) bool) bool {
	tables := map[int][]*syntax.Node{}
	for _, n := range s.all(func(n *syntax.Node) bool {
		return (n.Kind == "List" || n.Kind == "Tuple") &&
			!stored(n)
	}) {
		tables[len(n.Kids)] = append(tables[len(n.Kids)], n)
	}
	for _, wide := range slices.Sorted(maps.Keys(tables)) {
		for i := wide - 1; i >= 0 && wide > 1 && len(tables[wide]) > 1; i-- {
			var e reduce.Edit
			for _, n := range tables[wide] {
				if drop, ok := s.dropped(n, n.Kids, i); ok {
					if both, ok := reduce.Merge(e, drop); ok {
						e = both
					}
				}
			}
			if len(e) > 1 && !yield(e) {
				return false
			}
		}
	}
	return true
}

// pairs drops names that are assigned several at once, each with its value.
func (s source) pairs(n *syntax.Node, yield func(reduce.Edit) bool) bool {
	if n.Kind != "Assign" || len(n.Kids) != 2 || n.Kids[0].Kind != "Tuple" || n.Kids[1].Kind != "Tuple" ||
		len(n.Kids[0].Kids) != len(n.Kids[1].Kids) {
		return true
	}
	names, values := n.Kids[0].Kids, n.Kids[1].Kids
	for i := range names {
		var left, right []string
		for j := range names {
			if j != i {
				left, right = append(left, s.of(names[j])), append(right, s.of(values[j]))
			}
		}
		if len(left) > 0 && !yield(reduce.Edit{s.edit(n.Start, n.End,
			strings.Join(left, ", ")+" = "+strings.Join(right, ", "))}) {
			return false
		}
	}
	return true
}

// items are the parts of n that commas separate.
func (s source) items(n *syntax.Node) []*syntax.Node {
	var list []*syntax.Node
	for _, k := range n.Kids {
		ok := false
		switch n.Kind {
		case "Call":
			ok = k.Field == "args" || k.Field == "keywords"
		case "ClassDef":
			ok = k.Field == "bases" || k.Field == "keywords"
		case "Tuple", "List", "Set":
			ok = true
		case "Import", "ImportFrom":
			ok = k.Kind == "alias"
		case "With", "AsyncWith":
			ok = k.Kind == "withitem"
		case "Delete":
			ok = true
		case "Global", "Nonlocal":
			ok = true
		}
		if ok {
			list = append(list, k)
		}
	}
	return list
}

// dropped takes the ith of the items of n away.
func (s source) dropped(n *syntax.Node, list []*syntax.Node, i int) (reduce.Edit, bool) {
	item := list[i]
	start, end := s.bracketed(n, item)
	switch {
	case len(list) == 1 && n.Kind == "ClassDef":
		from, to := strings.LastIndexByte(s.text[:start], '('), strings.IndexByte(s.text[end:], ')')
		if from < 0 || to < 0 {
			return nil, false
		}
		return reduce.Edit{s.edit(from, end+to+1, "")}, true
	case len(list) == 1 && (n.Kind == "Call" || n.Kind == "List"):
		return reduce.Edit{s.edit(start, end+trailingComma(s.text[end:]), "")}, true
	case len(list) == 1:
		return nil, false
	case n.Kind == "Tuple" && len(list) == 2:
		if i == 0 {
			return reduce.Edit{s.edit(start, list[1].Start, ""),
					s.edit(list[1].End, list[1].End, ",")}, !strings.HasSuffix(strings.TrimRight(s.text[list[1].End:n.End],
					") \n"), ",")
		}
		return reduce.Edit{s.edit(list[0].End, end, ",")}, !strings.HasSuffix(strings.TrimRight(s.text[end:n.End],
			") \n"), ",")
	case i+1 < len(list):
		next, _ := s.bracketed(n, list[i+1])
		return reduce.Edit{s.edit(start, next, "")}, true
	}
	_, before := s.bracketed(n, list[i-1])
	return reduce.Edit{s.edit(before, end, "")}, true
}

// bracketed is where an item of n stands, with parentheses of its own.
func (s source) bracketed(n, item *syntax.Node) (int, int) {
	start, end := item.Start, item.End
	low := n.Start + 1
	if n.Kind == "Call" {
		low = n.Kids[0].End + 1
	}
	for {
		l, r := start, end
		for l > low && strings.IndexByte(" \t\n", s.text[l-1]) >= 0 {
			l--
		}
		for r < n.End-1 && strings.IndexByte(" \t\n", s.text[r]) >= 0 {
			r++
		}
		if l <= low || r >= n.End-1 || s.text[l-1] != '(' || s.text[r] != ')' || n.Kind == "Call" && l-1 < low {
			return start, end
		}
		start, end = l-1, r+1
	}
}

func trailingComma(rest string) int {
	trimmed := strings.TrimLeft(rest, " \t\n")
	if strings.HasPrefix(trimmed, ",") {
		return len(rest) - len(trimmed) + 1
	}
	return 0
}

// Entries drops the entries of dicts, the parts of boolean and chained
// expressions, handlers, and conditions of comprehensions.
var Entries = python("entries and branches", func(s source, yield func(reduce.Edit) bool) bool {
	for _, n := range s.all(func(*syntax.Node) bool { return true }) {
		switch n.Kind {
		case "Dict":
			if !s.dictEntries(n, yield) {
				return false
			}
		case "ExceptHandler":
			if len(n.Parent.In("handlers")) > 1 &&
				!yield(reduce.Edit{s.edit(s.lineStart(n.Start), s.lineEnd(n.End), "")}) {
				return false
			}
		case "Return", "Raise":
			if len(n.Kids) > 0 && !yield(reduce.Edit{s.edit(n.Start+len(n.Kind), n.End, "")}) {
				return false
			}
		case "Assert":
			if msg := n.In("msg"); len(msg) > 0 && !yield(reduce.Edit{s.edit(n.In("test")[0].End, n.End, "")}) {
				return false
			}
		case "Slice":
			for _, k := range n.Kids {
				if !yield(reduce.Edit{s.edit(k.Start, k.End, "")}) {
					return false
				}
			}
		case "comprehension":
			for _, k := range n.In("ifs") {
				if at := strings.LastIndex(s.text[n.Start:k.Start], "if"); at >= 0 &&
					!yield(reduce.Edit{s.edit(n.Start+at, k.End, "")}) {
					return false
				}
			}
		}
	}
	return true
})

func (s source) dictEntries(n *syntax.Node, yield func(reduce.Edit) bool) bool {
	values := n.In("values")
	keys := n.In("keys")
	if len(keys) != len(values) {
		return true
	}
	for i := range slices.Backward(keys) {
		e := reduce.Edit{s.edit(keys[i].Start, values[i].End+trailingComma(s.text[values[i].End:n.End]), "")}
		if i > 0 && i == len(keys)-1 {
			e = reduce.Edit{s.edit(values[i-1].End, values[i].End, "")}
		} else if i+1 < len(keys) {
			e = reduce.Edit{s.edit(keys[i].Start, keys[i+1].Start, "")}
		}
		if !yield(e) {
			return false
		}
	}
	return true
}
