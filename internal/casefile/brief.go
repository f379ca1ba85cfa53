package casefile

import (
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/similar"
)

// A Brief is what lists show of a case.
type Brief struct {
	Repo      string    `json:"repo,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	Component string    `json:"component,omitempty"`
	Failure   string    `json:"failure,omitempty"` // what the report says goes wrong
	Group     string    `json:"group,omitempty"`   // what cases about the same bug have in common, as it was measured
	Labels    []string  `json:"labels,omitempty"`
	Author    string    `json:"author,omitempty"`
	Opened    time.Time `json:"opened,omitzero"`
	Certainty float64   `json:"certainty,omitempty"`
	Waits     Question  `json:"waits,omitempty"` // what a person must answer before more can be said
}

// A Question is what a case waits for.
type Question string

const (
	MayRun    Question = "may this program run?"
	IsFailure Question = "is this the reported failure?"
)

// Brief is what lists show of c.
func (c Case) Brief() Brief {
	verdict, reason := c.Verdict()
	b := Brief{Repo: c.Report.Ref.Place(), Reason: bug.Short(bug.Squeeze(reason), 240), Labels: c.Report.Labels,
		Author: c.Report.Author, Opened: c.Report.Created, Certainty: c.Certainty()}
	if c.Why != nil {
		b.Component = c.Why.Component
	}
	if one, ok := c.Alike(0); ok {
		b.Group = bug.Short(similar.Name(one), 120)
	}
	if c.Symptom.Kind != bug.Unsaid {
		b.Failure = bug.Short(bug.Squeeze(c.Symptom.String()), 120)
	}
	if verdict == NeedsDecision {
		b.Waits = MayRun
		if len(c.Asked) > 0 {
			b.Waits = IsFailure
		}
	}
	return b
}

// Certainty says how far the verdict can be relied on, from 0 to 1: the probability that was
// fitted for what was observed, or else how probable it is that one more run would say the same,
// by the rule of succession. What was not run is not certain.
func (c Case) Certainty() float64 {
	verdict, _ := c.Verdict()
	if len(c.Asked) == 0 || slices.Contains([]Verdict{NeedsDecision, NeedsInfo, Unsure, CannotRun}, verdict) {
		return 0
	}
	if c.Observed != nil && c.Observed.Judged != nil && c.Confirmed() {
		return c.Observed.Judged.Probability
	}
	last := c.Asked[len(c.Asked)-1].Tally
	agree := max(last.Yes, last.No)
	if verdict == Flaky {
		agree = last.Yes + last.No // that it is not always the same has been seen
	}
	return float64(agree+1) / float64(last.Runs()+2)
}

// Failing is the failure that a person is asked about, for their answer to be known by: of this program, with these
// words. It is false where nobody is asked.
func (c Case) Failing() (digest string, ok bool) {
	if c.Brief().Waits != IsFailure {
		return "", false
	}
	last := c.Asked[len(c.Asked)-1].Tally.Outcomes
	return bug.Digest(struct{ Program, Failure string }{c.Repro.Digest(), last[len(last)-1].Symptom().Expect()}), true
}
