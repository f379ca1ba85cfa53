package textpass

import (
	"iter"
	"maps"
	"regexp"
	"slices"

	"github.com/scrub-dev/scrub/internal/reduce"
)

// A Swap is a plainer way to write something.
type Swap struct {
	From *regexp.Regexp
	To   string
}

// Simpler writes things in the plainer ways that a project knows, one place at a time.
func Simpler(swaps []Swap) reduce.Pass {
	return reduce.Pass{Name: "plainer ways", Tier: 1, Propose: func(p reduce.Program) iter.Seq[reduce.Edit] {
		return func(yield func(reduce.Edit) bool) {
			for _, name := range slices.Sorted(maps.Keys(p.Files)) {
				for _, s := range swaps {
					if !s.propose(name, p.Files[name], yield) {
						return
					}
				}
			}
		}
	}}
}

func (s Swap) propose(name, text string, yield func(reduce.Edit) bool) bool {
	for _, m := range s.From.FindAllStringSubmatchIndex(text, -1) {
		with := string(s.From.ExpandString(nil, s.To, text, m))
		if with != text[m[0]:m[1]] && !yield(reduce.Edit{{File: name, Start: m[0], End: m[1], With: with}}) {
			return false
		}
	}
	return true
}
