// Package pipeline takes an issue through every step, from what people
// wrote to what scrub has to say about it.
package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/claim"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/guess"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/triage"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A Pipeline is wired up for the issues of a project. What is nil of its
// functions is a step that is left out.
type Pipeline struct {
	Profile    profile.Profile
	Package    string // that reports are about; empty to find out
	Box        sandbox.Box
	Log        journal.Log
	Runtimes   RuntimesFunc
	Newest     func(ctx context.Context) (string, error) // the newest release of the package
	Trusts     TrustFunc                                 // nil: nobody
	Decide     DecideFunc
	Said       SaidFunc
	History    HistoryFunc
	Commits    CommitsFunc
	Small      SmallFunc
	Ablate     AblateFunc
	Alike      *Alike // a case that seems to be about the same bug; nil for none
	Introduced bool   // look also for when a bug came that is still there
	Workers    int    // versions that are asked at once
	Test       bool   // write a regression test
	Expected   bool   // also for a bug that is still there, marked as expected to fail
	Parser     ParserFunc
	Fixed      *bug.Runtime              // where it must pass; nil for the first version without the bug
	Ignored    []string                  // triage rules that a person has set aside
	Modified   *casefile.ModifiedProgram // a person's version of the program, to run in its place
	Expect     *bug.Symptom              // what a person says goes wrong, in place of what the report says
	Guess      *guess.Guess              // what somebody made up for the report; nil for nothing
	Than       *casefile.Asked           // what a program is compared with that costs too much; nil for the oldest version
	Limits     sandbox.Limits
	Times      int
	Round      string
	Now        func() time.Time
	Tell       event.Listener
}

// Alike is what was found out about another case. It is tried before anything
// is searched for, and counts for nothing where it does not hold.
type Alike struct {
	Case     string   // what to call it
	Versions []string // between which its bug came or went
	Program  string   // the smallest that shows it
	// What a run showed that showed it, if every version did the same in each of
	// its runs, and whether the newest shows it. Nil if one did not.
	Steady *bug.Outcome
	Still  bool
	// Further is that the versions on both sides of its change will be asked, too.
	Further bool
}

type (
	// A RuntimesFunc finds the versions to ask, the oldest first, and which
	// versions of packages they have.
	RuntimesFunc func(ctx context.Context, packages []string) ([]bug.Runtime, error)
	// A TrustFunc reports whether a user may change a repository.
	TrustFunc func(ctx context.Context, repo, user string) (bool, error)
	// A DecideFunc finds out whether a program may run.
	DecideFunc func(ctx context.Context, s casefile.Subject) (casefile.Consent, error)
	// A SaidFunc finds out what a person has said of a failure that they were asked about.
	SaidFunc func(ctx context.Context, failure string) (casefile.Consent, error)
	// A HistoryFunc finds the versions to look through.
	HistoryFunc func(ctx context.Context, c casefile.Case) (runtimes.Line, error)
	// A CommitsFunc finds the commits between two versions.
	CommitsFunc func(ctx context.Context, from, to string) (runtimes.Line, []bug.Commit, error)
	// A SmallFunc makes a program small where it fails, held by where it passes.
	SmallFunc func(ctx context.Context, s casefile.Subject, on bug.Runtime, passesOn *bug.Runtime) (minimize.Small, error)
	// An AblateFunc turns the knobs of a program.
	AblateFunc func(ctx context.Context, s casefile.Subject, on bug.Runtime) (ablate.Why, error)
	// A ParserFunc finds an interpreter that can take apart what r runs.
	ParserFunc func(ctx context.Context, r bug.Runtime) (bug.Runtime, error)
)

// Issue does all it can for one report. It has no state of its own: after a
// crash, call it again and it passes quickly over what is on record.
func (p *Pipeline) Issue(ctx context.Context, r bug.Report) (casefile.Case, error) {
	c, err := p.Triage(r)
	if err != nil {
		return c, err
	}
	about := *p // with what is so for this report
	p = &about
	p.Profile.Rewrites = mend.Harmless(p.Profile.Rewrites, r.Title+"\n"+c.Thread.Prose)
	if p.Guess != nil {
		p.suppose(&c)
	}
	if c.Triage != nil && c.Triage.ByWords && triage.Alone(c.Thread.Programs) > 0 {
		c.Remark, c.Triage, c.Proposals = c.Triage, nil, nil
		p.take(&c)
	}
	if len(c.Candidates) > 0 {
		if c, err = p.settle(ctx, c); err != nil {
			return c, err
		}
		if p.Guess != nil && len(c.Asked) > 0 {
			if err := p.weigh(ctx, &c); err != nil || !c.Guess.Accepted() {
				return c, err
			}
		}
		if failure, ok := c.Failing(); ok && p.Said != nil {
			if c.NotThis, err = p.Said(ctx, failure); err != nil {
				return c, err
			}
		}
		for _, step := range []func(context.Context, *casefile.Case) error{p.when, p.small, p.why, p.test} {
			if err := step(ctx, &c); err != nil {
				return c, err
			}
		}
		c.Proposals = p.propose(c)
	}
	verdict, _ := c.Verdict()
	p.found("verdict", "%s", verdict)
	p.found("propose", "%s", bug.Count(len(c.Proposals), "action"))
	return c, nil
}

