package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) cases() *cobra.Command {
	return &cobra.Command{
		Use:   "cases",
		Short: "List all cases",
		Args:  console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.Asks(func(d console.Answerer) error {
				all, err := d.Cases(c.Context())
				if err != nil {
					return err
				}
				return a.Answer(all, casesText(all))
			})
		},
	}
}

// casesText is a table of cases.
func casesText(all []desk.Row) string {
	if len(all) == 0 {
		return "no cases yet: scrub issue FILE makes one\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CASE\tVERDICT\tWHEN\tISSUE\tTITLE")
	for _, one := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", one.ID, one.Verdict, one.Updated.Format(time.DateOnly), one.Ref,
			bug.Short(report.Clean(one.Title), 60))
	}
	_ = w.Flush() // a builder takes everything
	return b.String()
}

func (a *app) show() *cobra.Command {
	return &cobra.Command{
		Use:     "show CASE",
		Short:   "Show a case",
		Long:    "Shows a case. CASE is its id, a prefix of the id, or OWNER/REPO#N.",
		Example: "  scrub show 3fa2\n  scrub show pytorch/pytorch#123 --json",
		Args:    console.Wants(1, "a CASE"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.Asks(func(d console.Answerer) error {
				found, err := d.Case(c.Context(), args[0])
				if err != nil {
					return err
				}
				return a.Document(found, report.Markdown(found.Case))
			})
		},
	}
}

func (a *app) report() *cobra.Command {
	var md, asPage bool
	c := &cobra.Command{
		Use:     "report CASE --md|--html|--json",
		Short:   "Write a case as Markdown, HTML or JSON",
		Long:    "Writes a case as a document on stdout: Markdown (the default), one HTML page, or JSON.",
		Example: "  scrub report 3fa2 --html > case.html",
		Args:    console.Wants(1, "a CASE"),
		RunE: func(c *cobra.Command, args []string) error {
			if md && (asPage || a.JSON) || asPage && a.JSON {
				return console.Usage("choose one of --md, --html and --json")
			}
			return a.Asks(func(d console.Answerer) error {
				found, err := d.Case(c.Context(), args[0])
				if err != nil {
					return err
				}
				if !asPage {
					return a.Answer(found, report.Markdown(found.Case))
				}
				view := page.CaseView{Document: found.Document}
				if here, ok := d.(*desk.Desk); ok {
					if view.Moments, err = browsed.Happened(c.Context(), here, found.Document); err != nil {
						return err
					}
				}
				data, err := page.Export(view)
				if err != nil {
					return err
				}
				_, err = a.Out.Write(data)
				return err
			})
		},
	}
	c.Flags().BoolVar(&md, "md", false, "as Markdown")
	c.Flags().BoolVar(&asPage, "html", false, "as one HTML page")
	return c
}
