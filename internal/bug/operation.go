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
	if word, _, _ := strings.Cut(f.Code, " "); word == "raise" || word == "assert" {
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

// SameOperation reports whether e and f failed in the same operation, as far
// as their tracebacks say.
func (e Exception) SameOperation(f Exception) bool {
	a, b := e.Operations(), f.Operations()
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(o string) bool { return slices.Contains(b, o) })
}
