package action

import (
	"regexp"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
)

// said is what people can tell scrub in a thread.
var said = regexp.MustCompile(`(?m)^\s*/scrub (recheck|wrong)\b`)

// SaidIn is the last thing that somebody told scrub in the thread, behind
// the last comment of its own.
func SaidIn(r bug.Report) string {
	last := ""
	for _, c := range r.Comments {
		if c.Own {
			last = ""
			continue
		}
		if m := said.FindStringSubmatch(c.Body); m != nil {
			last = m[1]
		}
	}
	return last
}

// Others are the comments that are not scrub's own.
func Others(all []bug.Comment) []bug.Comment {
	return slices.DeleteFunc(slices.Clone(all), func(c bug.Comment) bool { return c.Own })
}
