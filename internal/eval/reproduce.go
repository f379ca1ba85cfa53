package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/judge"
	"github.com/scrub-dev/scrub/internal/probe"
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
	mu     sync.Mutex
	Tiers  map[string]*Answers
	Causes map[string]int // of what is undecided, though it could be
	Stated Bins           // probabilities that were stated, and fixes
	Quotes [2]int         // decided by what the report mentions: all, and those whose words do not stand in it
}

// Bins count by tenths of a stated probability how often it came true, of how many.
type Bins [10][2]int

func (b *Bins) add(p float64, came bool) {
	bin := &b[min(9, int(10*p))]
	bin[1]++
	if came {
		bin[0]++
	}
}

func (b Bins) String() string {
	var all strings.Builder
	all.WriteString("probability  fixes of all\n")
	for i, bin := range b {
		if bin[1] > 0 {
			fmt.Fprintf(&all, "%.1f to %.1f     %3d of %4d  %.2f\n", float64(i)/10, float64(i+1)/10, bin[0], bin[1],
				float64(bin[0])/float64(bin[1]))
		}
	}
	return all.String()
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

// A Pair says which two releases are asked.
type Pair string

const (
	Adjacent Pair = "adjacent" // the last with the bug and the first without
	Later    Pair = "later"    // the first without and the newest, of which "fixed" is always wrong
	Users    Pair = "users"    // the reported one, or else the last with the bug, and the newest
)

// Asks is what to ask about the reports of a data set.
type Asks struct {
	Batch   int // those of one batch; 0 for all
	Pair    Pair
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
	v := &Verdicts{Tiers: map[string]*Answers{}, Causes: map[string]int{}}
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

// keep writes an answer down, if somebody wants that.
func (a Asks) keep(k Kept, out io.Writer) {
	if a.Keep == nil {
		return
	}
	if err := json.NewEncoder(a.Keep).Encode(k); err != nil {
		fmt.Fprintln(out, err)
	}
}

// Reports of these tiers cannot be answered from their own program: any
// answer but "unsure" is wrong.
var traps = []string{"no_flip_from_snippet", "never_in_release", "other"}

// of are the two releases that are asked about a report.
func (p Pair) of(k Known, r bug.Report) (older, newer string) {
	_, named := intake.Read(r).VersionOf(k.Package)
	switch {
	case p == Later:
		return k.Fixed, "newest"
	case p == Users && named:
		return "reported", "newest"
	case p == Users:
		return k.Buggy, "newest"
	}
	return k.Buggy, k.Fixed
}

func (v *Verdicts) ask(k Known, asks Asks, judge Judge, out io.Writer) {
	r := bug.Report{Ref: bug.Ref{Repo: k.Repo, Number: 1}, Title: k.Title, Body: k.Text, State: bug.Open}
	older, newer := asks.Pair.of(k, r)
	c, err := judge(r, k.Package, older, newer)
	verdict, why := c.Verdict()
	if err != nil {
		verdict, why = casefile.CannotRun, err.Error()
	}
	there := len(c.Asked) == 2 && (c.Asked[0].Tally.Yes > 0 || c.Asked[0].Tally.Similar > 0)

	v.mu.Lock()
	defer v.mu.Unlock()
	asks.keep(kept(k, asks.Pair == Later, c, verdict, why), out)
	a := v.Tiers[k.Tier]
	if a == nil {
		a = &Answers{}
		v.Tiers[k.Tier] = a
	}
	v.look(c, r, !slices.Contains(traps, k.Tier) && asks.Pair != Later)
	a.Reports++
	if there {
		a.There++
	}
	trap := slices.Contains(traps, k.Tier) || asks.Pair == Later
	grade := a.grade(verdict, trap, asks.Pair)
	if !trap && (grade == "unsure" || grade == "changed") {
		v.Causes[string(verdict)]++
	}
	if grade == "wrong" || grade == "changed" || grade == "unsure" && !trap {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s to %s: %s: %s\n", grade, k.ID, k.Tier, older, newer, verdict, oneLine(why))
	}
}

// grade counts an answer.
func (a *Answers) grade(verdict casefile.Verdict, trap bool, pair Pair) string {
	switch {
	case verdict == casefile.Fixed && !trap:
		a.Right++
		return "right"
	case verdict == casefile.Changed:
		a.Changed++
		return "changed"
	case pair == Users && verdict == casefile.DoesNotReproduce: // as is true of the newest
	case verdict == casefile.Fixed, verdict == casefile.Reproduces, verdict == casefile.Flaky, verdict == casefile.DoesNotReproduce:
		a.Wrong++
		return "wrong"
	}
	a.Unsure++
	return "unsure"
}

func oneLine(s string) string { return fmt.Sprintf("%.300s", bug.Squeeze(s)) }

// String is the count as a table.
func (v *Verdicts) String() string {
	var b strings.Builder
	var all Answers
	line := func(name string, a Answers) {
		fmt.Fprintf(&b, "%-22s %8d %8d %6d %5.1f%% %16s %8d %6d %5.1f%% %16s %7d\n", name, a.Reports, a.There, a.Right,
			share(a.Right, a.Reports), interval(a.Right, a.Reports), a.Changed, a.Wrong, share(a.Wrong, a.Reports),
			interval(a.Wrong, a.Reports), a.Unsure)
	}
	fmt.Fprintf(&b, "%-22s %8s %8s %13s %16s %8s %13s %16s %7s\n", "tier", "reports", "there", "right", "(95 times of 100",
		"changed", "wrong", "(95 times of 100", "unsure")
	for _, tier := range slices.Sorted(maps.Keys(v.Tiers)) {
		a := *v.Tiers[tier]
		line(tier, a)
		all = Answers{all.Reports + a.Reports, all.There + a.There, all.Right + a.Right, all.Changed + a.Changed,
			all.Wrong + a.Wrong, all.Unsure + a.Unsure}
	}
	line("all", all)
	b.WriteString("\nundecided, though the program tells:")
	for _, cause := range slices.Sorted(maps.Keys(v.Causes)) {
		fmt.Fprintf(&b, " %s %d", cause, v.Causes[cause])
	}
	fmt.Fprintf(&b, "\n%d of %d quotes that decide do not stand in their report\n\n%v", v.Quotes[1], v.Quotes[0], v.Stated)
	return b.String()
}

// interval is an exact one, which holds the true share 95 times of a hundred.
func interval(n, of int) string {
	_, low, high := probe.Tally{Yes: n, No: of - n}.Rate()
	return fmt.Sprintf("%.0f to %.0f%%)", 100*low, 100*high)
}

// look checks what an answer states about itself.
func (v *Verdicts) look(c casefile.Case, r bug.Report, fixed bool) {
	if c.Observed == nil || c.Observed.Judged == nil {
		return
	}
	j := c.Observed.Judged
	v.Stated.add(j.Probability, fixed)
	if !j.Fixed {
		return
	}
	v.Quotes[0]++
	if j.Quote == nil || !strings.Contains(bug.Squeeze(r.Title+"\n"+r.Body), bug.Squeeze(j.Quote.Quote)) {
		v.Quotes[1]++
	}
}
