package cli

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/report"
)

func (a *app) cases() *cobra.Command {
	return &cobra.Command{
		Use:   "cases",
		Short: "List what was found so far",
		Args:  console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			all, err := s.Cases(c.Context())
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Answer(all, "")
			}
			if len(all) == 0 {
				return a.Answer(nil, "no cases yet: scrub issue FILE makes one\n")
			}
			w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "CASE\tVERDICT\tWHEN\tISSUE\tTITLE")
			for _, one := range all {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", one.ID, one.Verdict, one.Updated.Format(time.DateOnly), one.Ref, bug.Short(report.Clean(one.Title), 60))
			}
			return w.Flush()
		},
	}
}

// load reads a case from the record. Only what was observed counts: the
// verdict that stands beside it is derived anew.
func (a *app) load(c *cobra.Command, name string) (casefile.Case, error) {
	var found casefile.Case
	s, err := a.Open(c.Context())
	if err != nil {
		return found, err
	}
	defer s.Close()
	kept, err := s.Case(c.Context(), name)
	if err != nil {
		return found, fmt.Errorf("%w; scrub cases lists them", err)
	}
	if err := json.Unmarshal(kept.Body, &found); err != nil {
		return found, fmt.Errorf("case %s is damaged: %w", kept.ID, err)
	}
	return found, nil
}

func (a *app) show() *cobra.Command {
	return &cobra.Command{
		Use:     "show CASE",
		Short:   "Show a case again",
		Long:    "Shows a case again. CASE is its id or the beginning of it, or OWNER/REPO#N.",
		Example: "  scrub show 3fa2\n  scrub show pytorch/pytorch#123 --json",
		Args:    console.Wants(1, "a CASE"),
		RunE: func(c *cobra.Command, args []string) error {
			found, err := a.load(c, args[0])
			if err != nil {
				return err
			}
			return a.print(found)
		},
	}
}

func (a *app) report() *cobra.Command {
	var md, page bool
	c := &cobra.Command{
		Use:     "report CASE --md|--html|--json",
		Short:   "Write a case as a document",
		Long:    "Writes a case as a document on standard output: Markdown (the default), one HTML page, or JSON.",
		Example: "  scrub report 3fa2 --html > case.html",
		Args:    console.Wants(1, "a CASE"),
		RunE: func(c *cobra.Command, args []string) error {
			if md && (page || a.JSON) || page && a.JSON {
				return console.Usage("choose one of --md, --html and --json")
			}
			found, err := a.load(c, args[0])
			if err != nil {
				return err
			}
			if !page {
				return a.print(found)
			}
			data, err := report.HTML(found)
			if err != nil {
				return err
			}
			_, err = a.Out.Write(data)
			return err
		},
	}
	c.Flags().BoolVar(&md, "md", false, "as Markdown")
	c.Flags().BoolVar(&page, "html", false, "as one HTML page")
	return c
}
