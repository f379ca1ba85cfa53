package report

import (
	"fmt"

	"github.com/scrub-dev/scrub/internal/casefile"
)

// HowToDecide is the command that answers what a case waits for.
func HowToDecide(c casefile.Case, source string) string {
	if c.Triage != nil {
		return fmt.Sprintf("to run it anyway, use scrub issue %s --ignore-rule %s", source, c.Triage.Rule)
	}
	if len(c.Asked) > 0 {
		last := c.Asked[len(c.Asked)-1].Tally.Outcomes
		expect := last[len(last)-1].Symptom().Expect()
		if expect == "" {
			expect = "ERROR"
		}
		return fmt.Sprintf("if that is the reported failure, run scrub issue %s --expect %q", source, expect)
	}
	return fmt.Sprintf("scrub show %s shows the program; run scrub decide %s proceed (or skip), then the same "+
		"command again", c.ID(), c.Repro.Digest())
}
