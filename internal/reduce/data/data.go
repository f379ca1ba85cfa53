// Package data cuts texts that are data where data is: keys and elements of JSON,
// columns of tables.
package data

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// most is how many parts of one text are proposed to go.
const most = 80

// Less are literals for the text that a Python literal stands for, each without one
// part of it, if it is data.
func Less(literal string) []string {
	prefix, inner, ok := unquoted(literal)
	if !ok || len(inner) < 4 {
		return nil
	}
	var all []string
	for _, less := range append(fewerKeys(inner), fewerColumns(inner)...) {
		all = append(all, prefix+strconv.Quote(less))
	}
	return all[:min(most, len(all))]
}

// fewerKeys takes keys and elements out of a text that is JSON.
func fewerKeys(inner string) []string {
	if !strings.ContainsAny(inner, "[{") || !json.Valid([]byte(inner)) {
		return nil
	}
	var all []string
	for _, less := range without(json.RawMessage(inner)) {
		all = append(all, string(less))
	}
	return all
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
func fewerColumns(inner string) []string {
	var all []string
	lines := strings.Split(strings.TrimRight(inner, "\n"), "\n")
	for _, between := range []string{",", "\t", ";"} {
		width := strings.Count(lines[0], between) + 1
		if len(lines) < 2 || width < 2 ||
			slices.ContainsFunc(lines, func(l string) bool { return strings.Count(l, between)+1 != width }) {
			continue
		}
		for i := range width {
			var less strings.Builder
			for _, l := range lines {
				less.WriteString(strings.Join(slices.Delete(strings.Split(l, between), i, i+1), between) + "\n")
			}
			all = append(all, less.String())
		}
	}
	return all
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
