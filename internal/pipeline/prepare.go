package pipeline

import (
	"context"
	"slices"
	"strings"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/journal"
	"scrub/internal/mend"
	"scrub/internal/syntax"
)

// enough candidates have been looked at when so many cannot be read.
const enough = 5

// prepare finds the first candidate that r can read and completes it with
// what every user of the package would have typed before.
func (p *Pipeline) prepare(ctx context.Context, c *casefile.Case, r bug.Runtime) error {
	first, reading, err := p.readable(ctx, c, r)
	if err != nil {
		return err
	}
	if first > 0 {
		c.Candidates[0], c.Candidates[first] = c.Candidates[first], c.Candidates[0]
		c.Candidates[0].Why += "; the one before it cannot be read"
		c.Symptom, c.SaidIn = c.Thread.Symptom(c.Report.Title, c.Candidates[0].Program, p.Profile)
		if p.Expect != nil {
			c.Symptom, c.SaidIn = *p.Expect, "what a person expects"
		}
	}
	if text, mends := mend.Shown(c.Repro.Files[bug.Script], c.Symptom.Before+"\n"+c.Symptom.Output, p.Profile.Rewrites); len(mends) > 0 && c.Tamed == nil {
		c.Mends, c.Repro = append(c.Mends, mends...), bug.Program(text)
		if reading, err = p.Read(ctx, text, r); err != nil {
			return err
		}
	}
	if len(reading.Bare) > 0 && c.Tamed == nil && (c.Symptom.Kind == bug.Unsaid || c.Symptom.InOutput()) {
		text, mends := mend.Printed(c.Repro.Files[bug.Script], reading.Bare)
		c.Mends, c.Repro = append(c.Mends, mends...), bug.Program(text)
		if reading, err = p.Read(ctx, text, r); err != nil {
			return err
		}
	}
	c.Reading = &reading
	if reading.Broken != nil || len(reading.Unbound) == 0 || c.Tamed != nil {
		return nil
	}
	exports, err := p.exports(ctx, p.packageOf(c.Report), reading.Unbound, r)
	if err != nil {
		return err
	}
	mends := mend.Names(reading.Unbound, exports, p.packageOf(c.Report), p.Profile.Names)
	if len(mends) == 0 {
		return nil
	}
	c.Mends = append(c.Mends, mends...)
	c.Repro = bug.Program(mend.Above(c.Repro.Files[bug.Script], mends))
	reading, err = p.Read(ctx, c.Repro.Files[bug.Script], r)
	return err
}

// readable is the first candidate that r can read, mended where that takes
// only a rewrite, or the first of all if there is none.
func (p *Pipeline) readable(ctx context.Context, c *casefile.Case, r bug.Runtime) (int, syntax.Reading, error) {
	if c.Tamed != nil {
		reading, err := p.Read(ctx, c.Tamed.Text, r)
		return 0, reading, err
	}
	var broken syntax.Reading
	for i, candidate := range c.Candidates[:min(enough, len(c.Candidates))] {
		text := candidate.Text
		var mends []mend.Mend
		for range enough {
			reading, err := p.Read(ctx, text, r)
			if err != nil {
				return 0, reading, err
			}
			if reading.Broken == nil {
				c.Repro, c.Mends = bug.Program(text), mends
				return i, reading, nil
			}
			if i == 0 && len(mends) == 0 {
				broken = reading
			}
			var m *mend.Mend
			if text, m = mend.Rewritten(text, reading.Broken.Message, p.Profile.Rewrites); m == nil {
				break
			}
			mends = append(mends, *m)
		}
		if strings.HasSuffix(c.Symptom.Class, "SyntaxError") {
			break // that is what it is about
		}
	}
	return 0, broken, nil
}

// packageOf is the package that a report is about.
func (p *Pipeline) packageOf(r bug.Report) string {
	if p.Profile.Package != "" || r.Ref.Repo == "" {
		return p.Profile.Package
	}
	return strings.ToLower(r.Ref.Repo[strings.LastIndexByte(r.Ref.Repo, '/')+1:])
}

// exports asks r once where names of a package can be imported from.
func (p *Pipeline) exports(ctx context.Context, pkg string, names []string, r bug.Runtime) (map[string]string, error) {
	if pkg == "" {
		return nil, nil
	}
	type question struct {
		Package string
		Names   []string
		Runtime bug.Runtime
	}
	return journal.Do(ctx, p.Log, "exports/1", question{pkg, names, r}, func(ctx context.Context, q question) (map[string]string, error) {
		return syntax.Exports(ctx, q.Package, q.Names, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
			return p.Box.Run(ctx, job(repro, r))
		})
	})
}

// others tries the programs further down the list when the first one shows
// on no version what the report says. Only one that an older version shows
// and a newer does not speaks for itself; otherwise the first stays.
func (p *Pipeline) others(ctx context.Context, c casefile.Case) (casefile.Case, error) {
	verdict, _ := c.Verdict()
	told := []casefile.Verdict{casefile.Unsure, casefile.DifferentError, casefile.CannotRun, casefile.NeedsInfo}
	if len(c.Asked) == 1 || !slices.Contains(told, verdict) || c.Tamed != nil || p.Expect != nil || c.Consent.Said != casefile.Proceed {
		return c, nil
	}
	for i := 1; i < min(enough, len(c.Candidates)); i++ {
		next := c
		next.Candidates = slices.Concat(c.Candidates[i:i+1], c.Candidates[:i], c.Candidates[i+1:])
		next.Candidates[0].Why += "; the one before it shows nothing of what was reported"
		next.Mends, next.Asked, next.Findings, next.Consent = nil, nil, nil, casefile.Consent{}
		next.Repro = bug.Program(next.Candidates[0].Text)
		next.Symptom, next.SaidIn = c.Thread.Symptom(c.Report.Title, next.Candidates[0].Program, p.Profile)
		if err := p.measure(ctx, &next); err != nil {
			return c, err
		}
		if verdict, _ := next.Verdict(); verdict == casefile.Fixed {
			return next, nil
		}
	}
	return c, nil
}
