package swept

import (
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
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
	r.Title, r.Body = bug.Ends(r.Title, mostTitle), bug.Ends(r.Body, mostText)
	all := slices.Clone(r.Comments)
	if n := len(all); n > mostComments {
		all = slices.Concat(all[:mostComments/2], all[n-mostComments/2:])
	}
	left := mostTotal - len(r.Title) - len(r.Body)
	for i := range all {
		all[i].Body = bug.Ends(all[i].Body, min(mostText, max(left, 0)))
		left -= len(all[i].Body)
	}
	r.Comments = all
	return r
}
