package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/reduce"
)

// writeSmall shows the smallest program, and why it is that.
func writeSmall(b *draft, c casefile.Case) {
	s := c.Small
	if s == nil {
		return
	}
	if c.SmallFrom != "" {
		fmt.Fprintf(b, "\n## Smallest program\n\nMinimized for %s, which seems to be the same bug; verified here: it "+
			"shows the same symptom out of the same operation.\n\n", c.SmallFrom)
		b.fence("python", s.Program)
		return
	}
	fmt.Fprintf(b, "\n## Smallest program\n\n%d lines reduced to %d, %d tokens to %d, in %d runs; ", s.Before.Lines,
		s.After.Lines, s.Before.Tokens, s.After.Tokens, s.Runs)
	switch {
	case s.Verified && s.Minimal:
		b.WriteString("verified in a new process.\n")
	case s.Verified:
		b.WriteString("verified in a new process; may not be minimal.\n")
	default:
		b.WriteString("not verified in a new process.\n")
	}
	b.WriteString("\n")
	b.fence("python", s.Program)
	if len(s.Lost) > 0 {
		b.WriteString("\nNot needed: " + strings.Join(s.Lost, ", ") + ".\n")
	}
	if len(s.Held) > 0 {
		b.WriteString("\nKept throughout: " + strings.Join(s.Held, "; ") + ".\n")
	}
	if s.Relation != "" {
		b.WriteString("\nSmaller, with other wrong values:\n\n")
		b.fence("python", s.Relation)
	}
	if s.OwnPath != "" {
		b.WriteString("\nThe smallest program that keeps its own functions:\n\n")
		b.fence("python", s.OwnPath)
	}
	if triggers := s.Triggers(c.Repro.Files[bug.Script]); len(triggers) > 0 {
		b.WriteString("\nNecessary to trigger: " + strings.Join(triggers, "; ") + ".\n")
	}
	if len(s.Needed) > 0 {
		b.own("\n| without | result |\n|---|---|\n")
		for _, n := range s.Needed {
			b.row(bug.Code(bug.Short(bug.Squeeze(n.Part), 60)), bug.Short(strings.TrimPrefix(n.Without, "it "), 120))
		}
	}
}

// Minimized is a small program and what was measured of it, as comments.
func Minimized(s minimize.Small) string {
	var b strings.Builder
	b.WriteString(s.Program)
	fmt.Fprintf(&b, "\n# %d lines reduced to %d, %d tokens to %d; %d runs, %.1f s\n", s.Before.Lines, s.After.Lines,
		s.Before.Tokens, s.After.Tokens, s.Runs, s.Seconds)
	if s.Symptom.Kind != bug.Unsaid {
		fmt.Fprintf(&b, "# shows %s\n", s.Symptom)
	}
	if f := s.Flaky; f != nil {
		fmt.Fprintf(&b, "# flaky: %d of %d runs show it (95 %% confidence: %.0f to %.0f %%); a candidate was given up after %d runs, "+
			"wrongly with probability %.2g\n", f.Shows, f.Runs, 100*f.Low, 100*f.High, f.Times, f.Missed)
	}
	if len(s.Lost) > 0 {
		fmt.Fprintf(&b, "# not needed: %s\n", strings.Join(s.Lost, ", "))
	}
	if len(s.Held) > 0 {
		fmt.Fprintf(&b, "# kept: %s\n", strings.Join(s.Held, "; "))
	}
	if s.Relation != "" {
		fmt.Fprintf(&b, "# smaller, with other wrong values:\n#   %s\n",
			strings.ReplaceAll(strings.TrimSpace(s.Relation), "\n", "\n#   "))
	}
	if s.OwnPath != "" {
		fmt.Fprintf(&b, "# with the program's own functions on the way to it:\n#   %s\n",
			strings.ReplaceAll(strings.TrimSpace(s.OwnPath), "\n", "\n#   "))
	}
	switch {
	case s.Symptom.Kind == bug.Unsaid: // a command has judged it, and nothing else
	case len(s.Steps) == 0 && s.Minimal:
		b.WriteString("# already minimal:\n")
	case !s.Verified:
		b.WriteString("# not verified in a new process")
		if !s.Minimal {
			b.WriteString(": interrupted; run the same command again to continue")
		}
		b.WriteString("\n")
	case !s.Minimal:
		b.WriteString("# verified in a new process; may not be minimal\n")
	default:
		b.WriteString("# verified in a new process; minimal:\n")
	}
	if s.Weak {
		b.WriteString("# the failing check does not show its values: make sure that it is still the same bug, or use " +
			"--passes-on\n")
	}
	if s.Unseen && s.Symptom.Kind != bug.Unsaid {
		b.WriteString("# how it fails could not be observed: make sure that it is still the same bug, or use --passes-on\n")
	}
	for _, n := range s.Needed {
		fmt.Fprintf(&b, "#   without `%s` %s\n", bug.Short(bug.Squeeze(n.Part), 60), bug.Short(n.Without, 120))
	}
	return b.String()
}

// Shrinking says how far a program has shrunk.
func Shrinking(asked int, steps []reduce.Step, took time.Duration) string {
	text := fmt.Sprintf("%d runs, %.0f a second", asked, float64(asked)/max(0.001, took.Seconds()))
	if n := len(steps); n > 0 {
		last := steps[n-1]
		text = fmt.Sprintf("%s %d lines, %d tokens, %s; last: %s", bars(steps), last.Size.Lines, last.Size.Tokens, text,
			last.Pass)
	}
	return text
}

// bars draws how sizes went down, in a few characters.
func bars(steps []reduce.Step) string {
	const width = 12
	heights := []rune("▁▂▃▄▅▆▇█")
	n := min(width, len(steps))
	var b strings.Builder
	for i := range n {
		share := steps[i*len(steps)/n].Size.Tokens * len(heights) / (steps[0].Size.Tokens + 1)
		b.WriteRune(heights[min(len(heights)-1, share)])
	}
	return b.String()
}
