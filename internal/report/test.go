package report

import (
	"fmt"

	"github.com/scrub-dev/scrub/internal/casefile"
)

// writeTest shows the regression test, or why there is none, and the marks
// that nobody needs any more.
func writeTest(b *draft, c casefile.Case) {
	if r := c.Regression; r != nil {
		b.WriteString("\n## Regression test\n\n")
		switch {
		case !r.Proven:
			fmt.Fprintf(b, "None. %s\n", r.Why)
		case r.Expected:
			fmt.Fprintf(b, "It fails on %s (it %s), %d times, and is marked as expected to. It belongs in %s.\n\n", r.Bad,
				r.Fails, r.Runs, r.Place)
			b.fence("python", r.Test.Text)
		default:
			writeProven(b, r.Proof)
		}
		for _, m := range r.Others {
			b.WriteString("\nFor another failure that the report tells of: ")
			writeProven(b, m)
		}
	}
	if len(c.Marks) > 0 {
		b.WriteString("\n## Expected-failure marks to remove\n\nThe bug is fixed, and these still expect it. Nothing " +
			"was changed.\n\n")
		for _, m := range c.Marks {
			fmt.Fprintf(b, "- %s\n", m)
		}
	}
}

func writeProven(b *draft, r casefile.Proof) {
	fmt.Fprintf(b, "It fails on %s (it %s) and passes on %s, %d times each. It belongs in %s.\n\n", r.Bad, r.Fails, r.Good,
		r.Runs, r.Place)
	b.fence("python", r.Test.Text)
}
