package sweeping

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/queue"
)

// beside does something with the queue while this process also works on what is in
// it, if it is to. If the worker cannot go on, neither can that.
func (a commands) beside(ctx context.Context, d swept.Desk, workers int,
	do func(ctx context.Context, q *queue.Queue) error) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	q, err := queue.Open(ctx, kept, queue.Options{ID: d.Worker})
	if err != nil {
		return err
	}
	defer q.Close()
	if workers == 0 {
		return do(ctx, q)
	}
	working, end := context.WithCancel(ctx)
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	ended := make(chan error, 1) // from the worker, which ends once
	go func() {
		err := d.Work(working, &swept.Working{Slots: workers, Log: a.quiet()})
		if err != nil && working.Err() == nil {
			lost(err)
		}
		ended <- err
	}()
	failed := do(ctx, q)
	end()
	if err := <-ended; !errors.Is(err, context.Canceled) { // else it was told to stop
		failed = errors.Join(failed, err)
	}
	return failed
}

// single are the flags of scrub issue that make no sense for many reports: how deep
// to go is said by the steps.
var single = []string{"modified", "expect", "minimize", "why", "test", "fixed", "offline"}

// eachFlags gives c the flags that say what to find out about each of many reports.
func eachFlags(c *cobra.Command, r *desk.IssueRequest) {
	flags.Issue(c, r, new(string))
	for _, name := range single {
		c.Flags().Lookup(name).Hidden = true
	}
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		for _, name := range single {
			if c.Flags().Changed(name) {
				return console.Usage("--%s is for one report: see scrub issue -h; --steps says how deep to go into many",
					name)
			}
		}
		return nil
	}
}
