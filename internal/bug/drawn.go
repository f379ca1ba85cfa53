package bug

import (
	"regexp"
	"strings"
)

var number = regexp.MustCompile(`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`)

// InDrawn answers whether runs that print numbers drawn anew each time show s, which
// is about what they print: where all of them print the same, the report must show it
// too; where they differ, it must show a number.
func (s Symptom) InDrawn(all ...Outcome) Answer {
	if s.Kind != Prints || len(all) < 2 {
		return Unknown
	}
	first := solid(all[0].Stdout)
	drawn := make([]string, len(first)) // each line, with a mark for what differs
	copy(drawn, first)
	differs := false
	for _, o := range all[1:] {
		lines := solid(o.Stdout)
		if o.Failed() || len(lines) != len(first) {
			return Unknown
		}
		for i := range lines {
			marked, same, ok := unlike(drawn[i], lines[i])
			if !ok {
				return Unknown
			}
			drawn[i], differs = marked, differs || !same
		}
	}
	if !differs {
		return Unknown
	}
	want := solid(s.Output)
	return answer(len(want) > 0 && contains(drawn, want, shownAs))
}

// mark stands for a number that differs.
const mark = "\x00"

// unlike is line a with a mark for each number that is another in b. It is not ok
// if they differ in anything else.
func unlike(a, b string) (marked string, same, ok bool) {
	words, others := tokens(a), tokens(b)
	if len(words) != len(others) {
		return "", false, false
	}
	same = true
	for i, w := range words {
		switch {
		case w == others[i]:
		case w == mark || number.FindString(w) == w && number.FindString(others[i]) == others[i]:
			words[i], same = mark, false
		default:
			return "", false, false
		}
	}
	return strings.Join(words, " "), same, true
}

// shownAs reports whether a line with marks can be shown as want.
func shownAs(line, want string) bool {
	words, others := tokens(line), tokens(want)
	if len(words) != len(others) {
		return false
	}
	for i, w := range words {
		if w != others[i] && (w != mark || number.FindString(others[i]) != others[i]) {
			return false
		}
	}
	return true
}

var tokenOf = regexp.MustCompile(`\x00|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[A-Za-z_]\w*|[^\s\w]`)

func tokens(line string) []string { return tokenOf.FindAllString(line, -1) }
