package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide"
	"github.com/scrub-dev/scrub/internal/guide/watched"
	"github.com/scrub-dev/scrub/internal/journal"
)

// measureGuide says of clones how often the rules of each hold on its newest changes, and, where sessions are kept, how
// often they are paired rightly without what names them.
func measureGuide(clones []string) error {
	ctx := context.Background()
	share := func(c cochange.Count) string {
		return fmt.Sprintf("%d of %d (%.0f %%)", c.Followed, c.Of, 100*c.Share())
	}
	for _, dir := range clones {
		r := guide.Request{Dir: dir, Work: filepath.Join(os.TempDir(), "scrub-clones"), Log: &journal.Mem{}}
		g, err := guide.Make(ctx, r)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d rules", dir, len(g.Lines)+len(g.Left))
		for _, l := range g.Measured {
			fmt.Printf("; bound %.1f: %s", l.Bound, share(l.Right))
		}
		fmt.Printf("; %d skills, all steps %s\n", len(g.Skills), share(g.Steps))
		if g.Sessions == nil {
			continue
		}
		p, err := watched.Pairs(ctx, r.Dir, r.Work)
		if err != nil {
			return err
		}
		fmt.Printf("  %d sessions, %d with a pull request that commits name: by branch %s; by lines %s, sure %s; next merged %s\n",
			g.Sessions.Read, p.Known, share(p.ByBranch), share(p.ByLines), share(p.Sure), share(p.Nearest))
	}
	return nil
}
