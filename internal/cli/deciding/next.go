package deciding

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

// Next says what a person who types scrub alone can do now: what waits for them, or
// how to begin.
func Next(ctx context.Context, a *console.Console) error {
	begin := "scrub checks bug reports by running them in a sandbox.\n\n" +
		"  scrub demo                 ten sample reports, no network needed\n" +
		"  scrub issue FILE           a report of your own, or OWNER/REPO#N\n" +
		"  scrub minimize FILE        the smallest program that shows a bug\n" +
		"  scrub -h                   everything else\n"
	if _, err := os.Stat(a.Where()); err != nil && !strings.Contains(a.Where(), "://") {
		return a.Answer(nil, begin) // nothing was ever found out here
	}
	return a.With(func(d *desk.Desk) error {
		cases, err := d.Cases(ctx)
		if err != nil {
			return err
		}
		actions, err := d.Actions(ctx, desk.ActionsRequest{})
		if err != nil {
			return err
		}
		return a.Answer(nil, waiting(cases, actions, d.Flags)+begin)
	})
}

// waiting says what waits for a person.
func waiting(cases []desk.Row, actions []desk.Action, flags []string) string {
	hint := func(words ...string) string { return report.Shell(append(words, flags...)...) }
	var b strings.Builder
	decide, first, proposed, approved := 0, "", 0, 0
	for _, c := range cases {
		if c.Verdict == string(casefile.NeedsDecision) {
			if decide++; first == "" {
				first = c.ID
			}
		}
	}
	for _, one := range actions {
		if one.Waits() {
			proposed++
		} else {
			approved++
		}
	}
	if decide > 0 {
		fmt.Fprintf(&b, "%s for a decision about running a program: %s shows the first.\n",
			plural(decide, "report waits", "reports wait"), hint("scrub", "show", first))
	}
	if proposed > 0 {
		fmt.Fprintf(&b, "%s proposed: %s lists them.\n", bug.Count(proposed, "action"), hint("scrub", "actions"))
	}
	if approved > 0 {
		fmt.Fprintf(&b, "%s approved and not done: %s does them.\n", bug.Count(approved, "action"),
			hint("scrub", "apply"))
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
