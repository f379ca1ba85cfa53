package pipeline

import (
	"context"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// enough is how many candidates are looked at, and how many rewrites are made
// of one, before it is no use.
const enough = 5

// choose makes candidate i the program of c, for the reason why it comes
// before the others.
func (p *Pipeline) choose(c *casefile.Case, i int, why string) {
	c.Candidates = slices.Concat(c.Candidates[i:i+1], c.Candidates[:i], c.Candidates[i+1:])
	picked := &c.Candidates[0]
	picked.Why += why
	picked.Second = why != ""
	c.Repro, c.Mends, c.Modified = p.repro(picked.Text), nil, p.Modified
	if p.Modified != nil {
		c.Repro = bug.Program(p.Modified.Text)
	}
	p.Limits.Interfaces = p.Profile.Talks(c.Repro.Files[bug.Script])
	if c.Author = picked.Author; picked.Post == 0 {
		c.Author = c.Report.Author
	}
	c.Symptom, c.SymptomFrom = c.Thread.Symptom(c.Report.Title, picked.Program, p.Profile)
	if p.Expect != nil {
		c.Symptom, c.SymptomFrom = *p.Expect, "--expect"
		if p.Guess != nil {
			c.SymptomFrom = "what " + p.Guess.By + " proposes"
		}
	}
	c.Complaint = ""
	if c.Symptom.Kind == bug.Unsaid {
		c.Complaint = c.Thread.Complaint(c.Report.Title, p.Profile)
	}
	c.Symptom.Also = strings.Join(p.Profile.AlsoCalled(c.Symptom.Class), " ")
}

// prepare finds the first candidate that r can read and completes it: with
// values shown as the report shows them, and with what every user of the
// package would have typed before.
func (p *Pipeline) prepare(ctx context.Context, c *casefile.Case, r bug.Runtime) error {
	if err := p.readable(ctx, c, r); err != nil || c.Reading.Broken != nil || c.Modified != nil {
		return err
	}
	text, mends := mend.Shown(c.Repro.Files[bug.Script], c.Symptom.Before+"\n"+c.Symptom.Output, p.Profile.Rewrites)
	if err := p.mended(ctx, &c.Subject, r, text, mends); err != nil {
		return err
	}
	if len(c.Reading.Bare) > 0 && (c.Symptom.Kind == bug.Unsaid || c.Symptom.InOutput()) {
		text, mends = mend.Printed(c.Repro.Files[bug.Script], c.Reading.Bare)
		if err := p.mended(ctx, &c.Subject, r, text, mends); err != nil {
			return err
		}
	}
	exports, err := p.exports(ctx, c.Package, c.Reading.Unbound, r)
	if err != nil {
		return err
	}
	mends = append(
		mend.Names(c.Reading.Unbound, exports, c.Package, p.Profile.Names),
		madeUp(c.Repro.Files[bug.Script])...)
	return p.mended(ctx, &c.Subject, r, mend.Above(c.Repro.Files[bug.Script], mends), mends)
}

// madeUp are the files that a program only reads, where their shape is plain.
func madeUp(text string) []mend.Mend {
	made, _ := mend.Files(text)
	return made
}

// mended makes text, to which mends have led, the program of s.
func (p *Pipeline) mended(ctx context.Context, s *casefile.Subject, r bug.Runtime, text string,
	mends []mend.Mend) error {
	if len(mends) == 0 {
		return nil
	}
	reading, err := p.Read(ctx, text, r)
	s.Mends, s.Repro, s.Reading = append(s.Mends, mends...), p.repro(text), &reading
	return err
}

// readable chooses the first candidate that r can read, mended where that
// takes only a rewrite. If there is none, the first stays.
func (p *Pipeline) readable(ctx context.Context, c *casefile.Case, r bug.Runtime) error {
	first, err := p.Read(ctx, c.Repro.Files[bug.Script], r)
	c.Reading = &first
	if err != nil || first.Broken == nil || c.Modified != nil {
		return err
	}
	for i, candidate := range c.Candidates[:min(enough, len(c.Candidates))] {
		text, mends, reading, err := p.rewritten(ctx, candidate.Text, r)
		if err != nil {
			return err
		}
		if reading.Broken == nil {
			if i > 0 {
				p.choose(c, i, "; the one before it cannot be parsed")
			}
			c.Repro, c.Mends, c.Reading = p.repro(text), mends, &reading
			return nil
		}
		if strings.HasSuffix(c.Symptom.Class, "SyntaxError") {
			return nil // that is what it is about
		}
	}
	return nil
}

// rewritten reads text, and mends it by rewrites as long as it cannot be read.
func (p *Pipeline) rewritten(ctx context.Context, text string,
	r bug.Runtime) (string, []mend.Mend, syntax.Reading, error) {
	var mends []mend.Mend
	for {
		reading, err := p.Read(ctx, text, r)
		if err != nil || reading.Broken == nil || len(mends) == enough {
			return text, mends, reading, err
		}
		new, m := mend.Rewritten(text, reading.Broken.Message, p.Profile.Rewrites)
		if m == nil {
			return text, mends, reading, nil
		}
		text, mends = new, append(mends, *m)
	}
}

// exports asks r once where names of a package can be imported from.
func (p *Pipeline) exports(ctx context.Context, pkg string, names []string, r bug.Runtime) (map[string]string, error) {
	if pkg == "" || len(names) == 0 {
		return nil, nil
	}
	type question struct {
		Package string
		Names   []string
		Runtime bug.Runtime
	}
	return journal.Do(ctx, p.Log, "exports/1", question{pkg, names, r},
		func(ctx context.Context, q question) (map[string]string, error) {
			return syntax.Exports(ctx, q.Package, q.Names, sandbox.Tool(p.Box, r))
		})
}

// others tries the programs further down the list when the first one shows
// on no version what the report says, or prints on all of them what it says: a
// report with several sessions may complain of another. Only one that an older
// version shows and a newer does not speaks for itself; otherwise the first stays.
func (p *Pipeline) others(ctx context.Context, c casefile.Case) (casefile.Case, error) {
	verdict, _ := c.Verdict()
	told := []casefile.Verdict{casefile.Unsure, casefile.DifferentError, casefile.CannotRun, casefile.NeedsInfo}
	speaks := []casefile.Verdict{casefile.Fixed}
	if verdict == casefile.Reproduces && c.Symptom.InOutput() {
		told, speaks = append(told, verdict), append(speaks, casefile.Changed)
	}
	if len(c.Asked) == 1 || !slices.Contains(told, verdict) || c.Modified != nil || p.Expect != nil ||
		c.Consent.Decision != casefile.Proceed {
		return c, nil
	}
	for i := 1; i < min(enough, len(c.Candidates)); i++ {
		next := c
		next.Asked = nil
		p.choose(&next, i, "; the one before it does not show what was reported")
		if err := p.measure(ctx, &next); err != nil {
			return c, err
		}
		if verdict, _ := next.Verdict(); slices.Contains(speaks, verdict) {
			return next, nil
		}
	}
	return c, nil
}
