package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/desk"
)

func (a *app) prune() *cobra.Command {
	var r desk.PruneRequest
	c := &cobra.Command{
		Use:   "prune",
		Short: "Forget old runs and cases, and give the room on the disk back",
		Long: `Removes from the state file what was found out more than some days ago: runs,
readings and searches that are remembered so that they need not be repeated, and
cases that were not touched since. A case that is looked at again is made anew.

What people have decided about programs and actions, and what was done in
public, is never removed.`,
		Example: "  scrub prune --dry-run\n  scrub prune --days 30",
		Args:    console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(d *desk.Desk) error {
				p, err := d.Prune(c.Context(), r)
				if err != nil {
					return err
				}
				return a.Answer(p, pruneText(p))
			})
		},
	}
	c.Flags().IntVar(&r.Days, "days", 90,
		"keep what is younger than so many days; 0 keeps nothing but decisions and actions")
	c.Flags().BoolVar(&r.DryRun, "dry-run", false, "only say what would be removed")
	return c
}

// pruneText says what was removed, or would be.
func pruneText(p desk.Pruned) string {
	what := fmt.Sprintf("%d answers and %d cases from before %s", p.Answers, p.Cases, p.Before.Format(time.DateOnly))
	if p.DryRun {
		return fmt.Sprintf("would remove %s; the state takes %s\n", what, size(p.Pruned.Before))
	}
	return fmt.Sprintf("removed %s; the state takes %s, was %s\n", what, size(p.After), size(p.Pruned.Before))
}

func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
