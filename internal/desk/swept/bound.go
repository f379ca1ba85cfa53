package swept

import (
	"fmt"
	"slices"
	"strings"

	"scrub/internal/bug"
)

// A forge cuts a post at 64 KiB. Of what is longer the middle is left out, as of
// a thread that never ends: what one report may take is not for its author to say.
const (
	mostText     = 128 << 10
	mostTotal    = 512 << 10
	mostComments = 500
	mostTitle    = 1 << 10
)

// bounded is a report of which as much is kept as anybody would read.
func bounded(r bug.Report) bug.Report {
	r.Title, r.Body = short(r.Title, mostTitle), short(r.Body, mostText)
	all := slices.Clone(r.Comments)
	if n := len(all); n > mostComments {
		all = slices.Concat(all[:mostComments/2], all[n-mostComments/2:])
	}
	left := mostTotal - len(r.Title) - len(r.Body)
	for i := range all {
		all[i].Body = short(all[i].Body, min(mostText, max(left, 0)))
		left -= len(all[i].Body)
	}
	r.Comments = all
	return r
}

// short is a text without its middle, if it is longer than most.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := strings.ToValidUTF8(s[:most/2], ""), strings.ToValidUTF8(s[len(s)-most/2:], "")
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", head, len(s)-len(head)-len(tail), tail)
}
