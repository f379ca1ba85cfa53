package vet

import (
	"fmt"
	"strings"
	"unicode"
)

// Hidden returns the lines of a program that hold characters which a reader
// does not see: they turn the reading direction, have no width or control a
// terminal. What cannot be read has not been read.
func Hidden(text string) []Finding {
	var all []Finding
	n := 0
	for line := range strings.Lines(text) {
		n++
		for _, r := range strings.TrimRight(line, "\r\n") {
			if r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				all = append(all, Finding{Line: n, Class: "obfuscation", Name: fmt.Sprintf("U+%04X", r), Why: "it has a character that cannot be seen"})
				break
			}
		}
	}
	return all
}
