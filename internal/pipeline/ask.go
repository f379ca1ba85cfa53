package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/profile"
)

// ask runs the program of c on a version and puts what came of it on record.
func (p *Pipeline) ask(ctx context.Context, c *casefile.Case, r bug.Runtime) error {
	a, err := p.askOn(ctx, c.Subject, r, bug.Setting{})
	if err == nil {
		c.Asked = append(c.Asked, a)
	}
	return err
}

// askOn runs the program of s on a version.
func (p *Pipeline) askOn(ctx context.Context, s casefile.Subject, r bug.Runtime,
	in bug.Setting) (casefile.Asked, error) {
	a := casefile.Asked{Runtime: r, Setting: in}
	where := s.Where(a)
	p.count("run", 1, p.Times, "on "+where)
	prober := probe.Prober{Box: p.Box, Log: p.Log, Round: p.Round, Saw: func(q probe.Question, n int, o bug.Outcome) {
		if n < q.Times {
			p.count("run", n+1, q.Times, fmt.Sprintf("on %s; the last one %s", where, o.Words()))
		}
	}}
	tried := s
	q := probe.Question{Repro: s.Repro, Runtime: r, Setting: in, Symptom: s.Symptom, Limits: p.Limits,
		Times: max(p.Times, often(s.Asked)), Beside: p.beside(s)}
	first := bug.Outcome{}
	for range enough {
		var err error
		if a.Tally, err = prober.Ask(ctx, q); err != nil {
			return a, err
		}
		last := a.Tally.Outcomes[len(a.Tally.Outcomes)-1]
		if err := p.missing(&a, last); err != nil {
			return a, err
		}
		if len(a.Mends) == 0 {
			first = last
		}
		if a.Tally.Yes > 0 || s.Modified != nil {
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
		if tried.Reading.Broken != nil || tried.Consent.Decision != casefile.Proceed {
			break
		}
		a.Mends = append(a.Mends, *m)
		q.Repro = tried.Repro
		a.Program = text
		p.found("mend", "%s", m.Name)
	}
	if err := p.launched(ctx, prober, &a, q, first); err != nil {
		return a, err
	}
	if err := p.steady(ctx, prober, tried, &a, q); err != nil {
		return a, err
	}
	last := a.Tally.Outcomes[len(a.Tally.Outcomes)-1]
	a.Drift = p.drifted(last)
	p.found("run", "on %s, %s; the last one %s", where, bug.Count(a.Tally.Runs(), "run"), last.Words())
	return a, nil
}

// beside is what the program of s is compared with, if it is said to cost too much.
func (p *Pipeline) beside(s casefile.Subject) *probe.Beside {
	if !s.Symptom.Costs() || p.Than == nil {
		return nil
	}
	return &probe.Beside{Runtime: p.Than.Runtime, Setting: p.Than.Setting, Name: s.Where(*p.Than),
		Imports: s.Reading.OnlyImports(s.Repro.Files[bug.Script]), Tells: p.Profile.TellsOf(s.Symptom)}
}

// missing notes what this machine does not have, if a run failed for that. What does
// not show the bug after a mend has done without it says nothing of it.
func (p *Pipeline) missing(a *casefile.Asked, o bug.Outcome) error {
	if a.Tally.Yes > 0 {
		a.Lacks = ""
		return nil
	}
	class, err := classify.Outcome(p.Profile, o)
	if err == nil && o.Failed() && class.Setup {
		a.Lacks = class.Means
	}
	return err
}

// launched starts a program that failed alone for want of others of its kind as its
// launcher would, if one process has not shown the bug.
func (p *Pipeline) launched(ctx context.Context, prober probe.Prober, a *casefile.Asked, q probe.Question,
	alone bug.Outcome) error {
	l := p.Profile.Launch
	e, failed := alone.Exception()
	if l == nil || !failed || a.Tally.Yes > 0 || !l.Error.MatchString(e.Class+": "+e.Message) {
		return nil
	}
	q.Repro = bug.Repro{Files: maps.Clone(q.Repro.Files), Command: []string{"python", l.With, bug.Script}}
	q.Repro.Files[l.With] = l.Script
	t, err := prober.Ask(ctx, q)
	if err != nil || t.Yes == 0 {
		return err
	}
	a.Tally, a.Lacks = t, ""
	a.Mends = append(a.Mends, mend.Mend{Name: l.Name, Text: strings.Join(q.Repro.Command, " ")})
	p.found("mend", "%s", l.Name)
	return nil
}

// drifted reports whether a run failed because its environment does not fit.
func (p *Pipeline) drifted(o bug.Outcome) bool {
	e, failed := o.Exception()
	return failed && slices.ContainsFunc(p.Profile.Drift,
		func(d profile.Pattern) bool { return d.MatchString(e.String()) })
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
