package deciding

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

func (a commands) decide() *cobra.Command {
	var r desk.DecideRequest
	return &cobra.Command{
		Use:   "decide PROGRAM proceed|skip|change|not-this",
		Short: "Record whether a program may run",
		Long: `Records whether a program may run. PROGRAM is the digest that scrub issue and
scrub show print, or a CASE for the program it has now. The decision is about
exactly those bytes, so an edited program needs a new one. "change" means that only a modified version may run, which
scrub issue takes with --modified.

Where a case asks whether what was seen is the reported failure, "not-this" says
no, and the report is treated as one that does not say what goes wrong; scrub
issue --expect says yes, or what it is instead.`,
		Example: `  scrub decide octo/snail#7 proceed
  scrub decide octo/snail#7 skip --by ann
  scrub decide octo/snail#7 not-this`,
		Args: console.Wants(2, "a PROGRAM and proceed, skip, change or not-this"),
		RunE: func(c *cobra.Command, args []string) error {
			r.Program, r.Said = args[0], args[1]
			return a.With(func(d *desk.Desk) error {
				r.By = d.User
				decided, err := d.Decide(c.Context(), r)
				if err != nil {
					return err
				}
				return a.Answer(decided, fmt.Sprintf("%s: %s, decided by %s\n", decided.Program, r.Said, r.By))
			})
		},
	}
}

func (a commands) decisions() *cobra.Command {
	return &cobra.Command{
		Use:   "decisions",
		Short: "List who decided which programs may run",
		Args:  console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.With(func(d *desk.Desk) error {
				all, err := d.Decisions(c.Context())
				if err != nil {
					return err
				}
				text := "no decisions yet\n"
				if len(all) > 0 {
					text = ""
				}
				for _, one := range all {
					text += fmt.Sprintf("%s  %s  %-8s %s\n", one.At.Format(time.DateTime), one.Program[:12], one.Decision,
						one.By)
				}
				return a.Answer(all, text)
			})
		},
	}
}
