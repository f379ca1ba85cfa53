package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/judge"
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
	Batch   int    `json:"batch"`
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

// Asks is what to ask about the reports of a data set.
type Asks struct {
	Batch   int  // those of one batch; 0 for all
	Later   bool // the first fixed release and the newest, of which "fixed" is always wrong
	Workers int
	Keep    io.Writer // what was observed, for Fit; may be nil
}

// A Kept is what was observed of a report, as a line of JSON.
type Kept struct {
	ID      string        `json:"id"`
	Project string        `json:"project"`
	Tier    string        `json:"tier"`
	Batch   int           `json:"batch,omitempty"`
	Later   bool          `json:"later,omitempty"`
	Verdict string        `json:"verdict"`
	Reason  string        `json:"reason"`
	Seen    bool          `json:"seen"` // it was run as a session
	Clues   []judge.Clue  `json:"clues,omitempty"`
	Older   judge.Showing `json:"older"`
	Newer   judge.Showing `json:"newer"`
	Sure    float64       `json:"sure,omitempty"` // the probability that was stated
}

// Reproduce asks about the reports in data, some at a time, and explains every
// answer that is not right.
func Reproduce(data io.Reader, a Asks, ask Judge, out io.Writer) (*Verdicts, error) {
	v := &Verdicts{Tiers: map[string]*Answers{}}
	err := atOnce(data, a.Workers, func(k Known) {
		if a.Batch == 0 || a.Batch == k.Batch {
			v.ask(k, a, ask, out)
		}
	})
	return v, err
}

// kept is what is written down of an answer.
func kept(k Known, later bool, c casefile.Case, verdict casefile.Verdict, why string) Kept {
	line := Kept{ID: k.ID, Project: k.Package, Tier: k.Tier, Batch: k.Batch, Later: later, Verdict: string(verdict),
		Reason: why}
	if c.Observed != nil {
		line.Seen, line.Clues = true, c.Observed.Clues
		line.Older, line.Newer = c.Observed.Older, c.Observed.Newer
		if c.Observed.Judged != nil {
			line.Sure = c.Observed.Judged.Probability
		}
	}
	return line
}

// Reports of these tiers cannot be answered from their own program: any
// answer but "unsure" is wrong.
var traps = []string{"no_flip_from_snippet", "never_in_release", "other"}

func (v *Verdicts) ask(k Known, asks Asks, judge Judge, out io.Writer) {
	r := bug.Report{Ref: bug.Ref{Repo: k.Repo, Number: 1}, Title: k.Title, Body: k.Text, State: bug.Open}
	older, newer := k.Buggy, k.Fixed
	if asks.Later {
		older, newer = k.Fixed, "newest"
	}
	c, err := judge(r, k.Package, older, newer)
	verdict, why := c.Verdict()
	if err != nil {
		verdict, why = casefile.CannotRun, err.Error()
	}
	there := len(c.Asked) == 2 && (c.Asked[0].Tally.Yes > 0 || c.Asked[0].Tally.Similar > 0)

	v.mu.Lock()
	defer v.mu.Unlock()
	if asks.Keep != nil {
		if err := json.NewEncoder(asks.Keep).Encode(kept(k, asks.Later, c, verdict, why)); err != nil {
			fmt.Fprintln(out, err)
		}
	}
	a := v.Tiers[k.Tier]
	if a == nil {
		a = &Answers{}
		v.Tiers[k.Tier] = a
	}
	a.Reports++
	if there {
		a.There++
	}
	trap := slices.Contains(traps, k.Tier) || asks.Later
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
		fmt.Fprintf(out, "%s\t%s\t%s\t%s to %s: %s: %s\n", grade, k.ID, k.Tier, older, newer, verdict, oneLine(why))
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
