package report

import (
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// HowToDecide is the command that answers what a case waits for. Flags are those
// that the commands need to be about the same: where the state is, and the forge.
func HowToDecide(c casefile.Case, source string, flags ...string) string {
	again := func(words ...string) string {
		return Shell(append(append([]string{"scrub", "issue", source}, flags...), words...)...)
	}
	if c.Triage != nil {
		return "to run it anyway, use: " + again("--ignore-rule", c.Triage.Rule)
	}
	if len(c.Asked) > 0 && c.Consent.Decision == casefile.Proceed {
		last := c.Asked[len(c.Asked)-1].Tally.Outcomes
		expect := last[len(last)-1].Symptom().Expect()
		if expect == "" {
			expect = "ERROR"
		}
		return fmt.Sprintf("if that is the reported failure, run: %s; if not: %s",
			again("--expect", bug.Squeeze(Clean(expect))),
			Shell(append([]string{"scrub", "decide", c.ID(), "not-this"}, stateOf(flags)...)...))
	}
	state := stateOf(flags)
	return fmt.Sprintf("%s shows the program; run %s (or skip), then the same command again",
		Shell(append([]string{"scrub", "show", c.ID()}, state...)...), HowToAllow(c.Repro, flags...))
}

// HowToAllow is the command that lets a program run.
func HowToAllow(r bug.Repro, flags ...string) string {
	return Shell(append([]string{"scrub", "decide", r.Digest(), "proceed"}, stateOf(flags)...)...)
}

// stateOf are the flags that say where the state is.
func stateOf(flags []string) []string {
	for i, f := range flags {
		if f == "--state" && i+1 < len(flags) {
			return flags[i : i+2]
		}
	}
	return nil
}
