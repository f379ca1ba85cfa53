package textpass

import (
	"regexp"

	"github.com/scrub-dev/scrub/internal/reduce"
)

// quoted is a text of several lines, as Python writes it.
var quoted = regexp.MustCompile(`(?s)"""(.*?)"""|'''(.*?)'''`)

// Quoted takes lines out of texts of several lines, halves first: that is mostly data, and less of it makes all that
// is done with it shorter.
var Quoted = text("lines of texts", func(s source, yield func(reduce.Edit) bool) bool {
	for _, m := range quoted.FindAllStringSubmatchIndex(s.text, -1) {
		from, to := max(m[2], m[4]), max(m[3], m[5])
		starts := []int{from}
		for i := from; i < to; i++ {
			if s.text[i] == '\n' {
				starts = append(starts, i+1)
			}
		}
		starts = append(starts, to)
		n := len(starts) - 1
		for size := n / 2; size >= 1 && n >= 3; size /= 2 {
			for end := n; end > 0; end -= size {
				if !yield(reduce.Edit{s.edit(starts[max(0, end-size)], starts[end], "")}) {
					return false
				}
			}
		}
	}
	return true
})
