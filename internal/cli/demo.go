package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/examples"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) demo() *cobra.Command {
	var pythons []string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Run ten sample reports on this machine, without network",
		Long: `Runs scrub on ten sample reports, written the way people write them, and shows
the verdicts and one whole report. It needs only a Python 3. Programs in which
nothing dangerous is found run in the sandbox; one waits for a decision. Nothing
is stored. The reports are also in the folder examples of the source.`,
		Args: console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.With(func(d *desk.Desk) error {
				all, err := demo(c.Context(), d, pythons)
				if err != nil {
					return err
				}
				return a.Document(all, demoText(all))
			})
		},
	}
	c.Flags().StringArrayVar(&pythons, "python", nil, "interpreter to run them with")
	return c
}

// demo takes the reports that scrub brings along to their verdicts. Nothing is
// kept and nobody is asked: the programs are scrub's own.
func demo(ctx context.Context, d *desk.Desk, pythons []string) (all []desk.Case, err error) {
	dir, err := os.MkdirTemp("", "scrub-demo-")
	if err != nil {
		return nil, err
	}
	d.State, d.Passing, d.MayRun, d.MayInstall = filepath.Join(dir, "scrub.db"), true, nil, nil
	defer func() { err = errors.Join(err, d.Close(), os.RemoveAll(dir)) }()
	for _, name := range examples.Names {
		f, err := examples.Reports.Open(name)
		if err != nil {
			return nil, err
		}
		r, err := desk.Parse(name, f)
		if err != nil {
			return nil, err
		}
		ask := desk.IssueRequest{Source: desk.Source{Report: &r, Name: name, Offline: true}, Pythons: pythons,
			ApproveClean: true}
		if name == "flaky.md" {
			ask.Runs = 12 // half of them fail: enough show both sides
		}
		c, err := d.Issue(ctx, ask)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// demoText is the first report in full, and then what became of each.
func demoText(all []desk.Case) string {
	var b strings.Builder
	b.WriteString(report.Markdown(all[0].Case))
	b.WriteString("\n---\n\n# All reports\n\n")
	for _, c := range all {
		fmt.Fprintf(&b, "- %s\n  **%s**: %s\n", c.Report.Title, c.Verdict, c.Reason)
	}
	b.WriteString("\nNext: `scrub issue FILE` or `scrub issue OWNER/REPO#N`, with a report of your own.\n")
	return b.String()
}
