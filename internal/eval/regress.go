package eval

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// Tests counts the regression tests that were proven.
type Tests struct {
	mu                       sync.Mutex
	Reports, Proven, Refused int
}

// Regress has a test written for every report of some tiers.
func Regress(data io.Reader, workers int, tiers []string, judge Judge, out io.Writer) (*Tests, error) {
	t := &Tests{}
	err := atOnce(data, workers, func(d Dated) {
		if slices.Contains(tiers, d.Tier) {
			c, err := judge(bug.Report{Ref: bug.Ref{Repo: d.Repo, Number: max(d.Number, d.Pull)}, Title: d.Title,
				Body: d.Text, State: bug.Open}, d.Package, d.Buggy, d.Fixed)
			t.count(d, c, err, out)
		}
	})
	return t, err
}

func (t *Tests) count(d Dated, c casefile.Case, err error, out io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Reports++
	r := c.Regression
	switch {
	case err != nil || r == nil:
		t.Refused++
		_, why := c.Verdict()
		fmt.Fprintf(out, "refused\t%s\t%s\t%v %s\n", d.ID, d.Tier, err, oneLine(why))
	case !r.Proven:
		t.Refused++
		fmt.Fprintf(out, "refused\t%s\t%s\t%s\n", d.ID, d.Tier, oneLine(r.Why))
	default:
		t.Proven++
		fmt.Fprintf(out, "proven\t%s\t%s\tfails on %s: %s; passes on %s\n", d.ID, d.Tier, r.Bad, oneLine(r.Fails),
			r.Good)
	}
}

func (t *Tests) String() string {
	return fmt.Sprintf("%d reports: %d tests proven, %d refused\n", t.Reports, t.Proven, t.Refused)
}
