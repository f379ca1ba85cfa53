package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Clean makes text safe to show: what would move a terminal's cursor, turn
// the reading direction or stand there unseen is spelled out instead.
func Clean(text string) string {
	if !strings.ContainsFunc(text, unseen) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unseen(r) {
			fmt.Fprintf(&b, "⟪U+%04X⟫", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// homes are the folders of people, and of where their Pythons are.
var homes = regexp.MustCompile(`(/home/[^/\s:"'<>|]+|/Users/[^/\s:"'<>|]+|/root)/`)

// Homeless is text without the folder of whoever ran it, which is nobody's business.
func Homeless(text string) string { return homes.ReplaceAllString(text, "~/") }

func unseen(r rune) bool {
	switch r {
	case '\n', '\t', '\u200d', '\ufe0f': // the last two join emoji
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar
}
