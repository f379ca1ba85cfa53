package report

import (
	"fmt"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/triage"
)

// Triage says what is in a report and whether it can be acted on.
func Triage(source, reason string, c casefile.Case, routes []classify.Routed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", source, c.Report.Title)
	word := "actionable"
	if c.Triage != nil {
		word = c.Triage.Verdict
	}
	fmt.Fprintf(&b, "  %s: %s\n", word, reason)
	if c.Triage != nil && len(c.Triage.Words) > 0 {
		fmt.Fprintf(&b, "  matched: %q\n", c.Triage.Words)
	}
	for i, one := range c.Candidates {
		b.WriteString(candidateText(i == 0, one))
	}
	b.WriteString(symptomText(c))
	b.WriteString(surroundings(c.Thread))
	for _, r := range routes {
		fmt.Fprintf(&b, "  label: %s (%s)\n", r.Label, r.Evidence)
	}
	for _, a := range c.Proposals {
		fmt.Fprintf(&b, "  would propose: %s %s\n", a.Kind, a.Text)
	}
	return b.String() + "\n"
}

func candidateText(picked bool, c triage.Candidate) string {
	mark := "-"
	if picked {
		mark = "*"
	}
	text := fmt.Sprintf("  %s program of %s, %s: %s\n", mark, bug.Count(c.Lines(), "line"), c.Size, c.Why)
	if len(c.Needs) > 0 {
		text += fmt.Sprintf("      needs %s\n", strings.Join(c.Needs, ", "))
	}
	if len(c.Aspects) > 0 {
		text += fmt.Sprintf("      uses %s\n", strings.Join(c.Aspects, ", "))
	}
	return text
}

func symptomText(t casefile.Case) string {
	switch {
	case len(t.Candidates) == 0:
		return ""
	case t.Symptom.Kind == bug.Unsaid:
		return "  reported: the report does not say what goes wrong; a person will have to confirm what a run shows\n"
	}
	text := fmt.Sprintf("  reported: %s (from %s)\n", t.Symptom, t.SymptomFrom)
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
	for _, l := range []struct{ name, text string }{{"versions", strings.Join(versions, ", ")}, {"system", t.System},
		{"GPUs", strings.Join(t.GPUs, ", ")}} {
		if l.text != "" {
			fmt.Fprintf(&b, "  %s: %s\n", l.name, l.text)
		}
	}
	for _, l := range t.Links {
		fmt.Fprintf(&b, "  external: %s %s\n", l.Kind, l.URL)
	}
	for _, h := range t.Hidden {
		fmt.Fprintf(&b, "  hidden from readers: %q\n", bug.Short(h, 100))
	}
	return b.String()
}
