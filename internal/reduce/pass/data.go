package pass

import (
	"bytes"
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
	var v any
	decoder := json.NewDecoder(strings.NewReader(inner))
	decoder.UseNumber()
	if !ok || len(inner) < 4 || !strings.ContainsAny(inner, "[{") || decoder.Decode(&v) != nil {
		return true
	}
	for i, less := range without(v) {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if i == mostParts || encoder.Encode(less) != nil {
			break
		}
		text := prefix + strconv.Quote(strings.TrimSpace(b.String()))
		if !strings.Contains(text, `\u`) && !yield(reduce.Edit{s.edit(n.Start, n.End, text)}) {
			return false
		}
	}
	return true
}

// without are all values that lack one part of v, those without a larger part first.
func without(v any) []any {
	var all []any
	switch v := v.(type) {
	case []any:
		if len(v) > 3 {
			all = append(all, v[:len(v)/2:len(v)/2], v[len(v)/2:])
		}
		for i := range v {
			all = append(all, slices.Delete(slices.Clone(v), i, i+1))
		}
		for i, x := range v {
			for _, less := range without(x) {
				other := slices.Clone(v)
				other[i] = less
				all = append(all, other)
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			other := maps.Clone(v)
			delete(other, k)
			all = append(all, other)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			for _, less := range without(v[k]) {
				other := maps.Clone(v)
				other[k] = less
				all = append(all, other)
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
