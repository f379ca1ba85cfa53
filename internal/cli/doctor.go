package cli

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) doctor() *cobra.Command {
	var pythons []string
	var fix bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check what this machine has, what is missing, and what that disables",
		Long: `Checks the interpreters, the walls of the sandbox and the optional helper programs
on this machine. The exit code is 4 if a requirement is missing.

--fix proposes the commands that get what is missing and, on a terminal, runs
each that you agree to.`,
		Args: console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.With(func(d *desk.Desk) error {
				all, err := d.Doctor(c.Context(), pythons)
				if err != nil {
					return err
				}
				var text strings.Builder
				fit := true
				for _, k := range all {
					fit = fit && (k.OK || !k.Must)
					text.WriteString(checkText(k))
				}
				if err := a.Answer(all, text.String()); err != nil {
					return err
				}
				if fix {
					ran, err := a.fix(c.Context(), all)
					if err != nil {
						return err
					}
					if ran > 0 {
						a.Note("%s done; scrub doctor checks again", bug.Count(ran, "command"))
						return nil
					}
				}
				if fit {
					return nil
				}
				return console.Ends(console.No, nil)
			})
		},
	}
	c.Flags().BoolVar(&fix, "fix", false, "propose commands for what is missing, and run those you agree to")
	c.Flags().StringArrayVar(&pythons, "python", nil, "interpreter to check")
	return c
}

// fix proposes what gets that which is missing, and runs what a person agrees to.
func (a *app) fix(ctx context.Context, all []desk.Check) (ran int, err error) {
	proposed := 0
	for _, k := range all {
		if k.OK || len(k.Command) == 0 {
			continue
		}
		proposed++
		line := report.Shell(k.Command...)
		if !a.InTTY || !a.ErrTTY {
			a.Note("for %s: %s", k.Name, line)
			continue
		}
		yes, err := a.Yes(ctx, fmt.Sprintf("\n%s is missing: %s.\nRun %s?", k.Name, k.Cost, line))
		if err != nil {
			return ran, err
		}
		if !yes {
			continue
		}
		cmd := exec.CommandContext(ctx, k.Command[0], k.Command[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = a.In, a.Err, a.Err
		if err := cmd.Run(); err != nil {
			a.Note("%s: %v", line, err)
			continue
		}
		ran++
	}
	if proposed == 0 {
		a.Note("no command is known that would fix what is missing")
	}
	return ran, nil
}

// checkText is a line about one thing.
func checkText(k desk.Check) string {
	switch {
	case k.OK:
		return fmt.Sprintf("ok       %-19s %s\n", k.Name, k.Is)
	case k.Must:
		return fmt.Sprintf("MISSING  %-19s %s; %s\n", k.Name, k.Cost, k.Fix)
	}
	return fmt.Sprintf("missing  %-19s %s; %s\n", k.Name, k.Cost, k.Fix)
}
