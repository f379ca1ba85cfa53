package cli

import (
	"context"
	"errors"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) triage() *cobra.Command {
	var r desk.TriageRequest
	c := &cobra.Command{
		Use:   "triage SOURCE…",
		Short: "List what reports contain and whether they are actionable, without running anything",
		Long: `Parses reports and lists, for each, whether it is actionable and why not, which
programs are in it and which one would be tried, what it says goes wrong, and which
labels its programs and output speak for.
Nothing is run and nothing is stored.`,
		Example: `  scrub triage report.md
  scrub triage backlog/ --json | jq -r '.[] | [.source, .verdict // "act", .reason] | @tsv'`,
		Args: atLeast("SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error { return a.runTriage(c.Context(), args, r) },
	}
	flags.Source(c, &r.Source)
	c.Flags().StringVar(&r.Profile, "profile", "",
		"project profile, a name or a folder (default: by the issue's repository)")
	return c
}

func (a *app) runTriage(ctx context.Context, names []string, r desk.TriageRequest) error {
	return a.With(func(d *desk.Desk) error {
		all := []desk.Triaged{}
		var text strings.Builder
		failed := a.each(names, func(name string) error {
			one := r
			var err error
			if one.Source, err = a.source(name, r.Source); err != nil {
				return err
			}
			t, err := d.Triage(ctx, one)
			if err != nil {
				return err
			}
			all = append(all, t)
			text.WriteString(report.Triage(t.Source, t.Reason, t.Case, t.Routes))
			return nil
		})
		if len(all) == 0 {
			return failed
		}
		return errors.Join(a.Answer(all, strings.TrimSpace(text.String())+"\n"), failed)
	})
}
