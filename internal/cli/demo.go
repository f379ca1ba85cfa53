package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) demo() *cobra.Command {
	var pythons []string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Run eight sample reports on this machine, without network",
		Long: `Runs scrub on eight sample reports, written the way people write them, and shows
the verdicts and one whole report. It needs only a Python 3. The programs are
scrub's own, so no approval is needed; they run in the sandbox all the same.
Nothing is stored.`,
		Args: console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(d *desk.Desk) error {
				all, err := demo(c.Context(), d, pythons)
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

//go:embed demo/*.md
var demoReports embed.FS

// demo takes the reports that scrub brings along to their verdicts. Nothing is
// kept and nobody is asked: the programs are scrub's own.
func demo(ctx context.Context, d *desk.Desk, pythons []string) (all []desk.Case, err error) {
	dir, err := os.MkdirTemp("", "scrub-demo-")
	if err != nil {
		return nil, err
	}
	d.State, d.User, d.MayRun, d.MayInstall = filepath.Join(dir, "scrub.db"), "scrub", desk.Agree, nil
	defer func() { err = errors.Join(err, d.Close(), os.RemoveAll(dir)) }()
	files, err := demoReports.ReadDir("demo")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		f, err := demoReports.Open("demo/" + file.Name())
		if err != nil {
			return nil, err
		}
		r, err := desk.Parse(file.Name(), f)
		if err != nil {
			return nil, err
		}
		// Half the runs of the flaky one fail: enough of them show both sides.
		source := desk.Source{Report: &r, Name: file.Name(), Offline: true}
		c, err := d.Issue(ctx, desk.IssueRequest{Source: source, Pythons: pythons, Runs: 12})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
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
	return b.String()
}
