package watched

import (
	"context"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/pairing"
	"github.com/scrub-dev/scrub/internal/session"
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
func Pairs(ctx context.Context, dir, work string) (Paired, error) {
	var got Paired
	in, err := checkout.Open(ctx, dir, work)
	if err != nil {
		return got, err
	}
	p := Clone{in}
	sessions, err := p.Kept(ctx)
	if err != nil {
		return got, err
	}
	all, err := p.pulls(ctx, sessions)
	if err != nil {
		return got, err
	}
	pulls := asPulls(all)
	count := func(c *cochange.Count, pair, truth string) {
		if pair != "" {
			c.Of++
			if pair == truth {
				c.Followed++
			}
		}
	}
	for _, s := range sessions {
		w := asWork(s)
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

func asWork(s session.Session) pairing.Work {
	var wrote []string
	for _, step := range s.Steps {
		if step.Wrote != "" && step.Path != "" {
			wrote = append(wrote, step.Wrote)
		}
	}
	return pairing.Work{Branch: s.Branch, Start: s.Start, Marks: s.Marks, Issues: s.Issues, Written: pairing.Of(wrote...)}
}

// merged is a pull request as it is paired, with the files it changed.
type merged struct {
	pairing.Pull
	number int
	files  map[string]bool
}

// afterwards is how long after the last session its pull request may be merged.
const afterwards = 30 * 24 * time.Hour

// pulls are those that sessions may have led to.
func (p Clone) pulls(ctx context.Context, sessions []session.Session) ([]merged, error) {
	if len(sessions) == 0 {
		return nil, nil
	}
	inOrder(sessions)
	from, to := sessions[0].Start, sessions[len(sessions)-1].Start.Add(afterwards)
	all, err := p.Pulls(ctx, checkout.Window, from, to)
	if err != nil {
		return nil, err
	}
	var pulls []merged
	for _, one := range all {
		patch, err := p.Patch(ctx, one)
		if err != nil {
			return nil, err
		}
		m := merged{pairing.Pull{ID: one.ID, Branch: one.Branch, Merged: one.When, Marks: one.Checkpoints,
			Closes: one.Closes},
			one.Number, map[string]bool{}}
		var added []string
		for name, file := range history.ReadPatch(patch) {
			m.files[name] = true
			added = append(added, strings.Join(file.Added, "\n"))
		}
		m.Written = pairing.Of(added...)
		pulls = append(pulls, m)
	}
	return pulls, nil
}

// asPulls are the pull requests alone.
func asPulls(all []merged) []pairing.Pull {
	var pulls []pairing.Pull
	for _, m := range all {
		pulls = append(pulls, m.Pull)
	}
	return pulls
}
