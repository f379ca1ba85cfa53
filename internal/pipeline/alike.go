package pipeline

import (
	"context"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/reduce"
)

// among are the numbers of the versions between which another case's bug came or went.
func (a *Alike) among(names []string) []int {
	if a == nil {
		return nil
	}
	var all []int
	for _, v := range a.Versions {
		if i := slices.Index(names, v); i >= 0 {
			all = append(all, i)
		}
	}
	return all
}

// sameAnswer asks each version whether it does what it does for a case that is
// alike, and reports whether all do. Then there is nothing else to find out. That
// a version shows the bug is seen in one run; that it does not, in as many as ever,
// or where the search goes on, on the version that fixed it as well.
func (p *Pipeline) sameAnswer(ctx context.Context, c *casefile.Case) (bool, error) {
	if p.Alike == nil || p.Alike.Steady == nil || c.Symptom.Kind != bug.Raises {
		return false, nil
	}
	once := *p
	once.Times = 1
	if err := once.measure(ctx, c); err != nil {
		return false, err
	}
	for i, a := range c.Asked {
		if a.Tally.Yes > 0 || len(a.Mends) > 0 || p.Alike.Further {
			continue
		}
		sure, err := p.askOn(ctx, c.Subject, a.Runtime, a.Setting)
		if err != nil {
			return false, err
		}
		c.Asked[i] = sure
	}
	verdict, _ := c.Verdict()
	still := verdict == casefile.Reproduces
	return (still || verdict == casefile.Fixed) && still == p.Alike.Still && sameOperation(*c, *p.Alike.Steady), nil
}

// sameSmall takes the smallest program of a case that is alike, if it shows what
// this one shows: the same symptom out of the same operation, where this one does,
// and not where this one does not.
func (p *Pipeline) sameSmall(ctx context.Context, c *casefile.Case, on bug.Runtime,
	passesOn *bug.Runtime) (bool, error) {
	if p.Alike == nil || p.Alike.Program == "" {
		return false, nil
	}
	prober := probe.Prober{Box: p.Box, Log: p.Log, Round: p.Round}
	ask := func(r bug.Runtime, times int) (probe.Tally, error) {
		return prober.Ask(ctx, probe.Question{Repro: bug.Program(p.Alike.Program), Runtime: r, Symptom: c.Symptom,
			Limits: p.Limits, Times: times})
	}
	t, err := ask(on, 1)
	if err != nil || t.Yes != t.Runs() || !sameOperation(*c, t.Outcomes[0]) {
		return false, err
	}
	if passesOn != nil {
		if other, err := ask(*passesOn, 1); err != nil || other.Outcomes[0].Failed() {
			return false, err
		}
	}
	c.SmallFrom = p.Alike.Case
	c.Small = &minimize.Small{Before: reduce.SizeOf(c.Repro.Files), After: reduce.SizeOf(bug.Files{"": p.Alike.Program}),
		Runs: t.Runs(), Symptom: c.Symptom, Program: p.Alike.Program, Verified: true}
	p.found("small", "the program of %s shows it: %s", p.Alike.Case, bug.Count(c.Small.After.Lines, "line"))
	return true, nil
}

// sameOperation reports whether a run failed in the operation in which the
// program of a case fails.
func sameOperation(c casefile.Case, o bug.Outcome) bool {
	e, raised := o.Exception()
	for _, a := range slices.Backward(c.Asked) {
		if a.Tally.Yes == 0 {
			continue
		}
		own, ok := a.Tally.Outcomes[len(a.Tally.Outcomes)-1].Exception()
		return ok == raised && (!ok || own.SameOperation(e))
	}
	return false
}
