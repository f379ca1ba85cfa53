package guide

import (
	"context"
	"strings"

	"scrub/internal/cochange"
	"scrub/internal/pairing"
	"scrub/internal/session"
)

// Paired is how well sessions are paired with the pull requests they led to, by those that commits name.
type Paired struct {
	Known    int            `json:"known"` // sessions whose pull request a commit names
	ByBranch cochange.Count `json:"by_branch"`
	ByLines  cochange.Count `json:"by_lines"`
	Sure     cochange.Count `json:"by_lines_sure"`
	Nearest  cochange.Count `json:"next_merged"` // the trivial way: the pull request that was merged next
}

// Pairs pairs the sessions that a clone keeps with its pull requests, without the marks that name them, and counts how
// often that is right.
func Pairs(ctx context.Context, r Request) (Paired, error) {
	var got Paired
	p, err := open(ctx, r.Dir, r.Work)
	if err != nil {
		return got, err
	}
	sessions, err := p.entireSessions(ctx)
	if err != nil {
		return got, err
	}
	pulls, err := p.pulls(ctx)
	if err != nil {
		return got, err
	}
	count := func(c *cochange.Count, pair, truth string) {
		if pair != "" {
			c.Of++
			if pair == truth {
				c.Followed++
			}
		}
	}
	for _, s := range sessions {
		w := work(s)
		truth := pairing.Find(w, pulls, pairing.ByMark).Pull
		if truth == "" {
			continue
		}
		got.Known++
		count(&got.ByBranch, pairing.Find(w, pulls, pairing.ByBranch).Pull, truth)
		lines := pairing.Find(w, pulls, pairing.ByLines)
		count(&got.ByLines, lines.Pull, truth)
		if lines.Sure {
			count(&got.Sure, lines.Pull, truth)
		}
		if lines.Pull != "" {
			count(&got.Nearest, pairing.Nearest(w, pulls).Pull, truth)
		}
	}
	return got, nil
}

func work(s session.Session) pairing.Work {
	var wrote []string
	for _, step := range s.Steps {
		if step.Wrote != "" && step.Path != "" {
			wrote = append(wrote, step.Wrote)
		}
	}
	return pairing.Work{Branch: s.Branch, Start: s.Start, Marks: s.Marks, Written: pairing.Of(wrote...)}
}

func (p project) pulls(ctx context.Context) ([]pairing.Pull, error) {
	all, err := p.Pulls(ctx, window)
	if err != nil {
		return nil, err
	}
	var pulls []pairing.Pull
	for _, one := range all {
		added, err := p.Added(ctx, one)
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, pairing.Pull{ID: one.ID, Branch: one.Branch, Merged: one.When, Marks: one.Checkpoints,
			Written: pairing.Of(strings.Join(added, ""))})
	}
	return pulls, nil
}
