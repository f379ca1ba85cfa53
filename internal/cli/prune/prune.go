// Package prune is the command that makes the state file smaller.
package prune

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/store"
)

// A Pruner forgets.
type Pruner struct{ *console.Console }

// answer is what is printed as JSON.
type answer struct {
	Before time.Time `json:"before"`
	DryRun bool      `json:"dry_run"`
	store.Pruned
}

// Command is scrub prune.
func (a Pruner) Command() *cobra.Command {
	var days int
	var dry bool
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
			if days < 0 {
				return console.Usage("--days must not be negative")
			}
			s, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			before := a.Now().AddDate(0, 0, -days)
			p, err := s.Prune(c.Context(), before, dry)
			if err != nil {
				return err
			}
			if dry {
				return a.Answer(answer{before, dry, p}, "would remove %d answers and %d cases from before %s; the state takes %s\n", p.Answers, p.Cases, before.Format(time.DateOnly), size(p.Before))
			}
			return a.Answer(answer{before, dry, p}, "removed %d answers and %d cases from before %s; the state takes %s, was %s\n", p.Answers, p.Cases, before.Format(time.DateOnly), size(p.After), size(p.Before))
		},
	}
	c.Flags().IntVar(&days, "days", 90, "keep what is younger than so many days; 0 keeps nothing but decisions and actions")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say what would be removed")
	return c
}

func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
