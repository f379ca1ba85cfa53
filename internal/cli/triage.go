package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/pipeline"
	"scrub/internal/report"
)

func (a *app) triage() *cobra.Command {
	var f issueFlags
	c := &cobra.Command{
		Use:   "triage SOURCE…",
		Short: "Say what is in reports and whether they can be acted on, without running anything",
		Long: `Takes reports apart and says, for each, whether it can be acted on and why not,
which programs are in it and which one would be tried, and what it says goes
wrong. Nothing is run and nothing is kept.`,
		Example: `  scrub triage report.md
  scrub triage backlog/*.json --json | jq -r '.[] | [.source, .verdict // "act", .reason] | @tsv'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s wants at least one SOURCE: a file, - or OWNER/REPO#N", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.runTriage(c.Context(), args, f) },
	}
	c.Flags().StringVar(&f.forge, "forge", "", "a folder to use as the forge")
	c.Flags().StringVar(&f.profile, "profile", "", "what is known about the project: a name or a folder (default: by the issue's repository)")
	return c
}

// A triaged is what scrub triage says of one report.
type triaged struct {
	Source  string           `json:"source"`
	Verdict casefile.Verdict `json:"verdict,omitempty"` // empty if it can be acted on
	Reason  string           `json:"reason"`
	casefile.Case
}

func (a *app) runTriage(ctx context.Context, sources []string, f issueFlags) error {
	var all []triaged
	var text strings.Builder
	for _, source := range sources {
		r, err := a.read(ctx, source, f.forge)
		if err != nil {
			return err
		}
		t, err := a.triageOne(source, r, f)
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		all = append(all, t)
		text.WriteString(triageText(t))
	}
	if a.json {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(all)
	}
	return a.answer(nil, "%s", report.Clean(text.String()))
}

func (a *app) triageOne(source string, r bug.Report, f issueFlags) (triaged, error) {
	p, err := a.pipeline(r, f)
	if err != nil {
		return triaged{}, err
	}
	p.Tell = func(pipeline.Event) {}
	c, err := p.Triage(r)
	t := triaged{Source: source, Case: c, Reason: "It can be acted on."}
	if c.Triage != nil {
		t.Verdict, t.Reason = c.Verdict()
	}
	return t, err
}

func triageText(t triaged) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", t.Source, t.Report.Title)
	word := string(t.Verdict)
	if word == "" {
		word = "act"
	}
	fmt.Fprintf(&b, "  %s: %s\n", word, t.Reason)
	if t.Case.Triage != nil && len(t.Case.Triage.Words) > 0 {
		fmt.Fprintf(&b, "  decided by: %q\n", t.Case.Triage.Words)
	}
	for i, c := range t.Candidates {
		mark := "-"
		if i == 0 {
			mark = "*"
		}
		fmt.Fprintf(&b, "  %s program of %d lines: %s\n", mark, c.Lines(), c.Why)
	}
	if t.Symptom.Kind != bug.Unsaid {
		fmt.Fprintf(&b, "  reported: %s (from %s)\n", t.Symptom, t.SaidIn)
	}
	for _, v := range t.Thread.Versions {
		fmt.Fprintf(&b, "  version: %s %s\n", v.Of, v.Is)
	}
	return b.String() + "\n"
}
