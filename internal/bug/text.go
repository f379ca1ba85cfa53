package bug

import (
	"fmt"
	"strconv"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// Short is s, cut to n characters at most.
func Short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Ends is s without its middle, if it has more than most bytes.
func Ends(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := strings.ToValidUTF8(s[:most/2], ""), strings.ToValidUTF8(s[len(s)-most/2:], "")
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", head, len(s)-len(head)-len(tail), tail)
}

// Squeeze is s in one line, with single blanks.
func Squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// Quoted is s in quotation marks, with what cannot be printed spelled out.
func Quoted(s string) string {
	quoted := strconv.Quote(s)
	if !strings.ContainsAny(s, `"\`) {
		return quoted
	}
	return "“" + strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(quoted[1:len(quoted)-1]) + "”"
}

// CompareVersions orders versions as PEP 440 does, and what is none before
// them, as text.
func CompareVersions(a, b string) int {
	x, errX := pep440.Parse(a)
	y, errY := pep440.Parse(b)
	switch {
	case errX == nil && errY == nil:
		return x.Compare(y)
	case errX != nil && errY != nil:
		return strings.Compare(a, b)
	case errX != nil:
		return -1
	}
	return 1
}

// Code is text as a code span of Markdown, in one line, that nothing in it can
// close.
func Code(text string) string {
	text = Squeeze(text)
	tick := "`"
	for strings.Contains(text, tick) {
		tick += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	return tick + text + tick
}

// Count says how many there are of something, as in "3 runs".
func Count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
