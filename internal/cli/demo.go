package cli

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/forge/issuefile"
	"scrub/internal/report"
)

//go:embed demo/*.md
var demoReports embed.FS

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
		RunE: func(c *cobra.Command, _ []string) error { return a.runDemo(c.Context(), issueFlags{pythons: pythons}) },
	}
	c.Flags().StringArrayVar(&pythons, "python", nil, "interpreter to run them with")
	return c
}

func (a *app) runDemo(ctx context.Context, f issueFlags) error {
	files, err := demoReports.ReadDir("demo")
	if err != nil {
		return err
	}
	var all []casefile.Case
	for _, file := range files {
		text, err := demoReports.ReadFile("demo/" + file.Name())
		if err != nil {
			return err
		}
		c, err := a.demoCase(ctx, text, f)
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		all = append(all, c)
	}
	if a.JSON {
		return a.demoJSON(all)
	}
	_, err = io.WriteString(a.Out, demoText(all))
	return err
}

func (a *app) demoCase(ctx context.Context, text []byte, f issueFlags) (casefile.Case, error) {
	r, err := issuefile.Parse(text)
	if err != nil {
		return casefile.Case{}, err
	}
	p, err := a.pipeline(r, f)
	if err != nil {
		return casefile.Case{}, err
	}
	// Half the runs of the flaky one fail: enough of them show both sides.
	p.Times = 12
	v := a.View()
	defer v.Close()
	p.Tell = v.Tell
	p.Decide = func(context.Context, casefile.Case) (casefile.Consent, error) {
		return casefile.Consent{Said: casefile.Proceed, By: "scrub", Why: "the program is its own"}, nil
	}
	return p.Issue(ctx, r)
}

func (a *app) demoJSON(all []casefile.Case) error {
	docs := make([]json.RawMessage, len(all))
	for i, c := range all {
		data, err := report.JSON(c)
		if err != nil {
			return err
		}
		docs[i] = data
	}
	return a.Answer(docs, "")
}

// demoText is the first report in full, and then what became of each.
func demoText(all []casefile.Case) string {
	var b strings.Builder
	b.WriteString(report.Markdown(all[0]))
	b.WriteString("\n---\n\n# All of them\n\n")
	for _, c := range all {
		verdict, reason := c.Verdict()
		fmt.Fprintf(&b, "- %s\n  **%s**: %s\n", c.Report.Title, verdict, reason)
	}
	return report.Clean(b.String())
}
