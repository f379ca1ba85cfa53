package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

func (a *app) doctor() *cobra.Command {
	var pythons []string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check what this machine has, what is missing, and what that disables",
		Long: `Checks the interpreters, the walls of the sandbox and the optional helper programs
on this machine. The exit code is 4 if a requirement is missing.`,
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
				if err := a.Answer(all, text.String()); err != nil || fit {
					return err
				}
				return console.Ends(console.No, nil)
			})
		},
	}
	c.Flags().StringArrayVar(&pythons, "python", nil, "interpreter to check")
	return c
}

// checkText is a line about one thing.
func checkText(k desk.Check) string {
	switch {
	case k.OK:
		return fmt.Sprintf("ok       %-18s %s\n", k.Name, k.Is)
	case k.Must:
		return fmt.Sprintf("MISSING  %-18s %s; %s\n", k.Name, k.Cost, k.Fix)
	}
	return fmt.Sprintf("missing  %-18s %s; %s\n", k.Name, k.Cost, k.Fix)
}
