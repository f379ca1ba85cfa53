package report

import (
	"fmt"
	"strings"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/reduce"
)

// writeSmall shows the smallest program, and why it is that.
func writeSmall(b *draft, c casefile.Case) {
	s := c.Small
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\n## Smallest program\n\n%d lines became %d, %d tokens %d, in %d runs; ", s.Before.Lines, s.After.Lines, s.Before.Tokens, s.After.Tokens, s.Runs)
	switch {
	case s.Verified && s.Minimal:
		b.WriteString("confirmed by a cold run.\n")
	case s.Verified:
		b.WriteString("confirmed by a cold run; it can perhaps get smaller.\n")
	default:
		b.WriteString("not confirmed by a cold run.\n")
	}
	b.WriteString("\n")
	b.fence("python", s.Program)
	if triggers := s.Triggers(c.Repro.Files[bug.Script]); len(triggers) > 0 {
		b.WriteString("\nNecessary to trigger: " + strings.Join(triggers, "; ") + ".\n")
	}
	if len(s.Needed) > 0 {
		b.own("\n| without | the program |\n|---|---|\n")
		for _, n := range s.Needed {
			b.row(bug.Code(bug.Short(bug.Squeeze(n.Part), 60)), bug.Short(strings.TrimPrefix(n.Without, "it "), 120))
		}
	}
}

// curve draws how the size of a program went down with the runs it took.
func curve(steps []reduce.Step, before reduce.Size, runs int) string {
	const wide, high = 480.0, 100.0
	if len(steps) == 0 || before.Tokens == 0 || runs == 0 {
		return ""
	}
	x := func(asked int) float64 { return wide * float64(asked) / float64(max(runs, steps[len(steps)-1].Asked)) }
	y := func(n reduce.Size) float64 { return high - high*float64(n.Tokens)/float64(before.Tokens) }
	path := fmt.Sprintf("M0 %.1f", y(before))
	for _, s := range steps {
		path += fmt.Sprintf("H%.1fV%.1f", x(s.Asked), y(s.Size))
	}
	path += fmt.Sprintf("H%.1f", wide)
	return fmt.Sprintf(`<figure><svg viewBox="0 -5 %.0f %.0f" role="img" aria-label="tokens over runs"><path d="%s" fill="none" stroke="currentColor" stroke-width="2"/></svg><figcaption>%d tokens to %d, over %d runs</figcaption></figure>`,
		wide, high+10, path, before.Tokens, steps[len(steps)-1].Size.Tokens, runs)
}
