package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"scrub/internal/bug"
	"scrub/internal/casefile"
)

// A Known is a report of a bug that is in one release of a package and not
// in a later one.
type Known struct {
	ID      string `json:"id"`
	Repo    string `json:"repo"`
	Package string `json:"package"`
	Title   string `json:"title"`
	Text    string `json:"issue_text"`
	Tier    string `json:"tier"`
	Buggy   string `json:"last_buggy_release"`
	Fixed   string `json:"first_fixed_release"`
}

// Judge says what becomes of a report on one release.
type Judge func(r bug.Report, name, version string) (casefile.Verdict, string)

// An answer is right, wrong, or an honest "cannot tell".
type answer string

const (
	right  answer = "right"
	wrong  answer = "wrong"
	unsure answer = "unsure"
)

// Verdicts counts answers by tier and side.
type Verdicts struct {
	mu    sync.Mutex
	Tiers map[string]*Sides
}

// Sides counts the answers about the two releases of the reports of a tier.
type Sides struct {
	Reports, Both int // both: right on both releases
	Buggy, Fixed  map[answer]int
	WrongReports  int
}

// Reproduce asks judge about both releases of every report in data, workers
// at a time, and explains every answer that is not right.
func Reproduce(data io.Reader, workers int, judge Judge, out io.Writer) (*Verdicts, error) {
	v := &Verdicts{Tiers: map[string]*Sides{}}
	var wg sync.WaitGroup
	free := make(chan struct{}, workers)
	err := eachLine(data, func(k Known) error {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			v.ask(k, judge, out)
		})
		return nil
	})
	wg.Wait()
	return v, err
}

func (v *Verdicts) ask(k Known, judge Judge, out io.Writer) {
	r := bug.Report{Ref: bug.Ref{Repo: k.Repo, Number: 1}, Title: k.Title, Body: k.Text, State: bug.Open}
	there, whyThere := judge(r, k.Package, k.Buggy)
	gone, whyGone := judge(r, k.Package, k.Fixed)
	shows := []casefile.Verdict{casefile.Reproduces, casefile.Flaky}
	absent := []casefile.Verdict{casefile.DoesNotReproduce, casefile.Fixed}
	a, b := grade(there, shows, absent), grade(gone, absent, shows)

	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.Tiers[k.Tier]
	if s == nil {
		s = &Sides{Buggy: map[answer]int{}, Fixed: map[answer]int{}}
		v.Tiers[k.Tier] = s
	}
	s.Reports++
	s.Buggy[a]++
	s.Fixed[b]++
	if a == right && b == right {
		s.Both++
	} else {
		fmt.Fprintf(out, "%s\t%s\n  %s\t%s %s: %s\n  %s\t%s %s: %s\n", k.ID, k.Tier, a, k.Buggy, there, oneLine(whyThere), b, k.Fixed, gone, oneLine(whyGone))
	}
	if a == wrong || b == wrong {
		s.WrongReports++
	}
}

func oneLine(s string) string { return fmt.Sprintf("%.300s", strings.Join(strings.Fields(s), " ")) }

func grade(got casefile.Verdict, good, bad []casefile.Verdict) answer {
	switch {
	case slices.Contains(good, got):
		return right
	case slices.Contains(bad, got):
		return wrong
	}
	return unsure
}

// String is the count as a table.
func (v *Verdicts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %8s %12s   %-24s   %-24s %14s\n", "tier", "reports", "both right", "buggy: right/wrong/unsure", "fixed: right/wrong/unsure", "wrong reports")
	for _, tier := range slices.Sorted(maps.Keys(v.Tiers)) {
		s := v.Tiers[tier]
		fmt.Fprintf(&b, "%-22s %8d %5d %5.1f%%   %8d %7d %7d    %8d %7d %7d    %8d\n", tier, s.Reports, s.Both, share(s.Both, s.Reports),
			s.Buggy[right], s.Buggy[wrong], s.Buggy[unsure], s.Fixed[right], s.Fixed[wrong], s.Fixed[unsure], s.WrongReports)
	}
	return b.String()
}
