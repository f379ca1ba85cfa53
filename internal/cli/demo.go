package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/desk"
	"scrub/internal/report"
)

func (a *app) demo() *cobra.Command {
	var pythons []string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Take eight reports to eight fates, on this machine, without network",
		Long: `Runs scrub over a handful of reports that it brings along, written the way
people write them, and shows the verdicts and one whole report. It needs only
a Python 3. The programs are scrub's own, so nobody is asked; they run in the
box all the same. Nothing is kept.`,
		Args: console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(d *desk.Desk) error {
				all, err := d.Demo(c.Context(), pythons)
				if err != nil {
					return err
				}
				return a.Answer(all, demoText(all))
			})
		},
	}
	c.Flags().StringArrayVar(&pythons, "python", nil, "interpreter to run them with")
	return c
}

// demoText is the first report in full, and then what became of each.
func demoText(all []desk.Case) string {
	var b strings.Builder
	b.WriteString(report.Markdown(all[0].Case))
	b.WriteString("\n---\n\n# All of them\n\n")
	for _, c := range all {
		fmt.Fprintf(&b, "- %s\n  **%s**: %s\n", c.Report.Title, c.Verdict, c.Reason)
	}
	return b.String()
}