// settle runs what the report has to run: the statement that it is about, where
// observing tells which that is and the runs confirm it; else the program that it
// seems to be about, and then the others.
func (p *Pipeline) settle(ctx context.Context, c casefile.Case) (casefile.Case, error) {
	alike := c
	if same, err := p.sameAnswer(ctx, &alike); err != nil {
		return c, err
	} else if same {
		return alike, nil
	}
	seen := c
	if found, err := p.observe(ctx, &seen); err != nil {
		return c, err
	} else if found {
		return seen, nil
	}
	c.Observed = seen.Observed
	if err := p.measure(ctx, &c); err != nil {
		return c, err
	}
	return p.others(ctx, c)
}

// small makes the program of c as small as it gets on the newest version that
// shows the bug, if one does. One that is fixed is held by the version that
// no longer does.
func (p *Pipeline) small(ctx context.Context, c *casefile.Case) error {
	verdict, _ := c.Verdict()
	if p.Small == nil || !slices.Contains([]casefile.Verdict{casefile.Reproduces, casefile.Flaky, casefile.Fixed},
		verdict) {
		return nil
	}
	var good *bug.Runtime
	asked := c.Asked
	if with, without, sure := c.Neighbours(); sure && verdict == casefile.Fixed {
		asked = []casefile.Asked{with, without} // what differs between these two is the fix, and little else
	}
	for _, a := range slices.Backward(asked) {
		if a.Tally.Yes == 0 {
			good = &a.Runtime
			continue
		}
		if verdict != casefile.Fixed || len(a.Mends) > 0 {
			good = nil // it would not be the same program there
		}
		if same, err := p.sameSmall(ctx, c, a.Runtime, good); err != nil || same {
			return err
		}
		p.begin("small", "minimizing the program")
		small, err := p.Small(ctx, c.Subject, a.Runtime, good)
		if err != nil && ctx.Err() == nil {
			p.skipped("small", "not minimized: %v", err)
			return nil
		}
		small.Lost = p.Profile.Lost(c.Repro.Files[bug.Script], small.Program)
		c.Small = &small
		p.found("small", "%s reduced to %d, %s", bug.Count(small.Before.Lines, "line"), small.After.Lines,
			bug.Count(small.Runs, "run"))
		return ctx.Err()
	}
	return nil
}

// measure is the part of the steps that needs an interpreter.
func (p *Pipeline) measure(ctx context.Context, c *casefile.Case) error {
	p.begin("vet", "reading the program")
	versions, err := p.Runtimes(ctx, nil)
	if err != nil {
		return err
	}
	newest := versions[len(versions)-1]
	if err := p.prepare(ctx, c, newest); err != nil {
		return err
	}
	if len(c.Mends) > 0 {
		p.found("mend", "%s", bug.Count(len(c.Mends), "mend"))
	}
	if c.Unreadable() || len(c.Reading.Missing) > 0 {
		_, why := c.Verdict()
		p.found("vet", "%s", why)
		return nil
	}
	c.Trusted = p.trusts(ctx, *c)
	if err := p.agree(ctx, &c.Subject); err != nil || c.Consent.Decision != casefile.Proceed {
		return err
	}
	return p.askAll(ctx, c)
}

// askAll runs the program of c on every version.
func (p *Pipeline) askAll(ctx context.Context, c *casefile.Case) error {
	versions, err := p.Runtimes(ctx, p.Profile.Recorded(c.Reading.Imports...))
	if err != nil {
		return err
	}
	if p.Newest != nil {
		if c.Newest, err = p.Newest(ctx); err != nil {
			return err
		}
	}
	if p.Than == nil {
		p.Than = &casefile.Asked{Runtime: versions[0]}
	}
	for _, r := range versions {
		if err := p.ask(ctx, c, r); err != nil {
			return err
		}
	}
	if err := p.recognize(ctx, c); err != nil {
		return err
	}
	return p.reached(ctx, &c.Subject)
}

