// Package prove writes regression tests and measures them: one that is not seen to
// fail with the bug, and to pass without it, is not offered.
package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/regress"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Prover writes tests in the style of a project.
type Prover struct {
	Profile  profile.Profile
	Box      sandbox.Box
	Log      journal.Log
	Parser   func(ctx context.Context, r bug.Runtime) (bug.Runtime, error) // that can take apart what r runs; nil for r
	Limits   sandbox.Limits
	Times    int
	Round    string
	Expected bool // also for a bug that is still there, marked as expected to fail
	Tell     event.Listener
}

func (p Prover) prober() *probe.Prober { return &probe.Prober{Box: p.Box, Log: p.Log, Round: p.Round} }

func (p Prover) begin(text string) { p.Tell(event.Event{Step: "test", State: event.Going, Text: text}) }

func (p Prover) found(form string, args ...any) {
	p.Tell(event.Event{Step: "test", State: event.Found, Text: fmt.Sprintf(form, args...)})
}

// Test writes a regression test for the bug of c and measures it: it must
// fail on the last version with the bug, for the same reason, and pass on
// the first without it, or on fixed. Other failures that the report tells of
// and that are gone as well get a test each.
func (p Prover) Test(ctx context.Context, c casefile.Case, fixed *bug.Runtime) (casefile.Regression, error) {
	first, err := p.one(ctx, c, fixed, 1)
	r := casefile.Regression{Proof: first}
	if err != nil || !r.Proven || r.Expected || c.Observed == nil {
		return r, err
	}
	for i, m := range c.Observed.Modes {
		other := c
		other.Repro, other.Symptom, other.Small = bug.Program(m.Program), m.Symptom, nil
		proof, err := p.one(ctx, other, fixed, i+2)
		if err != nil {
			return r, err
		}
		if proof.Proven {
			r.Others = append(r.Others, proof)
		}
	}
	return r, nil
}

// one is the nth test of a case.
func (p Prover) one(ctx context.Context, c casefile.Case, fixed *bug.Runtime, n int) (casefile.Proof, error) {
	bad, good, why := sides(c, fixed)
	if last := len(c.Asked) - 1; why != "" && p.Expected && last >= 0 && c.Asked[last].Tally.Yes > 0 {
		return p.expected(ctx, c, c.Asked[last], n)
	}
	if why != "" {
		return casefile.Proof{Why: why}, nil
	}
	r := casefile.Proof{Bad: c.Where(bad), Good: c.Where(good), Runs: p.Times}
	p.begin("writing a test")
	test, err := p.write(ctx, c, bad.Runtime, good.Runtime, n)
	if err != nil {
		if ctx.Err() != nil {
			return r, err
		}
		r.Why = err.Error() + "."
		return r, nil
	}
	r.Test, r.Place = test, p.place(c, test)
	if err := p.prove(ctx, c, &r, bad.Runtime, good.Runtime); err != nil {
		return r, err
	}
	if !r.Proven {
		r.Test, r.Place = regress.Test{}, ""
	}
	p.found("%s", testWords(r))
	return r, nil
}

// expected writes a test for a bug that is still there: it must fail for the reported reason, and be
// content as soon as it is marked as a test that does.
func (p Prover) expected(ctx context.Context, c casefile.Case, bad casefile.Asked,
	n int) (casefile.Proof, error) {
	r := casefile.Proof{Bad: c.Where(bad), Runs: p.Times, Expected: true}
	if c.Symptom.InOutput() {
		r.Why = "What it should print instead is not known, so there is nothing to assert."
		return r, nil
	}
	test, err := p.write(ctx, c, bad.Runtime, bad.Runtime, n)
	if err != nil {
		r.Why = err.Error() + "."
		return r, ctx.Err()
	}
	q := probe.Question{Repro: test.Run, Runtime: bad.Runtime, Symptom: c.Symptom, Limits: p.Limits, Times: p.Times}
	p.begin("the test on " + r.Bad)
	t, err := p.prober().Ask(ctx, q)
	if err != nil {
		return r, err
	}
	r.Fails, r.Runs = t.Outcomes[0].Words(), t.Runs()
	marked, ok := test.Marked(p.Profile.Test)
	switch {
	case t.Yes != t.Runs():
		r.Why = fmt.Sprintf("On %s the test %s, which is not always the reported failure.", r.Bad, r.Fails)
		return r, nil
	case !ok:
		r.Why = "The profile does not say how a test is marked that is expected to fail."
		return r, nil
	}
	if p.Profile.Test.Alone { // it knows its own marks
		o, err := p.prober().Once(ctx, marked.Run, bad.Runtime, p.Limits)
		if err != nil {
			return r, err
		}
		if o.Failed() {
			r.Why = fmt.Sprintf("Marked as expected to fail, the test %s.", o.Words())
			return r, nil
		}
	}
	r.Test, r.Proven, r.Place = marked, true, p.place(c, marked)
	p.found("fails on %s, and is marked as expected to", r.Bad)
	return r, nil
}

