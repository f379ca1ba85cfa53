package casefile

import (
	"fmt"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/similar"
)

// Alike is what finding those that are alike needs to know of a case, by a number; false if
// its program showed nothing.
func (c Case) Alike(n int64) (similar.Case, bool) {
	for _, a := range slices.Backward(c.Asked) {
		if !a.Shows() {
			continue
		}
		for _, o := range slices.Backward(a.Tally.Outcomes) {
			if c.Symptom.In(o) == bug.Yes || c.Symptom.Like(o) {
				return similar.Case{N: n, Package: c.Package, Version: a.Runtime.Packages[c.Package],
					Symptom: c.Symptom, Outcome: o, Fix: c.changedBy(bug.No),
					Cause: c.changedBy(bug.Yes), Size: len(c.Repro.Files[bug.Script])}, true
			}
		}
	}
	return similar.Case{}, false
}

// changedBy is the one change that is known to have fixed it, or to have brought it.
func (c Case) changedBy(is bug.Answer) string {
	if c.When == nil || c.When.Found.Found == nil || (c.When.Found.Found.Is == bug.Yes) != (is == bug.Yes) {
		return ""
	}
	s, ok := c.When.Culprit()
	switch {
	case !ok:
		return ""
	case s.Pull != 0:
		return fmt.Sprintf("#%d", s.Pull)
	}
	return s.Commit.ID
}
