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

func (a *app) run() *cobra.Command {
	var r desk.RunRequest
	var cold bool
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program in the sandbox and report what it did",
		Long: `Runs a Python file in the sandbox, -n times, and reports how each run ended and
what it cost. With --expect it answers whether the program shows that
symptom: the exit code is 0 for yes and 4 for no.

The program runs without asking, unless something dangerous is found in it: then
you are asked, or without a terminal the exit code is 3. Nothing is cached.

--warm runs it as a fork of an interpreter that has already imported what it
imports, which is many times faster, and confirms the answer with a cold run.`,
		Example: `  scrub run repro.py
  scrub run repro.py -n 20 --expect 'RuntimeError: mat1 and mat2 shapes cannot be multiplied'
  scrub run repro.py --warm -n 500 --json | jq .tally.yes`,
		Args: console.Wants(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runFile(c.Context(), args[0], r, cold) },
	}
	flags.Program(c, &r.Program, 1)
	c.Flags().BoolVar(&r.Warm, "warm", false, "fork a warm interpreter for each run, and confirm with a cold one")
	c.Flags().BoolVar(&cold, "cold", false, "start a new interpreter for each run (the default)")
	return c
}

func (a *app) runFile(ctx context.Context, file string, r desk.RunRequest, cold bool) (err error) {
	switch {
	case r.Runs < 1:
		return console.Usage("--runs must be at least 1")
	case r.Warm && cold:
		return console.Usage("--warm and --cold cannot be combined")
	}
	if r.Text, err = program(file); err != nil {
		return err
	}
	return a.With(func(d *desk.Desk) error {
		answer, err := d.Run(ctx, r)
		if err != nil {
			return err
		}
		if err := a.Answer(answer, runText(answer)); err != nil {
			return err
		}
		if answer.Answer != nil && *answer.Answer == bug.No {
			return console.Ends(console.No, nil)
		}
		return nil
	})
}

// runText says what a program did.
func runText(r desk.Run) string {
	var b strings.Builder
	all := r.Tally.Outcomes
	if c := r.Tally.Compared; c != nil {
		fmt.Fprintf(&b, "%s: it takes %v; %g times was asked for (%.1f %% confidence)\n", *r.Answer, *c,
			r.Symptom.Factor, 100*c.Sure)
	} else if r.Answer != nil {
		fmt.Fprintf(&b, "%s: %d of %d runs show %s\n", *r.Answer, r.Tally.Yes, r.Tally.Runs(), *r.Symptom)
	}
	b.WriteString(report.Runs("Python "+r.Runtime.Version, all))
	if r.Cold != nil {
		fmt.Fprintf(&b, "verified in a new process: the program %s\n", r.Cold.Words())
	}
	last := all[len(all)-1]
	if out := strings.TrimRight(last.Stdout, "\n"); out != "" {
		fmt.Fprintf(&b, "\nstdout:\n%s\n", out)
	}
	if out := strings.TrimRight(last.Stderr, "\n"); out != "" {
		fmt.Fprintf(&b, "\nstderr:\n%s\n", out)
	}
	return b.String()
}
