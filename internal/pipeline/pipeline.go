// Package pipeline takes an issue through every step, from what people
// wrote to what scrub has to say about it.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/intake"
	"scrub/internal/journal"
	"scrub/internal/mend"
	"scrub/internal/probe"
	"scrub/internal/profile"
	"scrub/internal/sandbox"
	"scrub/internal/syntax"
	"scrub/internal/triage"
	"scrub/internal/vet"
)

// A Pipeline is wired up once and used for every issue of a project.
type Pipeline struct {
	Profile  profile.Profile
	Box      sandbox.Box
	Log      journal.Log
	Runtimes func(ctx context.Context, packages []string) ([]bug.Runtime, error) // oldest version first
	Newest   func(ctx context.Context) (string, error)                           // the newest release of the package; nil if nobody is to be asked
	Trusts   func(ctx context.Context, repo, user string) (bool, error)          // nil: nobody
	Decide   func(ctx context.Context, c casefile.Case) (casefile.Consent, error)
	History  func(ctx context.Context, c casefile.Case) (Line, error)                                                  // the versions to look through; nil to leave that
	Commits  func(ctx context.Context, from, to string) (Line, []bug.Commit, error)                                    // those between two; nil if there is no clone
	Still    bool                                                                                                      // look also for when a bug came that is still there
	Workers  int                                                                                                       // versions that are asked at once
	Small    func(ctx context.Context, c casefile.Case, on bug.Runtime, passesOn *bug.Runtime) (casefile.Small, error) // makes its program small; nil to leave it
	Ablate   func(ctx context.Context, c casefile.Case, on bug.Runtime) (casefile.Why, error)                          // turns its knobs; nil to leave them
	Test     bool                                                                                                      // write a regression test
	Parser   func(ctx context.Context, r bug.Runtime) (bug.Runtime, error)                                             // an interpreter that can take apart what r runs; nil for r itself
	Fixed    *bug.Runtime                                                                                              // where it must pass; nil for the first version without the bug
	Aside    []string                                                                                                  // triage rules that a person has set aside
	Tamed    *casefile.Tamed                                                                                           // a person's version of the program, to run in its place
	Expect   *bug.Symptom                                                                                              // what a person says goes wrong, in place of what the report says
	Limits   sandbox.Limits
	Times    int
	Round    string
	Now      func() time.Time
	Tell     func(Event)
}

// An Event is news for whoever watches.
type Event struct {
	Step string
	Text string
	Done bool // the step is over and Text is what it found
}

// Issue does all it can for one report. It has no state of its own: after a
// crash, call it again and it passes quickly over what is on record.
func (p *Pipeline) Issue(ctx context.Context, r bug.Report) (casefile.Case, error) {
	c, err := p.Triage(r)
	if err != nil {
		return c, err
	}
	if len(c.Candidates) > 0 {
		if err := p.measure(ctx, &c); err != nil {
			return c, err
		}
		if c, err = p.others(ctx, c); err != nil {
			return c, err
		}
		if err := errors.Join(p.when(ctx, &c), p.small(ctx, &c), p.why(ctx, &c), p.test(ctx, &c)); err != nil {
			return c, err
		}
		c.Proposals = propose(c, p.Profile.Labels)
	}
	verdict, _ := c.Verdict()
	p.found("say", "%s", verdict)
	p.found("propose", "%s", count(len(c.Proposals), "action"))
	return c, nil
}

// small makes the program of c as small as it gets on the newest version that
// shows the bug, if one does. One that is fixed is held by the version that
// no longer does.
func (p *Pipeline) small(ctx context.Context, c *casefile.Case) error {
	verdict, _ := c.Verdict()
	if p.Small == nil || !slices.Contains([]casefile.Verdict{casefile.Reproduces, casefile.Flaky, casefile.Fixed}, verdict) {
		return nil
	}
	var good *bug.Runtime
	for _, a := range slices.Backward(c.Asked) {
		if a.Tally.Yes == 0 {
			good = &a.Runtime
			continue
		}
		if verdict != casefile.Fixed || len(a.Mends) > 0 {
			good = nil // it would not be the same program there
		}
		p.begin("small", "making it small")
		small, err := p.Small(ctx, *c, a.Runtime, good)
		if err != nil && ctx.Err() == nil {
			p.found("small", "it stays as it is: %v", err)
			return nil
		}
		c.Small = &small
		p.found("small", "%s became %d, %s", count(small.Before.Lines, "line"), small.After.Lines, count(small.Runs, "run"))
		return ctx.Err()
	}
	return nil
}

