package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/triage"
)

// Actionable is the class of a report that no rule stops.
const Actionable = "actionable"

// missing is the class of a report whose programs all need packages that
// are not there: a run would find that out.
const missing = "setup"

// A Label is what a careful reader called one issue.
type Label struct {
	Class string
	Or    string // a second class that can be defended
	Repro bool   // the thread holds a program that runs
	Words string
}

// Labels reads a table of labels by issue number: number, class, or, repro
// and words, with tabs between them.
func Labels(table io.Reader) (map[int]Label, error) {
	all := map[int]Label{}
	lines := bufio.NewScanner(table)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(f[0], "#") || f[0] == "number" {
			continue
		}
		number, err := strconv.Atoi(f[0])
		if err != nil || len(f) < 4 {
			return nil, fmt.Errorf("line %d: want number, class, or, repro and words", n)
		}
		l := Label{Class: f[1], Or: strings.Trim(f[2], "-"), Repro: f[3] == "yes"}
		if len(f) > 4 {
			l.Words = f[4]
		}
		all[number] = l
	}
	return all, lines.Err()
}

// An Issue is a row of a data set of issues.
type Issue struct {
	Repo     string   `json:"repo"`
	Number   int      `json:"number"`
	Title    string   `json:"title"`
	Text     string   `json:"text"`
	State    string   `json:"state"`
	Labels   string   `json:"labels"`
	Comments []string `json:"comments"`
}

// labelForms takes labels apart that were written one after the other.
var labelForms = regexp.MustCompile(`(?:[\w-]+: ?[\w-]+|(?:high|low) priority|needs reproduction|[\w-]+)`)

// report is the issue as it was while it was open: whether it has been
// closed since is what a reader of the thread has to find out.
func (i Issue) report() bug.Report {
	r := bug.Report{Ref: bug.Ref{Repo: i.Repo, Number: i.Number}, Title: i.Title, Body: i.Text, State: bug.Open}
	r.Labels = labelForms.FindAllString(i.Labels, -1)
	for _, c := range i.Comments {
		r.Comments = append(r.Comments, bug.Comment{Body: c})
	}
	return r
}

// A Score is how well scrub's classes fit the labels.
type Score struct {
	Right  map[string]int // by the label's class
	Of     map[string]int
	Ors    int    // right only by the second class
	Open   [2]int // of those that are still open: right, and how many
	Repros int    // reports that can be acted on and have a program
	Lost   int    // those of them that scrub stops
}

// Read takes a report apart and says whether it can be acted on.
type Read func(r bug.Report) (casefile.Case, error)

// Triage classifies the labelled issues in data and lists every miss.
func Triage(data io.Reader, labels map[int]Label, read Read, out io.Writer) (Score, error) {
	s := Score{Right: map[string]int{}, Of: map[string]int{}}
	err := eachLine(data, func(i Issue) error {
		l, ok := labels[i.Number]
		if !ok {
			return nil
		}
		c, err := read(i.report())
		if err != nil {
			return err
		}
		got, words := class(c)
		s.add(l, got)
		if i.State != string(bug.Closed) {
			s.Open[1]++
			s.Open[0] += count(got == l.Class || got == l.Or)
		}
		if got != l.Class && got != l.Or {
			fmt.Fprintf(out, "%d\t%s\tscrub %s %q\treader %q\t%.60s\n", i.Number, l.Class, got,
				strings.Join(words, " … "), l.Words, i.Title)
		}
		return nil
	})
	return s, err
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (s *Score) add(l Label, got string) {
	s.Of[l.Class]++
	switch got {
	case l.Class:
		s.Right[l.Class]++
	case l.Or:
		s.Right[l.Class]++
		s.Ors++
	}
	if l.Class == Actionable && l.Repro {
		s.Repros++
		if got != Actionable && got != l.Or {
			s.Lost++
		}
	}
}

// class is the name of the rule that stops a report, and the words that decided it.
func class(c casefile.Case) (string, []string) {
	f, ranked := c.Triage, c.Candidates
	switch {
	case f != nil && f.Rule == "answered":
		return "resolved", f.Words // readers were not asked to tell the two apart
	case f != nil:
		return f.Rule, f.Words
	case len(ranked) > 0 && !slices.ContainsFunc(ranked, func(c triage.Candidate) bool { return len(c.Needs) == 0 }):
		return missing, ranked[0].Needs // on a machine that has what the profile says and no more
	}
	return Actionable, nil
}

// String is the score as a table.
func (s Score) String() string {
	var b strings.Builder
	right, of := 0, 0
	classes := slices.SortedFunc(maps.Keys(s.Of),
		func(x, y string) int { return cmp.Or(s.Of[y]-s.Of[x], strings.Compare(x, y)) })
	for _, c := range classes {
		fmt.Fprintf(&b, "%-12s %4d of %4d  %5.1f %%\n", c, s.Right[c], s.Of[c],
			100*float64(s.Right[c])/float64(s.Of[c]))
		right, of = right+s.Right[c], of+s.Of[c]
	}
	fmt.Fprintf(&b, "%-12s %4d of %4d  %5.1f %%  (%d by a second class that can be defended)\n", "all", right, of,
		100*float64(right)/float64(max(of, 1)), s.Ors)
	fmt.Fprintf(&b, "%-12s %4d of %4d  %5.1f %%\n", "still open", s.Open[0], s.Open[1],
		100*float64(s.Open[0])/float64(max(s.Open[1], 1)))
	fmt.Fprintf(&b, "%d of %d with a program that can be acted on called something else: %.1f %% of these, %.1f %% "+
		"of all\n",
		s.Lost, s.Repros, 100*float64(s.Lost)/float64(max(s.Repros, 1)), 100*float64(s.Lost)/float64(max(of, 1)))
	return b.String()
}
