package sweeping

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/project"
)

func (a commands) report() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "report [SWEEP]",
		Short: "Show what came of a sweep: what can be closed, what still fails, what belongs together",
		Example: `  scrub sweep report
  scrub sweep report --format html > backlog.html
  scrub sweep report --format csv | sort`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usage("scrub sweep report takes at most one SWEEP")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			d := a.desk()
			defer d.Close()
			b, err := d.Report(c.Context(), strings.Join(args, ""))
			if err != nil {
				return err
			}
			if a.JSON {
				format = "json"
			}
			switch format {
			case "markdown":
				return a.Answer(b, b.Markdown())
			case "json":
				a.JSON = true
				return a.Answer(b, "")
			case "html":
				page, err := b.HTML()
				if err == nil {
					_, err = a.Out.Write(page)
				}
				return err
			case "csv":
				text, err := b.CSV()
				if err == nil {
					_, err = a.Out.Write([]byte(text))
				}
				return err
			}
			return console.Usage("--format %s: want markdown, html, csv or json", format)
		},
	}
	c.Flags().StringVar(&format, "format", "markdown", "markdown, html, csv or json")
	return c
}

func (a commands) stats() *cobra.Command {
	return &cobra.Command{
		Use:   "stats [OWNER/REPO]",
		Short: "Show how accurate scrub has been: objections, reopened issues, verdicts that did not last",
		Long: `Counts the issues on which something was done in public, and those on which
somebody objected with /scrub wrong or opened again what was closed, as seen when
the issues were last read. Above the limit in the profile (most_wrong), from
twenty issues on, scrub apply writes comments and changes nothing else.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usage("scrub stats takes at most one OWNER/REPO")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			repo := strings.Join(args, "")
			prof, err := project.For("", repo)
			if err != nil {
				return err
			}
			d := a.desk()
			defer d.Close()
			s, err := d.Stats(c.Context(), repo, prof.MostWrong)
			if err != nil {
				return err
			}
			return a.Answer(s, statsText(s))
		},
	}
}

func statsText(s swept.Stats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", bug.Count(s.Cases, "case"))
	for _, v := range slices.Sorted(maps.Keys(s.Verdicts)) {
		fmt.Fprintf(&b, "\n  %6d %s", s.Verdicts[v], v)
	}
	fmt.Fprintf(&b, "\n\nPublic actions on %s: %d with an objection, %d reopened (%.1f %%; the limit is "+
		"%.0f %%).\n", bug.Count(s.Issues, "issue"), s.Objected, s.Reopened, 100*s.Wrong, 100*s.Limit)
	if s.Advises {
		b.WriteString("That is above the limit: scrub apply writes comments and changes nothing else.\n")
	}
	for _, t := range s.Turned {
		fmt.Fprintf(&b, "%s %s: %s, then %s, on the same version %s\n", t.Case, t.Ref, t.Was, t.Is, t.Version)
	}
	return b.String()
}