// recognize finds what goes wrong by what was seen, where the words alone do not say it in a way that can be looked for.
func (p *Pipeline) recognize(ctx context.Context, c *casefile.Case) error {
	s, from, ok := c.Named()
	ok = ok && c.Symptom.Kind == bug.Unsaid
	if !ok && p.Expect == nil && c.SymptomFrom != casefile.Observing && c.Unseen() {
		text := c.Candidates[0].Text
		reading, err := p.Read(ctx, text, c.Asked[len(c.Asked)-1].Runtime)
		if err != nil {
			return err
		}
		for _, a := range c.Asked {
			if s, from, ok = claim.Of(c.Thread, text, reading, a.Tally.Outcomes); ok {
				break
			}
			if s, from, ok = claim.Said(c.Thread, a.Tally.Outcomes); ok && c.Symptom.Kind == bug.Unsaid {
				break
			}
			ok = false
		}
	}
	if !ok && p.Expect == nil && c.SymptomFrom != casefile.Observing {
		s, from, ok = c.Another()
	}
	if !ok {
		return nil
	}
	c.Symptom, c.SymptomFrom = s, from
	c.Symptom.Also = strings.Join(p.Profile.AlsoCalled(s.Class), " ")
	for i, a := range c.Asked {
		c.Asked[i].Tally = probe.Count(c.Symptom, a.Tally.Outcomes...)
	}
	return nil
}

// agree finds out whether the program of s, as it is now, may run.
func (p *Pipeline) agree(ctx context.Context, s *casefile.Subject) (err error) {
	s.Findings = slices.Concat(s.OfText, vet.Review(s.Repro.Files[bug.Script], *s.Reading, p.Profile))
	s.Reading.Strings = nil // they have been read, and are in the program
	p.found("vet", "%s", bug.Count(len(s.Findings), "finding"))
	if s.Consent, err = p.Decide(ctx, *s); err != nil || !s.Consent.Unread() || !vet.Rehearses(*s.Reading, p.Profile) {
		return err
	}
	return p.rehearse(ctx, s)
}

// trusts reports whether whoever wrote the program may change the
// repository. Any doubt is a no.
func (p *Pipeline) trusts(ctx context.Context, c casefile.Case) bool {
	made := p.Guess != nil && p.Guess.Program != ""
	if p.Trusts == nil || c.Report.Ref.Repo == "" || c.Modified != nil || made || c.Author == "" {
		return false
	}
	yes, err := p.Trusts(ctx, c.Report.Ref.Repo, c.Author)
	return yes && err == nil
}

// Read reads a program inside the box, once for each text and interpreter.
func (p *Pipeline) Read(ctx context.Context, text string, r bug.Runtime) (syntax.Reading, error) {
	type question struct {
		Text    string
		Runtime bug.Runtime
	}
	return journal.Do(ctx, p.Log, "read/6", question{text, r},
		func(ctx context.Context, q question) (syntax.Reading, error) {
			return syntax.Read(ctx, q.Text, sandbox.Tool(p.Box, q.Runtime, syntax.Preload...))
		})
}

// risk is how likely a symptom may be missed when an older version was flaky.
const risk = 0.01

// often is how often a version must be asked so that a symptom which shows
// as seldom as on an older one is not missed.
func often(asked []casefile.Asked) int {
	n := 0
	for _, a := range asked {
		if _, low, _ := a.Tally.Rate(); a.Tally.Yes > 0 && a.Tally.No > 0 {
			n = max(n, min(probe.AtMost, probe.Needed(low, risk)))
		}
	}
	return n
}

func (p *Pipeline) begin(step, text string) { p.count(step, 0, 0, text) }

// count says that a step is at number n of some.
func (p *Pipeline) count(step string, n, of int, text string) {
	p.Tell(event.Event{Step: step, State: event.Going, Text: text, N: n, Of: of})
}

func (p *Pipeline) found(step, form string, args ...any) {
	p.Tell(event.Event{Step: step, State: event.Found, Text: fmt.Sprintf(form, args...)})
}

func (p *Pipeline) skipped(step, form string, args ...any) {
	p.Tell(event.Event{Step: step, State: event.Skipped, Text: fmt.Sprintf(form, args...)})
}
