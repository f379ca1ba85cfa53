package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/console"
	"scrub/internal/desk"
	"scrub/internal/report"
)

func (a *app) ablate() *cobra.Command {
	var r desk.AblateRequest
	c := &cobra.Command{
		Use:   "ablate FILE",
		Short: "Turn one knob at a time and say what a bug depends on and whose code it is",
		Long: `Runs a program as it is, and then again with each of the profile's knobs
turned: for PyTorch the compiler's backends from none to all of it, its modes,
dynamic shapes, device and dtype; for any Python hash seed, threads, checks
and assertions. Nothing in the file is edited by hand: variables, a shim
around the compiler's entry points, or a rewrite shown in the table turn them.

The first stage that shows the bug names the component; the knobs that make
it go away are what it depends on; the plainest setting that still shows it is
tried as a whole. Where the compiler has a bisector, it is driven to the pass
or lowering. The exit code is 4 if the program, as it is, shows nothing.`,
		Example: `  scrub ablate repro.py --python venv/bin/python
  scrub ablate repro.py --expect 'AssertionError: Tensor-likes are not close' --json | jq .component`,
		Args: console.Wants(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runAblate(c.Context(), args[0], r) },
	}
	programFlags(c, &r.Program, 1)
	c.Flags().IntVarP(&r.Jobs, "jobs", "j", 0, "runs at once (default: one for each processor)")
	c.Flags().BoolVar(&r.Shallow, "shallow", false, "do not look into the component with its own bisector")
	c.Flags().StringSliceVar(&r.Knobs, "knob", nil, "only these knobs")
	return c
}

func (a *app) runAblate(ctx context.Context, file string, r desk.AblateRequest) (err error) {
	if r.Text, err = program(file); err != nil {
		return err
	}
	return a.with(func(d *desk.Desk) error {
		why, err := d.Ablate(ctx, r)
		if err != nil {
			return err
		}
		return a.Answer(why, fmt.Sprintf("%s: %s\n\n%s\n", file, bug.Squeeze(why.Symptom.String()),
			strings.TrimSpace(report.Why(why.Why))))
	})
}
