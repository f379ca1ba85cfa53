package pipeline

import (
	"context"
	"maps"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/guess/scale"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/judge"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
	"github.com/scrub-dev/scrub/internal/triage"
)

// suppose puts what somebody made up in its place. A program in a report that has none sets aside that it has none.
func (p *Pipeline) suppose(c *casefile.Case) {
	g := p.Guess
	if g.Version != "" {
		c.Reported = g.Version
	}
	if g.Program == "" {
		return
	}
	if c.Triage != nil && (c.Triage.ByWords || casefile.Verdict(c.Triage.Verdict) == casefile.NeedsInfo) {
		c.Triage, c.Proposals = nil, nil
		p.take(c)
	}
	if c.Triage == nil {
		c.Candidates = []triage.Candidate{{Program: intake.Program{Text: g.Program, Author: g.By}, Why: "made up by " + g.By}}
		c.OfText = injected(*c, p.Profile)
		p.choose(c, 0, "")
	}
}

// repro is a program with what it reads.
func (p *Pipeline) repro(text string) bug.Repro {
	r := bug.Program(text)
	if p.Guess != nil {
		maps.Copy(r.Files, p.Guess.Files)
	}
	return r
}

// weigh finds out whether what was measured bears out what somebody made up.
func (p *Pipeline) weigh(ctx context.Context, c *casefile.Case) error {
	on := scale.Scale{Guess: *p.Guess, Box: p.Box, Log: p.Log, Limits: p.Limits, Round: p.Round, Has: p.Profile.Has,
		Read: p.Read}
	weighed, err := on.Weigh(ctx, *c)
	c.Guess = &weighed
	return err
}

// meant is the difference that somebody says is the complaint, if it was observed.
func (p *Pipeline) meant(seen *casefile.Observed) (observe.Difference, bool) {
	for _, c := range seen.Clues {
		if bug.Squeeze(c.Text) != bug.Squeeze(p.Guess.Statement) {
			continue
		}
		quote := mention.Hit{Level: mention.Proposed, Quote: p.Guess.Quote}
		probability := judge.Fitted().Probability(c, seen.Older)
		seen.Judged = &casefile.Judged{Clue: c, Probability: probability, Fixed: true, Quote: &quote, OfOlder: true}
		return c.Difference, true
	}
	return observe.Difference{}, false
}
