package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"scrub/internal/bisect"
	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/culprit"
	"scrub/internal/history"
	"scrub/internal/oracle"
	"scrub/internal/pipeline"
)

// bisectBy lets a command of the person's own answer: for versions in its
// line, or in the tree of each commit of a clone.
func (a *app) bisectBy(ctx context.Context, v *console.View, f bisectFlags) (*casefile.When, error) {
	when := &casefile.When{Of: "version"}
	var commits []bug.Commit
	var trees history.Trees
	bad, good := 0, 0
	if f.git != "" {
		if f.bad == "" || f.good == "" {
			return nil, console.Usage("with --git the command needs both ends: say --good COMMIT and --bad COMMIT")
		}
		clone, err := history.Open(ctx, f.git, a.CacheDir("clones"))
		if err != nil {
			return nil, console.Usage("--git: %w", err)
		}
		if commits, bad, good, err = clone.Between(ctx, f.bad, f.good); err != nil {
			return nil, console.Usage("%w", err)
		}
		trees = history.Trees{Clone: clone, Dir: a.CacheDir("trees"), Keep: 50, Now: a.Now}
		when.Of = "commit"
		for _, c := range commits {
			when.Versions = append(when.Versions, c.ID)
		}
	} else {
		when.Versions = strings.Split(f.within, ",")
		if bad, good = len(when.Versions)-1, 0; len(when.Versions) < 2 {
			return nil, console.Usage("want --git DIR, or --versions with some versions, oldest first and separated by commas")
		}
	}
	s := bisect.Search{N: len(when.Versions), Bad: bad, Good: good, Workers: a.jobs(f.jobs), Saw: func(_, i int, k bisect.Known) {
		v.Tell(pipeline.Event{Step: "when", Text: fmt.Sprintf("%s: %v, %s", when.Versions[i], k.Answer, k.Why), Done: true})
	}}
	s.Ask = func(ctx context.Context, i int) (bisect.Known, error) {
		dir := "."
		if f.git != "" {
			var err error
			if dir, err = trees.Whole(ctx, when.Versions[i]); err != nil {
				return bisect.Known{}, err
			}
		}
		return oracle.Command{Line: f.cmd, Limit: f.timeout}.Has(ctx, when.Versions[i], dir)
	}
	var err error
	if when.Found, err = s.Run(ctx); err != nil {
		if errors.Is(err, bisect.ErrNotShown) || errors.Is(err, bisect.ErrShown) {
			when.Why = fmt.Sprintf("Cannot verify: %v.", err)
			return when, nil
		}
		return nil, err
	}
	if c := when.Found.Found; c != nil && f.git != "" {
		when.Suspects = culprit.Rank(culprit.Clue{}, commits[c.From+1:c.To+1])
		own := *when
		own.Commits, own.Suspects = nil, nil
		when.Commits = &own
	}
	return when, nil
}