// Triage takes the steps that only read: what is in the report, whether it
// can be acted on, and which program would be tried. A case that is stopped
// by a rule of the profile has no candidates.
func (p *Pipeline) Triage(r bug.Report) (c casefile.Case, err error) {
	c = casefile.Case{Report: r, Profile: p.Profile.Name, Project: p.Profile.Title, Package: p.Profile.PackageOf(r.Ref.Repo)}
	if p.Profile.Package == "" {
		c.Project = c.Package
	}
	p.found("read", "%s, %s", bug.Short(r.Title, 60), count(len(r.Comments), "comment"))
	p.begin("intake", "taking the thread apart")
	c.Thread = intake.Read(r)
	c.Thread.Hidden = slices.DeleteFunc(c.Thread.Hidden, func(h string) bool {
		return slices.ContainsFunc(p.Profile.Form, func(f profile.Pattern) bool { return f.MatchString(h) })
	})
	p.found("intake", "%s, %s, %s", count(len(c.Thread.Programs), "program"), count(len(c.Thread.Exceptions), "error"), count(c.Thread.Images, "picture"))

	ranked := triage.Rank(p.Profile, c.Thread.Programs, r.Author)
	if c.Triage, err = triage.Stop(p.Profile, r, c.Thread, ranked, p.Now(), p.Aside...); err != nil {
		return c, err
	}
	if c.Triage != nil {
		c.Proposals = propose(c, p.Profile.Labels)
		p.found("triage", "%s", c.Triage.Reason)
		return c, nil
	}
	c.Reported, _ = c.Thread.VersionOf(p.Profile.PackageOf(r.Ref.Repo), p.Profile.Title)
	p.found("triage", "it can be acted on")

	c.Candidates = ranked
	if len(c.Candidates) == 0 {
		return c, nil
	}
	p.choose(&c, 0, "")
	p.found("pick", "%s, %s; reported: %s", c.Candidates[0].Why, count(c.Candidates[0].Lines(), "line"), c.Symptom)
	return c, nil
}

// measure is the part of the steps that needs an interpreter.
func (p *Pipeline) measure(ctx context.Context, c *casefile.Case) error {
	p.begin("vet", "reading the program")
	runtimes, err := p.Runtimes(ctx, nil)
	if err != nil {
		return err
	}
	newest := runtimes[len(runtimes)-1]
	if err := p.prepare(ctx, c, newest); err != nil {
		return err
	}
	if len(c.Mends) > 0 {
		p.found("mend", "%s", count(len(c.Mends), "mend"))
	}
	if c.Unreadable() || len(c.Reading.Missing) > 0 {
		_, why := c.Verdict()
		p.found("vet", "%s", why)
		return nil
	}
	if err := p.agree(ctx, c); err != nil || c.Consent.Said != casefile.Proceed {
		return err
	}
	if runtimes, err = p.Runtimes(ctx, packages(p.Profile.Package, c.Reading.Imports)); err != nil {
		return err
	}
	if p.Newest != nil {
		if c.Newest, err = p.Newest(ctx); err != nil {
			return err
		}
	}
	for _, r := range runtimes {
		if err := p.ask(ctx, c, r); err != nil {
			return err
		}
	}
	for _, a := range c.Asked {
		for _, o := range a.Tally.Outcomes {
			c.Findings = append(c.Findings, vet.Stopped(o, c.Findings)...)
		}
	}
	return nil
}

// agree finds out whether the program of c, as it is now, may run.
func (p *Pipeline) agree(ctx context.Context, c *casefile.Case) (err error) {
	c.Findings = Review(*c, p.Profile)
	c.Reading.Strings = nil // they have been read, and are in the program
	p.found("vet", "%s", count(len(c.Findings), "finding"))
	c.Trusted = p.trusts(ctx, *c)
	c.Consent, err = p.Decide(ctx, *c)
	return err
}

// Review is what a person must know of the program of c and of the report it
// is from.
func Review(c casefile.Case, p profile.Profile) []vet.Finding {
	return slices.Concat(injected(c, p), vet.Review(c.Repro.Files[bug.Script], *c.Reading, p))
}

// trusts reports whether whoever wrote the program may change the
// repository. Any doubt is a no.
func (p *Pipeline) trusts(ctx context.Context, c casefile.Case) bool {
	if p.Trusts == nil || c.Report.Ref.Repo == "" || c.Tamed != nil {
		return false
	}
	author := c.Candidates[0].Author
	if c.Candidates[0].Post == 0 {
		author = c.Report.Author
	}
	yes, err := p.Trusts(ctx, c.Report.Ref.Repo, author)
	return yes && err == nil && author != ""
}

// injected is what the report says to those who read it for somebody else,
// in the open or hidden.
func injected(c casefile.Case, p profile.Profile) []vet.Finding {
	said := append([]string{c.Report.Title, c.Report.Body}, c.Thread.Hidden...)
	for _, comment := range c.Report.Comments {
		said = append(said, comment.Body)
	}
	found := vet.Injected(strings.Join(said, "\n"), p)
	for _, h := range c.Thread.Hidden {
		found = append(found, vet.Finding{Class: "obfuscation", Severity: "note", Name: bug.Short(h, 60), Why: "the report has a remark that its page does not show"})
	}
	return found
}

