package pass

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"scrub/internal/reduce"
	"scrub/internal/syntax"
)

// Texts that are data are cut where data is: keys and elements, columns of tables.

// mostParts is how many parts of one text are proposed to go.
const mostParts = 80

// fewerKeys takes keys and elements out of a text that is JSON.
func (s source) fewerKeys(n *syntax.Node, yield func(reduce.Edit) bool) bool {
	prefix, inner, ok := unquoted(s.of(n))
	if !ok || len(inner) < 4 || !strings.ContainsAny(inner, "[{") || !json.Valid([]byte(inner)) {
		return true
	}
	for i, less := range without(json.RawMessage(inner)) {
		if i == mostParts {
			break
		}
		if !yield(reduce.Edit{s.edit(n.Start, n.End, prefix+strconv.Quote(string(less)))}) {
			return false
		}
	}
	return true
}

// without are all values that lack one part of a value, those without a larger part first.
func without(v json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	var all []json.RawMessage
	add := func(less any) {
		if text, err := json.Marshal(less); err == nil {
			all = append(all, text)
		}
	}
	if json.Unmarshal(v, &list) == nil {
		if half := len(list) / 2; half > 1 {
			add(list[:half])
			add(list[half:])
		}
		for i := range list {
			add(slices.Delete(slices.Clone(list), i, i+1))
		}
		for i, x := range list {
			for _, less := range without(x) {
				other := slices.Clone(list)
				other[i] = less
				add(other)
			}
		}
	} else if json.Unmarshal(v, &object) == nil {
		names := slices.Sorted(maps.Keys(object))
		for _, k := range names {
			other := maps.Clone(object)
			delete(other, k)
			add(other)
		}
		for _, k := range names {
			for _, less := range without(object[k]) {
				other := maps.Clone(object)
				other[k] = less
				add(other)
			}
		}
	}
	return all
}

// fewerColumns takes columns out of a text that is a table.
func (s source) fewerColumns(n *syntax.Node, yield func(reduce.Edit) bool) bool {
	prefix, inner, ok := unquoted(s.of(n))
	lines := strings.Split(strings.TrimRight(inner, "\n"), "\n")
	if !ok || len(lines) < 2 {
		return true
	}
	for _, between := range []string{",", "\t", ";"} {
		width := strings.Count(lines[0], between) + 1
		if width < 2 || slices.ContainsFunc(lines, func(l string) bool { return strings.Count(l, between)+1 != width }) {
			continue
		}
		for i := range min(width, mostParts) {
			var less strings.Builder
			for _, l := range lines {
				less.WriteString(strings.Join(slices.Delete(strings.Split(l, between), i, i+1), between) + "\n")
			}
			if !yield(reduce.Edit{s.edit(n.Start, n.End, prefix+strconv.Quote(less.String()))}) {
				return false
			}
		}
	}
	return true
}

// unquoted is what a plain literal stands for, with what stands before its quotes.
func unquoted(text string) (prefix, inner string, ok bool) {
	prefix = text[:max(0, strings.IndexAny(text, `'"`))]
	body := text[len(prefix):]
	if len(body) < 2 || prefix != "" && prefix != "b" || strings.HasPrefix(body, `"""`) || strings.HasPrefix(body, "'''") {
		return "", "", false
	}
	if body[0] == '\'' {
		body = `"` + strings.ReplaceAll(strings.ReplaceAll(body[1:len(body)-1], `\'`, `'`), `"`, `\"`) + `"`
	}
	inner, err := strconv.Unquote(body)
	return prefix, inner, err == nil && !strings.ContainsFunc(inner, func(r rune) bool { return r > 0x7e })
}
