package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/refusal"
	"os"
	"time"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/guess"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/regress"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/store"
)

// An IssueRequest is what to find out about a report.
type IssueRequest struct {
	Source       Source           `json:"source"`
	Profile      string           `json:"profile,omitempty"`  // a name or a folder; empty for the repository's
	Expect       string           `json:"expect,omitempty"`   // what goes wrong, if the report does not say
	Modified     string           `json:"modified,omitempty"` // a version of the program to run in its place
	Ignore       []string         `json:"ignore,omitempty"`   // triage rules that are not to stop it, or all
	Pythons      []string         `json:"pythons,omitempty"`
	Versions     Versions         `json:"versions,omitzero"`
	Box          Box              `json:"box,omitzero"`
	Timeout      profile.Duration `json:"timeout,omitempty"` // for one run; the profile's
	Runs         int              `json:"runs,omitempty"`    // the profile's
	ApproveClean bool             `json:"approve_clean,omitempty"`
	Yes          bool             `json:"yes,omitempty"`       // install what the program lacks, without asking
	Fresh        bool             `json:"fresh,omitempty"`     // look again
	Round        string           `json:"round,omitempty"`     // what looking again is called; the time
	Minimize     bool             `json:"minimize,omitempty"`  // make the program small
	NoBisect     bool             `json:"no_bisect,omitempty"` // do not look for the release that fixed it
	Since        bool             `json:"since,omitempty"`     // find when a bug came that is still there
	Why          bool             `json:"why,omitempty"`       // turn the profile's knobs
	Test         bool             `json:"test,omitempty"`      // write a regression test
	Expected     bool             `json:"expected,omitempty"`  // also for a bug that is still there
	Fixed        string           `json:"fixed,omitempty"`     // an interpreter in which the bug is fixed
	Checkout     string           `json:"checkout,omitempty"`  // a work tree of the project
	Git          string           `json:"git,omitempty"`       // a clone of the project

	Guess  *guess.Guess             `json:"-"` // what somebody made up for it; kept only if it is borne out
	Alike  *pipeline.Alike          `json:"-"` // what a case that seems to be about the same bug has come to
	Adjust func(*pipeline.Pipeline) `json:"-"` // changes the wiring of the steps; nil for nothing

	installs int      // how often something was installed
	askedFor []string // modules that it lacks and that a person has been asked about
}

// A Case is what was found out about a report.
type Case struct {
	Schema string `json:"schema"`
	casefile.Document
}

func answerCase(c casefile.Case) Case { return Case{"case/1", c.Document()} }

// Waits reports whether a person must decide before more can be said.
func (c Case) Waits() bool { return c.Verdict == casefile.NeedsDecision }

// Issue takes a report from its text to a verdict and keeps the case.
func (d *Desk) Issue(ctx context.Context, r IssueRequest) (Case, error) {
	c, err := d.take(ctx, r)
	if err != nil {
		return Case{}, err
	}
	agreed, err := d.mayInstall(ctx, c, r)
	if err != nil {
		return Case{}, err
	}
	if len(agreed) > 0 {
		r.Versions, r.installs = r.Versions.With(agreed, c.Package, c.Reported), r.installs+1
		r.askedFor = append(r.askedFor, c.Lacks()...)
		return d.Issue(ctx, r)
	}
	if err := d.standing(ctx, &c); err != nil {
		return Case{}, err
	}
	return answerCase(c), nil
}

