package bug

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	called   = regexp.MustCompile(`(\w+)\s*\(`)
	operator = regexp.MustCompile(`\*\*|//|<<|>>|[<>=!]=|[-+*/@%&|^<>]|\[`)
	inQuotes = regexp.MustCompile(`"[^"]*"|'[^']*'`)
)

// Operations is what failed when e was raised: the function that raises it
// on purpose, or else the calls and operators in the part that failed. It is
// empty if the traceback does not say.
func (e Exception) Operations() []string {
	if len(e.Frames) == 0 {
		return nil
	}
	f := e.Frames[len(e.Frames)-1]
	text := f.Part
	if text == "" {
		text = f.Code
	}
	if word := e.complaint(); word != "" {
		if path.Base(f.File) == Script {
			return []string{word} // the program's own functions come and go
		}
		return []string{word + " in " + f.Func}
	}
	text = inQuotes.ReplaceAllString(text, `""`)
	var all []string
	for _, m := range called.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return append(all, operator.FindAllString(text, -1)...)
}

// complaint is the word by which something was raised on purpose, or nothing.
// Of a statement of several lines an older Python shows the last.
func (e Exception) complaint() string {
	word, _, _ := strings.Cut(e.Frames[len(e.Frames)-1].Code, " ")
	switch {
	case word == "raise" || word == "assert":
		return word
	case e.Name() == "AssertionError":
		return "assert"
	}
	return ""
}

// Refuses reports whether something was raised on purpose, by whomever.
func (e Exception) Refuses() bool { return len(e.Frames) > 0 && e.complaint() == "raise" }

// Complains reports whether a program's own statement, and not one of a
// library, says that something is wrong.
func (e Exception) Complains() bool {
	n := len(e.Frames)
	return n > 0 && path.Base(e.Frames[n-1].File) == Script && e.complaint() != ""
}

// SameOperation reports whether e and f failed in the same operation, as far
// as their tracebacks say.
func (e Exception) SameOperation(f Exception) bool {
	a, b := e.Operations(), f.Operations()
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(o string) bool { return slices.Contains(b, o) })
}
