package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// signed says who wrote a comment and how to object.
const signed = "(Measured by scrub. Comment `/scrub recheck` to run it again, or `/scrub wrong` to object.)"

// Comment is the short comment for the people on the issue. Only what was
// measured, and is new to them, is worth their time.
func Comment(c casefile.Case) string {
	verdict, _ := c.Verdict()
	if len(c.Asked) == 0 {
		return ""
	}
	newest := c.Asked[len(c.Asked)-1]
	where := c.Where(newest)
	if c.Modified != nil {
		where += ", with a modified program"
	}
	if len(newest.Mends) > 0 {
		changes := "one change"
		if n := len(newest.Mends); n > 1 {
			changes = fmt.Sprintf("%d changes", n)
		}
		where += fmt.Sprintf(" (after %s: %s)", changes, newest.Mends[0].Name)
	}
	d := &draft{public: true}
	switch verdict {
	case casefile.Reproduces:
		fmt.Fprintf(d, "This issue still reproduces on %s.\n\n", where)
	case casefile.Flaky:
		fmt.Fprintf(d, "This issue still reproduces on %s, in %d of %d runs.\n\n", where, newest.Tally.Yes,
			newest.Tally.Runs())
	case casefile.Fixed:
		fmt.Fprintf(d, "This issue no longer reproduces on %s.\n\n", where)
	case casefile.DoesNotReproduce:
		fmt.Fprintf(d, "This issue does not reproduce on %s.\n\n", where)
	default:
		return ""
	}
	changed(d, c)
	if verdict != casefile.Fixed {
		smaller(d, c)
	}
	d.own(signed)
	return d.String()
}

// changed says since when, and by which pull request, as far as it is known.
func changed(d *draft, c casefile.Case) {
	w := c.When
	if w == nil || w.Found.Found == nil {
		return
	}
	if _, _, ok := w.Exact(); ok {
		fmt.Fprintf(d, "%s\n\n", w.Words())
	}
	if len(w.Suspects) == 0 || w.Suspects[0].Pull == 0 {
		return
	}
	verdict, _ := c.Verdict()
	did := "fixed"
	if verdict != casefile.Fixed {
		did = "introduced"
	}
	first, sure := w.Culprit()
	if sure {
		d.own(fmt.Sprintf("It was %s by #%d.\n\n", did, first.Pull))
		return
	}
	d.own(fmt.Sprintf("It was possibly %s by #%d (not verified).\n\n", did, first.Pull))
}

// smaller is the smallest program, if it is much smaller than the one in the
// thread, and what is necessary to trigger the bug.
func smaller(d *draft, c casefile.Case) {
	s := c.Small
	if s == nil || !s.Verified || 4*s.After.Tokens > 3*s.Before.Tokens {
		return
	}
	if c.SmallFrom != "" {
		fmt.Fprintf(d, "Minimized repro, from %s, which seems to be the same bug:\n\n", c.SmallFrom)
	} else {
		d.own("Minimized repro:\n\n")
	}
	d.fence("python", s.Program)
	d.own("\n")
	triggers := s.Triggers(c.Repro.Files[bug.Script])
	for _, t := range triggers {
		if strings.HasPrefix(t, "needs no ") {
			fmt.Fprintf(d, "It %s.\n\n", t)
		}
	}
	triggers = slices.DeleteFunc(triggers, func(t string) bool { return strings.HasPrefix(t, "needs no ") })
	if len(triggers) > 0 {
		fmt.Fprintf(d, "All of the following are necessary to trigger the bug:\n\n- %s\n\n",
			strings.Join(triggers, "\n- "))
	}
}