// take takes a report through all steps and puts the case on record.
func (d *Desk) take(ctx context.Context, r IssueRequest) (casefile.Case, error) {
	if r.Runs < 0 || r.Timeout < 0 {
		return casefile.Case{}, refusal.Bad("--runs and --timeout must not be negative")
	}
	whole, err := d.Read(ctx, r.Source)
	if err != nil {
		return casefile.Case{}, err
	}
	r.Fresh = r.Fresh || action.SaidIn(whole) == "recheck"
	about := whole
	about.Comments = action.Others(whole.Comments)
	rules := project.Policy(r.Profile, about.Ref.Repo, r.Checkout)
	if _, err := rules(); err != nil {
		return casefile.Case{}, err
	}
	p, err := d.pipeline(ctx, about, r)
	if err != nil {
		return casefile.Case{}, err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return casefile.Case{}, err
	}
	p.Log = kept
	c, err := p.Issue(ctx, about)
	if err != nil {
		return c, err
	}
	if r.Guess != nil && (c.Guess == nil || !c.Guess.Accepted()) {
		return c, nil
	}
	if verdict, _ := c.Verdict(); verdict == casefile.Fixed && r.Checkout != "" {
		if c.Marks, err = regress.Marks(os.DirFS(r.Checkout), p.Profile.Test.Marks, about.Ref.Number); err != nil {
			return c, err
		}
	}
	return c, errors.Join(d.keep(ctx, kept, c), d.propose(ctx, c, rules, whole, r.Source.Offline))
}

// keep puts the case on record.
func (d *Desk) keep(ctx context.Context, kept *store.Store, c casefile.Case) error {
	body, err := JSON(c.Kept().Document())
	if err != nil {
		return err
	}
	brief, err := json.Marshal(c.Brief())
	if err != nil {
		return err
	}
	verdict, _ := c.Verdict()
	row := store.Case{ID: c.ID(), Ref: c.Report.Ref.String(), Title: c.Report.Title, Verdict: string(verdict),
		Body: body, Updated: d.Now(), Version: c.Last(), Listed: brief}
	return kept.PutCase(ctx, row)
}

// pipeline wires up the steps for one report.
func (d *Desk) pipeline(ctx context.Context, about bug.Report, r IssueRequest) (*pipeline.Pipeline, error) {
	prof, err := project.For(r.Profile, about.Ref.Repo)
	if err != nil {
		return nil, err
	}
	box, err := d.Machine.BoxFor(r.Box, prof)
	if err != nil {
		return nil, err
	}
	id := casefile.Case{Report: about}.ID()
	p := &pipeline.Pipeline{
		Profile: prof, Box: box, Log: new(journal.Mem), Now: d.Now, Tell: d.listener(id), Times: prof.Run.Times,
		Workers: machine.Jobs(0), Test: r.Test, Expected: r.Expected, Alike: r.Alike, Guess: r.Guess,
		Limits: sandbox.Limits{Time: time.Duration(prof.Run.Timeout), Memory: int64(prof.Run.Memory)},
		Runtimes: func(ctx context.Context, packages []string) ([]bug.Runtime, error) {
			return d.Machine.Pythons(ctx, r.Box, packages, r.Pythons...)
		},
		Parser: func(ctx context.Context, on bug.Runtime) (bug.Runtime, error) {
			return d.Machine.Parser(ctx, r.Box, on)
		},
		Decide: func(ctx context.Context, s casefile.Subject) (casefile.Consent, error) {
			return d.consent(ctx, s, r.ApproveClean)
		},
		Said: d.said,
	}
	if r.Timeout > 0 {
		p.Limits.Time = time.Duration(r.Timeout)
	}
	if r.Runs > 0 {
		p.Times = r.Runs
	}
	if r.Fresh {
		p.Round = cmp.Or(r.Round, d.Now().UTC().Format(time.RFC3339Nano))
	}
	if r.Modified != "" {
		p.Modified = &casefile.ModifiedProgram{By: d.User, Text: r.Modified}
	}
	if p.Ignored, err = project.Ignored(r.Ignore, prof); err != nil {
		return nil, err
	}
	if r.Expect != "" {
		s, err := bug.ParseSymptom(r.Expect)
		if err != nil {
			return nil, refusal.Bad("--expect: %w", err)
		}
		if err := tellable(s, prof); err != nil {
			return nil, err
		}
		p.Expect = &s
		if p.Than, err = d.than(ctx, s, r.Box); err != nil {
			return nil, err
		}
	}
	err = errors.Join(d.onVersions(p, about, r), d.furtherSteps(ctx, p, r), d.trusted(ctx, p, about, r))
	if err == nil && r.Adjust != nil {
		r.Adjust(p)
	}
	return p, err
}

