package vet

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden returns the lines of a program that hold characters which a reader
// does not see: they turn the reading direction, have no width or control a
// terminal. What cannot be read has not been read.
func hidden(text string) []Finding {
	if !utf8.ValidString(text) {
		return []Finding{{Line: 1, Class: "obfuscation", Severity: Error, Name: "bytes",
			Why: "it is not UTF-8, so it can look like something else"}}
	}
	return eachLine(text, func(line string) (string, string) {
		for _, r := range line {
			if r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				return fmt.Sprintf("U+%04X", r), "it contains an invisible character"
			}
		}
		return "", ""
	})
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// lookalikes returns the lines with a word that mixes the letters of several
// scripts, or writes plain letters in a fancy way, so that it looks like another.
func lookalikes(text string) []Finding {
	return eachLine(text, func(line string) (string, string) {
		for _, w := range word.FindAllString(line, -1) {
			if mixed(w) {
				return w, "it contains a look-alike of another word"
			}
		}
		return "", ""
	})
}

// mixed reports whether w has plain letters together with letters that look
// like them. Greek alone is mathematics.
func mixed(w string) bool {
	plain, odd := false, false
	for _, r := range w {
		switch {
		case r < unicode.MaxASCII && unicode.IsLetter(r):
			plain = true
		case unicode.In(r, unicode.Cyrillic, unicode.Cherokee, unicode.Armenian):
			odd = true
		case 0x1D400 <= r && r <= 0x1D7FF, 0xFF21 <= r && r <= 0xFF5A:
			return true // mathematical and wide letters are read as plain ones by Python
		}
	}
	return plain && odd
}

// eachLine asks about every line of text and makes findings of the answers.
func eachLine(text string, ask func(line string) (name, why string)) []Finding {
	var all []Finding
	n := 0
	for line := range strings.Lines(text) {
		n++
		if name, why := ask(strings.TrimRight(line, "\r\n")); name != "" {
			all = append(all, Finding{Line: n, Class: "obfuscation", Severity: Error, Name: name, Why: why})
		}
	}
	return all
}
