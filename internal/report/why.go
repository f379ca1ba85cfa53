package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// Why says in plain text what kind of failure it is and what it depends on.
func Why(w ablate.Why) string {
	var b strings.Builder
	if r := w.Ablation; r != nil {
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, c := range r.Cells {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", c.Knob, c.Value, shows(c.Answer), bug.Short(bug.Squeeze(c.Words), 90))
		}
		t.Flush()
		b.WriteString("\n")
		for _, line := range whyLines(w) {
			b.WriteString(line + "\n")
		}
		b.WriteString("\n")
	}
	b.WriteString(Class(w.Class))
	if w.Class.Setup {
		b.WriteString("\nNo knobs were tried: a missing dependency hides the bug.\n")
	}
	if len(w.Labels) > 0 && w.Measured {
		fmt.Fprintf(&b, "\nmeasured labels: %s\n", strings.Join(w.Labels, ", "))
	}
	return b.String()
}

func shows(a bug.Answer) string {
	switch a {
	case bug.Yes:
		return "shows it"
	case bug.No:
		return "gone"
	}
	return "inconclusive"
}

// whyLines are the conclusions, one in a line.
func whyLines(w ablate.Why) []string {
	r, all := w.Ablation, []string(nil)
	switch {
	case r.Stage != nil && !r.Sure:
		all = append(all, fmt.Sprintf("Component, from the output: %s. %s is the first stage that shows it; earlier "+
			"stages were inconclusive.", orUnknown(w.Component), capital(r.Stage.String())))
	case r.Stage != nil && !w.Measured:
		all = append(all, fmt.Sprintf("Component, from the output: %s. It already shows with %v.",
			orUnknown(w.Component), *r.Stage))
	case r.Stage != nil:
		all = append(all, fmt.Sprintf("Component: %s. %s is the first stage that shows it.", w.Component,
			capital(r.Stage.String())))
	case r.Beyond:
		all = append(all, fmt.Sprintf("Component, from the output: %s. None of the stages shows it, only the "+
			"unmodified program.", orUnknown(w.Component)))
	case w.Component != "":
		all = append(all, fmt.Sprintf("Component, from the output: %s.", w.Component))
	}
	if r.NotMonotone {
		all = append(all, "A later stage does not show it: more than one cause is involved.")
	}
	if w.Depth != nil {
		all = append(all, fmt.Sprintf("Narrowed down to: %v.", *w.Depth))
	}
	for i, t := range r.Gone {
		all = append(all, strings.TrimSpace(fmt.Sprintf("Gone with %v. %s", t, w.Means[i])))
	}
	if len(r.Together) > 0 {
		all = append(all, fmt.Sprintf("Gone with %s, but only combined with the following.", turns(r.Together)))
	}
	if len(w.Own) > 0 {
		all = append(all, fmt.Sprintf("The program itself sets %s.", turns(w.Own)))
	}
	if len(r.Plainest) > 0 {
		all = append(all, fmt.Sprintf("Simplest setting that shows it: %s.", turns(r.Plainest)))
	}
	return all
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func turns(all []ablate.Turn) string {
	words := make([]string, len(all))
	for i, t := range all {
		words[i] = t.String()
	}
	return strings.Join(words, ", ")
}

// writeWhy puts the same into a report.
func writeWhy(b *draft, c casefile.Case) {
	w := c.Why
	if w == nil || w.Ablation == nil && !w.Class.Telling() {
		return
	}
	b.WriteString("\n## Classification\n\n")
	if !w.Class.Unknown() {
		fmt.Fprintf(b, "%s", capital(w.Class.Category))
		if w.Component != "" {
			fmt.Fprintf(b, " in %s", w.Component)
		}
		if w.Class.Phase != "" {
			fmt.Fprintf(b, ", at %s time", w.Class.Phase)
		}
		fmt.Fprintf(b, ". %s\n", w.Class.Means)
	}
	if w.Ablation == nil {
		return
	}
	b.own("\n| knob | value | the bug |\n|---|---|---|\n")
	for _, cell0 := range w.Ablation.Cells {
		b.row(cell0.Knob, cell0.Value, shows(cell0.Answer))
	}
	b.WriteString("\n")
	for _, line := range whyLines(*w) {
		b.WriteString("- " + line + "\n")
	}
}
