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
	versions, err := p.Runtimes(ctx, packages(p.Profile.Package, []string{s.Package}))
	if err != nil || len(versions) == 0 || !w.Walled() {
		return err
	}
	p.begin("rehearse", "watching what the program does")
	found, err := w.Found(ctx, s.Repro, *s.Reading, versions[len(versions)-1])
	if err != nil {
		return err
	}
	p.found("rehearse", "%s", bug.Count(len(found), "finding"))
	if !vet.Asks(found) {
		return nil
	}
	s.Findings = append(s.Findings, found...)
	s.Consent, err = p.Decide(ctx, *s)
	return err
}
