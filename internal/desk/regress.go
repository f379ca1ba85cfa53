package desk

import (
	"context"
	"github.com/scrub-dev/scrub/internal/refusal"
	"os"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/regress"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A RegressRequest is a report to write a regression test for.
type RegressRequest struct {
	IssueRequest
	Into string `json:"into,omitempty"` // a work tree of the project to put the test into
}

// A Regression is a test for a bug and what was measured of it.
type Regression struct {
	Schema string `json:"schema"`
	casefile.Regression
	Marks []regress.Mark `json:"stale_marks,omitempty"` // of the project that can go
	File  string         `json:"file,omitempty"`        // where it was put
}

// Regress writes a regression test that was seen to fail with the bug and to
// pass without it.
func (d *Desk) Regress(ctx context.Context, r RegressRequest) (Regression, error) {
	r.Test = true
	if r.Into != "" {
		if st, err := os.Stat(r.Into); err != nil || !st.IsDir() {
			return Regression{}, refusal.Bad("--into %s: want the folder of a work tree", r.Into)
		}
		r.Checkout = r.Into
	}
	c, err := d.take(ctx, r.IssueRequest)
	if err != nil {
		return Regression{}, err
	}
	answer := Regression{Schema: "regress/1", Marks: c.Marks}
	switch verdict, reason := c.Verdict(); {
	case verdict == casefile.NeedsDecision:
		return answer, refusal.Wait("a person must decide: %s", d.HowToDecide(answerCase(c), r.Source))
	case c.Regression == nil:
		return answer, refusal.None("no test: %s", reason)
	}
	answer.Regression = *c.Regression
	if !c.Regression.Proven {
		return answer, refusal.None("no test: %s", c.Regression.Why)
	}
	if r.Into != "" {
		answer.File, err = d.putInto(ctx, r, c)
	}
	return answer, err
}

// putInto puts the test of c where it belongs in a work tree. What is there
// already stays.
func (d *Desk) putInto(ctx context.Context, r RegressRequest, c casefile.Case) (string, error) {
	prof, err := project.For(r.Profile, c.Report.Ref.Repo)
	if err != nil {
		return "", err
	}
	component := ""
	if c.Why != nil {
		component = c.Why.Component
	}
	place := prof.Test.PlaceFor(component)
	box, err := d.Machine.Box(r.Box)
	if err != nil {
		return "", err
	}
	parser, err := d.Machine.Parser(ctx, r.Box, c.Asked[len(c.Asked)-1].Runtime)
	if err != nil {
		return "", err
	}
	return c.Regression.Test.Put(ctx, r.Into, place, sandbox.Tool(box, parser))
}
