package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) ablate() *cobra.Command {
	var r desk.AblateRequest
	c := &cobra.Command{
		Use:   "ablate FILE",
		Short: "Vary one knob at a time to find what a bug depends on and which component it is in",
		Long: `Runs a program unmodified, and then again with each of the profile's knobs
changed: for PyTorch the compiler's backends from none to all of it, its modes,
dynamic shapes, device and dtype; for any Python program hash seed, threads,
checks and assertions. The file itself is not changed: knobs are environment
variables, a shim around the compiler's entry points, or a rewrite shown in the
table.

The first stage that shows the bug names the component; the knobs that make it
go away are what it depends on; the simplest setting that still shows it is
verified as a whole. Where the compiler has a bisector, it is run to find the
pass or lowering. The exit code is 4 if the unmodified program does not show
the bug.`,
		Example: `  scrub ablate repro.py --python venv/bin/python
  scrub ablate repro.py --expect 'AssertionError: Tensor-likes are not close' --json | jq .component`,
		Args: console.Wants(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runAblate(c.Context(), args[0], r) },
	}
	flags.Program(c, &r.Program, 1)
	c.Flags().IntVarP(&r.Jobs, "jobs", "j", 0, "runs at once (default: one for each processor)")
	c.Flags().BoolVar(&r.Shallow, "shallow", false, "do not run the compiler's own bisector")
	c.Flags().StringSliceVar(&r.Knobs, "knob", nil, "only these knobs")
	return c
}

func (a *app) runAblate(ctx context.Context, file string, r desk.AblateRequest) (err error) {
	if r.Text, err = program(file); err != nil {
		return err
	}
	return a.With(func(d *desk.Desk) error {
		why, err := d.Ablate(ctx, r)
		if err != nil {
			return err
		}
		return a.Answer(why, fmt.Sprintf("%s: %s\n\n%s\n", file, bug.Squeeze(why.Symptom.String()),
			strings.TrimSpace(report.Why(why.Why))))
	})
}