// packages are those whose versions belong on record with the verdict.
func packages(own string, imports []string) []string {
	all := slices.Clone(imports)
	if own != "" {
		all = append(all, own)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Read reads a program inside the box, once for each text and interpreter.
func (p *Pipeline) Read(ctx context.Context, text string, r bug.Runtime) (syntax.Reading, error) {
	type question struct {
		Text    string
		Runtime bug.Runtime
	}
	return journal.Do(ctx, p.Log, "read/4", question{text, r}, func(ctx context.Context, q question) (syntax.Reading, error) {
		return ReadIn(ctx, p.Box, q.Text, q.Runtime)
	})
}

// ReadIn reads a program inside box.
func ReadIn(ctx context.Context, box sandbox.Box, text string, r bug.Runtime) (syntax.Reading, error) {
	return syntax.Read(ctx, text, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		j := job(repro, r)
		j.Preload = syntax.Preload // if the box is a warm one
		return box.Run(ctx, j)
	})
}

// job is a run of a program of scrub's own.
func job(repro bug.Repro, r bug.Runtime) sandbox.Job {
	return sandbox.Job{Repro: repro, Runtime: r, Limits: sandbox.Limits{Time: 60 * time.Second, Output: 8 << 20}}
}

// Preload are the modules that a warm interpreter imports for a program.
func Preload(r syntax.Reading) []string {
	return slices.DeleteFunc(slices.Clone(r.Imports), func(m string) bool { return m == "__future__" || slices.Contains(r.Missing, m) })
}

// ask runs the program of c on a version and puts what came of it on record.
func (p *Pipeline) ask(ctx context.Context, c *casefile.Case, r bug.Runtime) error {
	a, err := p.askOn(ctx, *c, r, bug.Setting{})
	if err == nil {
		c.Asked = append(c.Asked, a)
	}
	return err
}

// askOn runs the program of c on a version.
func (p *Pipeline) askOn(ctx context.Context, c casefile.Case, r bug.Runtime, s bug.Setting) (casefile.Asked, error) {
	a := casefile.Asked{Runtime: r, Setting: s}
	where := c.Where(a)
	p.begin("run", fmt.Sprintf("on %s, run 1 of %d", where, p.Times))
	prober := probe.Prober{Box: p.Box, Log: p.Log, Round: p.Round, Saw: func(q probe.Question, n int, o bug.Outcome) {
		if n < q.Times {
			p.begin("run", fmt.Sprintf("on %s, run %d of %d; the last one %s", where, n+1, q.Times, o.Words()))
		}
	}}
	tried := c
	q := probe.Question{Repro: c.Repro, Runtime: r, Setting: s, Symptom: c.Symptom, Limits: p.Limits, Times: max(p.Times, often(c.Asked))}
	for range enough {
		var err error
		if a.Tally, err = prober.Ask(ctx, q); err != nil {
			return a, err
		}
		last := a.Tally.Outcomes[len(a.Tally.Outcomes)-1]
		if a.Tally.Yes > 0 || c.Tamed != nil {
			break
		}
		text, m := p.mend(q.Repro.Files[bug.Script], last)
		if m == nil {
			break
		}
		// It is another program now, and nobody has agreed to that yet.
		if err := p.mended(ctx, &tried, r, text, []mend.Mend{*m}); err != nil {
			return a, err
		}
		if err := p.agree(ctx, &tried); err != nil {
			return a, err
		}
		if tried.Reading.Broken != nil || tried.Consent.Said != casefile.Proceed {
			break
		}
		a.Mends = append(a.Mends, *m)
		q.Repro = tried.Repro
		p.found("mend", "%s", m.Name)
	}
	if err := p.steady(ctx, prober, tried, &a, q); err != nil {
		return a, err
	}
	last := a.Tally.Outcomes[len(a.Tally.Outcomes)-1]
	p.found("run", "on %s, %s; the last one %s", where, count(a.Tally.Runs(), "run"), last.Words())
	return a, nil
}

// mend is the program without what kept it from getting to the bug, if
// that is known from how a run ended.
func (p *Pipeline) mend(text string, last bug.Outcome) (string, *mend.Mend) {
	if mend.OutOfMemory(last) {
		return mend.Smaller(text)
	}
	e, failed := last.Exception()
	if !failed {
		return text, nil
	}
	return mend.Rewritten(text, e.Class+": "+e.Message, p.Profile.Rewrites)
}

// At most so many runs, and so seldom wrong, when an older version was flaky.
const (
	atMost = 60
	risk   = 0.01
)

// often is how often a version must be asked so that a symptom which shows
// as seldom as on an older one is not missed.
func often(asked []casefile.Asked) int {
	n := 0
	for _, a := range asked {
		if _, low, _ := a.Tally.Rate(); a.Tally.Yes > 0 && a.Tally.No > 0 {
			n = max(n, min(atMost, probe.Needed(low, risk)))
		}
	}
	return n
}

func (p *Pipeline) begin(step, text string) { p.Tell(Event{Step: step, Text: text}) }

func (p *Pipeline) found(step, form string, args ...any) {
	p.Tell(Event{Step: step, Text: fmt.Sprintf(form, args...), Done: true})
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
