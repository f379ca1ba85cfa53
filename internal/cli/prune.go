package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

func (a *app) prune() *cobra.Command {
	var r desk.PruneRequest
	c := &cobra.Command{
		Use:   "prune",
		Short: "Delete old runs and cases and free the disk space",
		Long: `Deletes old results from the state file: cached runs, readings and searches, and
cases that were not updated since. A case that is needed again is rebuilt.

Decisions about programs and actions, and the record of what was done in public,
are never deleted.`,
		Example: "  scrub prune --dry-run\n  scrub prune --days 30",
		Args:    console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.With(func(d *desk.Desk) error {
				p, err := d.Prune(c.Context(), r)
				if err != nil {
					return err
				}
				return a.Answer(p, pruneText(p))
			})
		},
	}
	c.Flags().IntVar(&r.Days, "days", 90,
		"keep results newer than this many days; 0 keeps only decisions and actions")
	c.Flags().BoolVar(&r.DryRun, "dry-run", false, "only print what would be removed")
	return c
}

// pruneText says what was removed, or would be.
func pruneText(p desk.Pruned) string {
	what := fmt.Sprintf("%d results and %d cases from before %s", p.Answers, p.Cases, p.Before.Format(time.DateOnly))
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
