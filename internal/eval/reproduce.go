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

// Judge takes a report through all steps on two releases, the older first.
type Judge func(r bug.Report, name, older, newer string) (casefile.Case, error)

// Verdicts counts answers by tier.
type Verdicts struct {
	mu    sync.Mutex
	Tiers map[string]*Answers
}

// Answers counts the answers about the reports of a tier.
type Answers struct {
	Reports int
	There   int // the older release was seen to show the bug
	Right   int // and the newer not
	Changed int // nothing shows what was reported, but the two do different things
	Wrong   int
	Unsure  int
}

// Reproduce asks judge about every report in data, workers at a time, and
// explains every answer that is not right.
func Reproduce(data io.Reader, workers int, judge Judge, out io.Writer) (*Verdicts, error) {
	v := &Verdicts{Tiers: map[string]*Answers{}}
	err := atOnce(data, workers, func(k Known) { v.ask(k, judge, out) })
	return v, err
}

// Reports of these tiers cannot be answered from their own program: any
// answer but "unsure" is wrong.
var traps = []string{"no_flip_from_snippet", "never_in_release", "other"}

func (v *Verdicts) ask(k Known, judge Judge, out io.Writer) {
	r := bug.Report{Ref: bug.Ref{Repo: k.Repo, Number: 1}, Title: k.Title, Body: k.Text, State: bug.Open}
	c, err := judge(r, k.Package, k.Buggy, k.Fixed)
	verdict, why := c.Verdict()
	if err != nil {
		verdict, why = casefile.CannotRun, err.Error()
	}
	there := len(c.Asked) == 2 && (c.Asked[0].Tally.Yes > 0 || c.Asked[0].Tally.Similar > 0)

	v.mu.Lock()
	defer v.mu.Unlock()
	a := v.Tiers[k.Tier]
	if a == nil {
		a = &Answers{}
		v.Tiers[k.Tier] = a
	}
	a.Reports++
	if there {
		a.There++
	}
	trap := slices.Contains(traps, k.Tier)
	grade := "unsure"
	switch {
	case verdict == casefile.Fixed && !trap:
		grade = "right"
		a.Right++
	case verdict == casefile.Changed:
		grade = "changed"
		a.Changed++
	case verdict == casefile.Fixed, verdict == casefile.Reproduces, verdict == casefile.Flaky, verdict == casefile.DoesNotReproduce:
		grade = "wrong"
		a.Wrong++
	default:
		a.Unsure++
	}
	if grade == "wrong" || grade == "changed" || grade == "unsure" && !trap {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s to %s: %s: %s\n", grade, k.ID, k.Tier, k.Buggy, k.Fixed, verdict, oneLine(why))
	}
}

func oneLine(s string) string { return fmt.Sprintf("%.300s", bug.Squeeze(s)) }

// String is the count as a table.
func (v *Verdicts) String() string {
	var b strings.Builder
	var all Answers
	line := func(name string, a Answers) {
		fmt.Fprintf(&b, "%-22s %8d %8d %6d %5.1f%% %8d %6d %5.1f%% %7d\n", name, a.Reports, a.There, a.Right,
			share(a.Right, a.Reports), a.Changed, a.Wrong, share(a.Wrong, a.Reports), a.Unsure)
	}
	fmt.Fprintf(&b, "%-22s %8s %8s %13s %8s %13s %7s\n", "tier", "reports", "there", "right", "changed", "wrong",
		"unsure")
	for _, tier := range slices.Sorted(maps.Keys(v.Tiers)) {
		a := *v.Tiers[tier]
		line(tier, a)
		all = Answers{all.Reports + a.Reports, all.There + a.There, all.Right + a.Right, all.Changed + a.Changed,
			all.Wrong + a.Wrong, all.Unsure + a.Unsure}
	}
	line("all", all)
	return b.String()
}