// place is the file of the project that a test of c belongs into.
func (p Prover) place(c casefile.Case, test regress.Test) string {
	component := ""
	if c.Why != nil {
		component = c.Why.Component
	}
	return test.At(p.Profile.Test.PlaceFor(component))
}

func testWords(r casefile.Proof) string {
	if !r.Proven {
		return r.Why
	}
	return fmt.Sprintf("fails on %s, passes on %s", r.Bad, r.Good)
}

// sides are the last version that shows the bug and the first that does not.
func sides(c casefile.Case, fixed *bug.Runtime) (bad, good casefile.Asked, why string) {
	last := -1
	for i, a := range c.Asked {
		if a.Tally.Yes > 0 {
			last = i
		}
	}
	// The report's own words can tell which of two outputs is the bug.
	if verdict, _ := c.Verdict(); last < 0 && verdict == casefile.Fixed {
		last = len(c.Asked) - 2
	}
	switch {
	case last < 0:
		_, reason := c.Verdict()
		return bad, good, "No tested version shows the bug, so no test can be shown to fail. " + reason
	case len(c.Asked[last].Mends) > 0:
		return bad, good, "The program had to be changed to run on the version with the bug."
	case fixed != nil:
		return c.Asked[last], casefile.Asked{Runtime: *fixed}, ""
	case last == len(c.Asked)-1:
		return bad, good, "Every tested version still has the bug, so no test can be shown to pass: name a fixed " +
			"interpreter with --fixed."
	case len(c.Asked[last+1].Mends) > 0:
		return bad, good, "The program had to be changed to run on the version without the bug."
	}
	return c.Asked[last], c.Asked[last+1], ""
}

// write writes the test, from the smallest program if there is one.
func (p Prover) write(ctx context.Context, c casefile.Case, bad, good bug.Runtime, n int) (regress.Test, error) {
	text := c.Repro.Files[bug.Script]
	if c.Small != nil && c.Small.Verified {
		text = c.Small.Program
	}
	parser := good
	if p.Parser != nil {
		var err error
		if parser, err = p.Parser(ctx, good); err != nil {
			return regress.Test{}, err
		}
	}
	parts, err := regress.Parts(ctx, text, sandbox.Tool(p.Box, parser))
	if err != nil {
		return regress.Test{}, err
	}
	b := regress.Bug{Title: c.Report.Title, Ref: c.Report.Ref, N: n, Parts: parts, InText: c.Symptom.InOutput(),
		Shown: c.Symptom.Before + "\n" + c.Symptom.Output, Wanted: c.Symptom.Wanted}
	if b.InText {
		for _, side := range []struct {
			on   bug.Runtime
			into *[]string
		}{{bad, &b.Bad}, {good, &b.Good}} {
			o, err := p.prober().Once(ctx, bug.Program(regress.Instrumented(parts)), side.on, p.Limits)
			if err != nil {
				return regress.Test{}, err
			}
			*side.into = regress.Printed(o.Stdout)
		}
	}
	return regress.Write(b, p.Profile.Test)
}

// prove runs the test on both sides.
func (p Prover) prove(ctx context.Context, c casefile.Case, r *casefile.Proof, bad, good bug.Runtime) error {
	q := probe.Question{Repro: r.Test.Run, Runtime: bad, Symptom: c.Symptom, Limits: p.Limits, Times: p.Times}
	p.begin("the test on " + r.Bad)
	before, err := p.prober().Ask(ctx, q)
	if err != nil {
		return err
	}
	q.Runtime = good
	p.begin("the test on " + r.Good)
	after, err := p.prober().Ask(ctx, q)
	if err != nil {
		return err
	}
	first := before.Outcomes[0]
	r.Fails, r.Runs = first.Words(), min(before.Runs(), after.Runs())
	fails := func(o bug.Outcome) bool { return showsIn(c.Symptom, o) }
	switch at := slices.IndexFunc(after.Outcomes, bug.Outcome.Failed); {
	case !slices.ContainsFunc(before.Outcomes, fails):
		r.Why = fmt.Sprintf("On %s, which has the bug, the test %s, which is not the reported failure.", r.Bad,
			first.Words())
	case slices.ContainsFunc(before.Outcomes, func(o bug.Outcome) bool { return !fails(o) }):
		r.Why = fmt.Sprintf("On %s the test fails only sometimes.", r.Bad)
	case at >= 0:
		r.Why = fmt.Sprintf("On %s, which does not have the bug, the test %s.", r.Good, after.Outcomes[at].Words())
	default:
		r.Proven = true
	}
	return nil
}

// showsIn reports whether a test failed because of a symptom. One of wrong
// values fails at an assertion about them.
func showsIn(s bug.Symptom, o bug.Outcome) bool {
	if !s.InOutput() {
		return s.In(o) == bug.Yes
	}
	e, failed := o.Exception()
	return failed && e.Name() == "AssertionError" && strings.HasPrefix(e.At(), "assert ")
}