// onVersions has p ask the versions that were asked for.
func (d *Desk) onVersions(p *pipeline.Pipeline, about bug.Report, r IssueRequest) error {
	if len(r.Pythons) > 0 && len(r.Versions.On)+len(r.Versions.Install) > 0 {
		return refusal.Bad("--python cannot be combined with --on or --install")
	}
	s, err := d.Machine.Shop(r.Versions, r.Box, about, p.Profile)
	switch {
	case err != nil:
		return err
	case s == nil && (r.Git != "" || r.Since) && !r.Yes && d.MayInstall == nil:
		return refusal.Bad("--git and --since search among releases: name some with --on, as in --on reported,newest")
	case s == nil:
		return nil
	}
	p.Runtimes, p.Newest, p.Introduced, p.Package = s.Runtimes, s.Newest, r.Since, s.Package()
	if r.NoBisect {
		return nil
	}
	p.History = func(ctx context.Context, c casefile.Case) (runtimes.Line, error) {
		verdict, _ := c.Verdict()
		since := verdict == casefile.Reproduces || verdict == casefile.Flaky
		line, spec, err := s.History(ctx, c.Asked[0].Runtime, c.Asked[len(c.Asked)-1].Runtime, since)
		if err == nil && r.Git != "" {
			p.Commits, err = s.CommitsOf(ctx, r.Git, spec)
		}
		return line, err
	}
	return nil
}

// furtherSteps wires up what is done with a program that shows its bug.
func (d *Desk) furtherSteps(ctx context.Context, p *pipeline.Pipeline, r IssueRequest) error {
	if r.Minimize {
		p.Small = func(ctx context.Context, s casefile.Subject, on bug.Runtime,
			passesOn *bug.Runtime) (minimize.Small, error) {
			m, done, err := d.minimizer(ctx, r.Box, p.Log, s, on, p.Profile, p.Limits)
			if err != nil {
				return minimize.Small{}, err
			}
			defer done()
			m.PassesOn, m.Saw = passesOn, d.shrinking(p.Tell)
			return d.timed(ctx, m, s.Repro.Files[bug.Script])
		}
	}
	if r.Why {
		p.Ablate = func(ctx context.Context, s casefile.Subject, on bug.Runtime) (ablate.Why, error) {
			ab := d.ablation(p.Box, p.Log, s, on, p.Profile, p.Limits)
			ab.Round, ab.Tell = p.Round, p.Tell
			for _, asked := range s.Asked {
				if asked.Tally.Yes > 0 && asked.Tally.No > 0 {
					ab.Times = asked.Tally.Runs() // the first question finds out how many the others need
				}
			}
			return d.ablated(ctx, &ab, r.Box, *s.Reading)
		}
	}
	if r.Fixed != "" {
		found, err := d.Machine.Pythons(ctx, r.Box, nil, r.Fixed)
		if err != nil {
			return err
		}
		p.Fixed = &found[0]
	}
	return nil
}

// trusted has p ask the forge who may change the repository, where somebody is
// logged in.
func (d *Desk) trusted(ctx context.Context, p *pipeline.Pipeline, about bug.Report, r IssueRequest) error {
	where := r.Source.Forge
	if about.Ref.Repo == "" || r.Source.Offline || where == "" && d.Machine.Token(ctx, about.Ref.Host) == "" {
		return nil
	}
	live, err := d.ForgeOf(ctx, where, false, about.Ref)
	if err != nil {
		return err
	}
	p.Trusts = live.Collaborator
	return nil
}
