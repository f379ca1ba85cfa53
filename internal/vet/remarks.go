package vet

import (
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/profile"
)

// remark is what a program says to those who read it, and not to the interpreter.
var remark = regexp.MustCompile(`(?m)#[^\n]*(\n[ \t]*#[^\n]*)*|(?s)""".*?"""|'{3}.*?'{3}`)

// mostRemark is how much of a remark is looked at.
const mostRemark = 4000

// remarks returns what the remarks of a program say to those who read it for somebody else. Lines of one remark are read
// as one text.
func remarks(text string, p profile.Profile) []Finding {
	var all []Finding
	for _, at := range remark.FindAllStringIndex(text, -1) {
		said := strings.Join(strings.Fields(strings.ReplaceAll(text[at[0]:min(at[1], at[0]+mostRemark)], "#", " ")), " ")
		for _, f := range Injected(said, p) {
			f.Line = 1 + strings.Count(text[:at[0]], "\n")
			all = append(all, f)
		}
	}
	for _, at := range word.FindAllStringIndex(text, -1) {
		parts := within.FindAllString(text[at[0]:at[1]], -1)
		if len(parts) < sentence {
			continue
		}
		for _, f := range Injected(strings.Join(parts, " "), p) {
			f.Line = 1 + strings.Count(text[:at[0]], "\n")
			all = append(all, f)
		}
	}
	return all
}

// within are the words that a name is made of; sentence is how many may be one.
var within = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+|\d+`)

const sentence = 5
