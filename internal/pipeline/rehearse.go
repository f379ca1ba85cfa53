package pipeline

import (
	"context"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/vet"
	"github.com/scrub-dev/scrub/internal/vet/watched"
)

// rehearse has a program that nobody has read watched in the box before anything is made of it. If it does what reading
// did not foresee, a person must say whether it may go on.
func (p *Pipeline) rehearse(ctx context.Context, s *casefile.Subject) error {
	w := watched.Watch{Box: p.Box, Log: p.Log, Profile: p.Profile, Limits: p.Limits}
	versions, err := p.Runtimes(ctx, p.Profile.Recorded(s.Package))
	if err != nil || len(versions) == 0 || !w.Walled() {
		return err
	}
	p.begin("rehearse", "watching what the program does")
	found, seen, err := w.Found(ctx, s.Repro, *s.Reading, versions[len(versions)-1])
	if err != nil {
		return err
	}
	p.found("rehearse", "%s", bug.Count(len(found), "finding"))
	if !vet.Asks(found) {
		p.Box = w.Heard(seen, s.Reading.OnlyImports(s.Repro.Files[bug.Script]))
		return nil
	}
	s.Findings = append(s.Findings, found...)
	s.Consent, err = p.Decide(ctx, *s)
	return err
}

// reached takes in what runs reached for that nobody foresaw. A program that nobody has read is asked about then.
func (p *Pipeline) reached(ctx context.Context, s *casefile.Subject) (err error) {
	before := len(s.Findings)
	for _, a := range s.Asked {
		for _, o := range a.Tally.Outcomes {
			s.Findings = append(s.Findings, vet.Stopped(o, s.Findings)...)
		}
	}
	if s.Consent.Unread() && vet.Asks(s.Findings[before:]) {
		s.Consent, err = p.Decide(ctx, *s)
	}
	return err
}
