package casefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/judge"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
)

// Observed is what the programs of a report showed as one session, on the oldest
// version and on the newest.
type Observed struct {
	Statements int           `json:"statements"`
	Older      judge.Showing `json:"older"` // what each of them shows of what the report shows
	Newer      judge.Showing `json:"newer"`
	Clues      []judge.Clue  `json:"clues,omitempty"` // statements that differ
	Judged     *Judged       `json:"judged,omitempty"`
	Ways       *Ways         `json:"ways,omitempty"`
	// Agree names two ways to run it that do the same, if the report is about a difference between them.
	Agree   string   `json:"agree,omitempty"`
	Missing []string `json:"missing,omitempty"` // modules whose absence stopped a statement
	Modes   []Mode   `json:"other_failures,omitempty"`
}

// A Mode is another failure that the report tells of and that only the older version shows.
type Mode struct {
	Program string      `json:"program"`
	Symptom bug.Symptom `json:"symptom"`
}

// Ways is a statement that shows on the newest version one thing in a special way
// to run it, and another in a plain one.
type Ways struct {
	Plain   string      `json:"plain"` // what the two are called
	Special string      `json:"special"`
	Clue    judge.Clue  `json:"clue"` // its older side is what the special way shows
	Quote   mention.Hit `json:"quote"`
}

func (w Ways) String() string {
	return fmt.Sprintf("%s, `%s` %s; when %s, it %s", w.Special, bug.Short(firstLine(w.Clue.Text), 100), does(w.Clue.Older), w.Plain,
		does(w.Clue.Newer))
}

// ways says what a plain way to run it shows in place of what was reported.
func (c Case) ways() string {
	if c.Observed == nil || c.Observed.Ways == nil || c.SymptomFrom != Observing {
		return ""
	}
	w := c.Observed.Ways
	return fmt.Sprintf(" When %s; the report: %s.", w.String(), bug.Quoted(bug.Short(w.Quote.Quote, 120)))
}

// Judged is the clue that the report most likely is about.
type Judged struct {
	Clue        judge.Clue   `json:"clue"`
	Probability float64      `json:"probability"`     // that it is, and that its change is a fix
	Quote       *mention.Hit `json:"quote,omitempty"` // of the report, that decides
	OfOlder     bool         `json:"of_older"`        // the quote is of what the older version shows
	Fixed       bool         `json:"fixed"`           // it is sure enough to say so
}

// Observing is where a symptom is from that no words had to name.
const Observing = "what was observed"

// Confirmed reports whether the runs of its own show what observing a statement
// showed: always on the oldest version, and never on the newest if it changed there.
func (c Case) Confirmed() bool {
	if len(c.Asked) == 0 || c.SymptomFrom != Observing {
		return false
	}
	first, last := c.Asked[0].Tally, c.Asked[len(c.Asked)-1].Tally
	if c.Observed.Judged == nil {
		return last.Yes > 0
	}
	return len(c.Asked) > 1 && first.Yes == first.Runs() && last.Yes == 0 && last.No > 0
}

// Lacks are the modules that would have to be installed to say more.
func (c Case) Lacks() []string {
	if c.Reading != nil && len(c.Reading.Missing) > 0 {
		return c.Reading.Missing
	}
	verdict, _ := c.Verdict()
	if c.Observed == nil || slices.Contains([]Verdict{Fixed, Reproduces, Flaky}, verdict) {
		return nil
	}
	return c.Observed.Missing
}

// judged derives the verdict from the clue that was chosen, where the runs of
// its program confirm it.
func (c Case) judged() (Verdict, string, bool) {
	if c.Observed == nil || c.Observed.Judged == nil || !c.Confirmed() {
		return "", "", false
	}
	j := *c.Observed.Judged
	first, last := c.Asked[0], c.Asked[len(c.Asked)-1]
	what := fmt.Sprintf("On %s `%s` %s, on %s it %s", c.Where(first), bug.Short(firstLine(j.Clue.Text), 100),
		does(j.Clue.Older), c.Where(last), does(j.Clue.Newer))
	if !j.Fixed {
		return Changed, fmt.Sprintf("%s; the report does not say clearly enough that it is about this (probability %.0f %%).",
			what, 100*j.Probability), true
	}
	if j.Quote != nil {
		as := "what the report describes"
		if !j.OfOlder {
			as = "what the report asks for"
		}
		what += fmt.Sprintf("; %s: %s", as, bug.Quoted(bug.Short(j.Quote.Quote, 120)))
	}
	return Fixed, fmt.Sprintf("%s (probability %.0f %%).", what, 100*j.Probability), true
}

// kept is o without most of what is long: what follows from it has been derived.
func (o Observed) kept() *Observed {
	const most = 10
	o.Clues = slices.Clone(o.Clues[:min(most, len(o.Clues))])
	for i, c := range o.Clues {
		o.Clues[i] = short(c)
	}
	if o.Ways != nil {
		w := *o.Ways
		w.Clue = short(w.Clue)
		o.Ways = &w
	}
	if o.Judged != nil {
		j := *o.Judged
		j.Clue = short(j.Clue)
		o.Judged = &j
	}
	return &o
}

// short is a clue with the usual way to show each of its sides, cut.
func short(c judge.Clue) judge.Clue {
	const most = 500
	for _, t := range []*observe.Thing{&c.Older, &c.Newer} {
		if len(t.Texts) > 0 {
			t.Texts = []string{bug.Short(t.Texts[0], most)}
		}
	}
	return c
}

// does says what a statement did.
func does(t observe.Thing) string {
	switch t.Kind {
	case observe.Exception:
		return "raises " + bug.Short(firstLine(t.Text()), 200)
	case observe.Value, observe.Printed, observe.Warning:
		return "gives " + bug.Quoted(bug.Short(strings.TrimSpace(t.Text()), 200))
	case observe.Set:
		return "assigns " + bug.Quoted(bug.Short(strings.TrimSpace(t.Text()), 200))
	case observe.TooSlow:
		return "does not finish"
	case observe.Death:
		return "crashes (" + t.Class + ")"
	}
	return "finishes silently"
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return first
}
