package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"scrub/internal/bug"
	"scrub/internal/casefile"
)

// signed says who wrote a comment and how to object.
const signed = "(Measured by scrub. `/scrub recheck` in a comment has it looked at again; `/scrub wrong` objects.)"

// comment is the short comment for the people on the issue. Only what was
// measured, and is new to them, is worth their time.
func comment(c casefile.Case) string {
	verdict, _ := c.Verdict()
	if len(c.Asked) == 0 {
		return ""
	}
	newest := c.Asked[len(c.Asked)-1]
	where := c.Where(newest)
	if c.Tamed != nil {
		where += ", with a changed program"
	}
	if len(newest.Mends) > 0 {
		where += fmt.Sprintf(" (after %s: %s)", count(len(newest.Mends), "change"), newest.Mends[0].Name)
	}
	var parts []string
	switch verdict {
	case casefile.Reproduces:
		parts = append(parts, fmt.Sprintf("This issue still reproduces on %s.", where))
	case casefile.Flaky:
		parts = append(parts, fmt.Sprintf("This issue still reproduces on %s, in %d of %d runs.", where, newest.Tally.Yes, newest.Tally.Runs()))
	case casefile.Fixed:
		parts = append(parts, fmt.Sprintf("This issue no longer reproduces on %s.", where))
	case casefile.DoesNotReproduce:
		parts = append(parts, fmt.Sprintf("This issue does not reproduce on %s.", where))
	default:
		return ""
	}
	parts = append(parts, changed(c)...)
	if verdict != casefile.Fixed {
		parts = append(parts, smaller(c)...)
	}
	return strings.Join(append(parts, signed), "\n\n")
}

// changed says since when, and by which pull request, as far as it is known.
func changed(c casefile.Case) []string {
	w := c.When
	if w == nil || w.Found.Found == nil {
		return nil
	}
	var parts []string
	if _, _, ok := w.Exact(); ok {
		parts = append(parts, w.Words())
	}
	if len(w.Suspects) == 0 || w.Suspects[0].Pull == 0 {
		return parts
	}
	verdict, _ := c.Verdict()
	did := "Fixed"
	if verdict != casefile.Fixed {
		did = "Brought"
	}
	first, sure := w.Culprit()
	if sure {
		return append(parts, fmt.Sprintf("%s by #%d.", did, first.Pull))
	}
	return append(parts, fmt.Sprintf("%s perhaps by #%d; that was not measured.", did, first.Pull))
}

// smaller is the smallest program, if it is much smaller than the one in the
// thread, and what is necessary to trigger the bug.
func smaller(c casefile.Case) []string {
	s := c.Small
	if s == nil || !s.Verified || 4*s.After.Tokens > 3*s.Before.Tokens {
		return nil
	}
	parts := []string{"Minimized repro:\n\n```python\n" + strings.TrimRight(s.Program, "\n") + "\n```"}
	triggers := s.Triggers(c.Repro.Files[bug.Script])
	for _, t := range triggers {
		if strings.HasPrefix(t, "needs no ") {
			parts = append(parts, "It "+t+".")
		}
	}
	if triggers = slices.DeleteFunc(triggers, func(t string) bool { return strings.HasPrefix(t, "needs no ") }); len(triggers) > 0 {
		parts = append(parts, "All of the following are necessary to trigger the bug:\n\n- "+strings.Join(triggers, "\n- "))
	}
	return parts
}
