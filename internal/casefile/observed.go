package casefile

import (
	"fmt"
	"strings"

	"scrub/internal/bug"
	"scrub/internal/judge"
	"scrub/internal/mention"
	"scrub/internal/observe"
)

// Observed is what the programs of a report showed as one session, on the oldest
// version and on the newest.
type Observed struct {
	Statements int           `json:"statements"`
	Older      judge.Showing `json:"older"` // what each of them shows of what the report shows
	Newer      judge.Showing `json:"newer"`
	Clues      []judge.Clue  `json:"clues,omitempty"` // statements that differ
	Judged     *Judged       `json:"judged,omitempty"`
}

// Judged is the clue that the report most likely is about.
type Judged struct {
	Clue        judge.Clue   `json:"clue"`
	Probability float64      `json:"probability"`     // that it is, and that its change is a fix
	Quote       *mention.Hit `json:"quote,omitempty"` // of the report, that decides
	OfOlder     bool         `json:"of_older"`        // the quote is of what the older version shows
	Fixed       bool         `json:"fixed"`           // it is sure enough to say so
}

// judged derives the verdict from the clue that was chosen, where the runs of
// its program confirm it.
func (c Case) judged() (Verdict, string, bool) {
	if c.Observed == nil || c.Observed.Judged == nil || len(c.Asked) < 2 {
		return "", "", false
	}
	j := *c.Observed.Judged
	first, last := c.Asked[0], c.Asked[len(c.Asked)-1]
	if first.Tally.Yes < first.Tally.Runs() || last.Tally.Yes > 0 || last.Tally.No == 0 {
		return "", "", false
	}
	what := fmt.Sprintf("On %s `%s` %s, on %s it %s", c.Where(first), bug.Short(firstLine(j.Clue.Text), 100),
		does(j.Clue.Older, "finishes silently"), c.Where(last), does(j.Clue.Newer, "finishes silently"))
	if !j.Fixed {
		return Changed, fmt.Sprintf("%s; the report does not say clearly enough that it is about this (probability %.0f %%).",
			what, 100*j.Probability), true
	}
	if j.Quote != nil {
		as := "what the report describes"
		if !j.OfOlder {
			as = "what the report asks for"
		}
		what += fmt.Sprintf("; %s: %q", as, bug.Short(j.Quote.Quote, 120))
	}
	return Fixed, fmt.Sprintf("%s (probability %.0f %%).", what, 100*j.Probability), true
}

// does says what a statement did.
func does(t observe.Thing, silent string) string {
	switch t.Kind {
	case observe.Exception:
		return "raises " + bug.Short(firstLine(t.Text()), 200)
	case observe.Value, observe.Printed, observe.Warning:
		return fmt.Sprintf("gives %q", bug.Short(strings.TrimSpace(t.Text()), 200))
	case observe.Set:
		return fmt.Sprintf("assigns %q", bug.Short(strings.TrimSpace(t.Text()), 200))
	case observe.TooSlow:
		return "does not finish"
	case observe.Death:
		return "crashes (" + t.Class + ")"
	}
	return silent
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return first
}
