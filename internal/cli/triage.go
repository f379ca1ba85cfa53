package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/intake"
	"scrub/internal/pipeline"
	"scrub/internal/report"
	"scrub/internal/triage"
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
				return console.Usage("%s wants at least one SOURCE: a file, - or OWNER/REPO#N", c.CommandPath())
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
		r, err := a.Read(ctx, source, console.Reading{Forge: f.forge})
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
	if a.JSON {
		enc := json.NewEncoder(a.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(all)
	}
	return a.Answer(nil, "%s", report.Clean(strings.TrimSpace(text.String())+"\n"))
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
		b.WriteString(candidateText(i == 0, c))
	}
	b.WriteString(symptomText(t))
	b.WriteString(surroundings(t.Thread))
	for _, a := range t.Proposals {
		fmt.Fprintf(&b, "  would propose: %s %s\n", a.Kind, a.Text)
	}
	return b.String() + "\n"
}

func candidateText(picked bool, c triage.Candidate) string {
	mark := "-"
	if picked {
		mark = "*"
	}
	text := fmt.Sprintf("  %s program of %d lines, %s: %s\n", mark, c.Lines(), c.Size, c.Why)
	if len(c.Needs) > 0 {
		text += fmt.Sprintf("      needs %s\n", strings.Join(c.Needs, ", "))
	}
	if len(c.Aspects) > 0 {
		text += fmt.Sprintf("      uses %s\n", strings.Join(c.Aspects, ", "))
	}
	return text
}

func symptomText(t triaged) string {
	switch {
	case len(t.Candidates) == 0:
		return ""
	case t.Symptom.Kind == bug.Unsaid:
		return "  reported: it does not say what goes wrong; what the run shows will be for a person to confirm\n"
	}
	text := fmt.Sprintf("  reported: %s (from %s)\n", t.Symptom, t.SaidIn)
	if t.Symptom.Kind == bug.Prints && t.Symptom.Wanted != "" {
		text += fmt.Sprintf("  wanted: %q\n", t.Symptom.Wanted)
	}
	return text
}

// surroundings is what the thread says besides its programs.
func surroundings(t intake.Thread) string {
	var b strings.Builder
	var versions []string
	for _, v := range t.Versions {
		if len(versions) < 12 {
			versions = append(versions, strings.TrimSpace(v.Of+" "+v.Is))
		}
	}
	if more := len(t.Versions) - len(versions); more > 0 {
		versions = append(versions, fmt.Sprintf("and %d more", more))
	}
	for _, l := range []struct{ name, text string }{{"versions", strings.Join(versions, ", ")}, {"system", t.System}, {"GPUs", strings.Join(t.GPUs, ", ")}} {
		if l.text != "" {
			fmt.Fprintf(&b, "  %s: %s\n", l.name, l.text)
		}
	}
	for _, l := range t.Links {
		fmt.Fprintf(&b, "  not here: %s %s\n", l.Kind, l.URL)
	}
	for _, h := range t.Hidden {
		fmt.Fprintf(&b, "  hidden from readers: %q\n", bug.Short(h, 100))
	}
	return b.String()
}
