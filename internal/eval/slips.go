package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
)

// A Slip is a program that a tool made small, and whether the bug that it shows
// is another one: the release with the fix shows it as well.
type Slip struct {
	Tool    string
	Program string
	Size    reduce.Size
	Runs    int
	Seconds float64
	Ended   bool // it was not cut short
	Kind    string
	Slipped bool
}

// SlipAsks says which reports to ask about.
type SlipAsks struct {
	Batches []int
}

// Slipped counts slips by tool.
type Slipped struct {
	tools   []string
	all     map[string][]Slip
	skipped int
}

// Slips makes the programs of reports whose bug shows mechanically small, with
// the buggy release alone, and counts those that have slipped.
func Slips(data io.Reader, asks SlipAsks, tools []string,
	do func(r bug.Report, name, buggy, fixed string) ([]Slip, error), out io.Writer) (*Slipped, error) {
	s := &Slipped{tools: tools, all: map[string][]Slip{}}
	err := eachLine(data, func(k Known) error {
		if k.Tier != "gold" || !slices.Contains(asks.Batches, k.Batch) {
			return nil
		}
		r := bug.Report{Ref: bug.Ref{Repo: k.Repo, Number: 1}, Title: k.Title, Body: k.Text, State: bug.Open}
		got, err := do(r, k.Package, k.Buggy, k.Fixed)
		if err != nil || got == nil {
			fmt.Fprintf(out, "not tried\t%s\t%v\n", k.ID, err)
			s.skipped++
			return nil
		}
		for _, one := range got {
			word := "held"
			if one.Slipped {
				word = "SLIPPED"
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%d lines, %d tokens, %d runs, %.1f s, ended %v\n", word, one.Tool, k.ID, one.Kind,
				one.Size.Lines, one.Size.Tokens, one.Runs, one.Seconds, one.Ended)
			fmt.Fprintf(out, "    %s\n", strings.ReplaceAll(strings.TrimSpace(one.Program), "\n", "\n    "))
			s.all[one.Tool] = append(s.all[one.Tool], one)
		}
		return nil
	})
	return s, err
}

func (s *Slipped) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-10s %8s %14s %18s %8s %8s %8s %9s\n", "tool", "programs", "slipped", "(95 times of 100", "lines",
		"tokens", "runs", "seconds")
	for _, tool := range s.tools {
		all := s.all[tool]
		slipped := 0
		for _, one := range all {
			if one.Slipped {
				slipped++
			}
		}
		median := func(of func(Slip) float64) float64 {
			var sorted []float64
			for _, one := range all {
				sorted = append(sorted, of(one))
			}
			slices.Sort(sorted)
			if len(sorted) == 0 {
				return 0
			}
			return sorted[len(sorted)/2]
		}
		fmt.Fprintf(&b, "%-10s %8d %7d %5.1f%% %18s %8.0f %8.0f %8.0f %9.1f\n", tool, len(all), slipped, share(slipped, len(all)),
			interval(slipped, len(all)), median(func(x Slip) float64 { return float64(x.Size.Lines) }),
			median(func(x Slip) float64 { return float64(x.Size.Tokens) }), median(func(x Slip) float64 { return float64(x.Runs) }),
			median(func(x Slip) float64 { return x.Seconds }))
	}
	fmt.Fprintf(&b, "medians of lines, tokens, runs and seconds; %d reports were not tried\n", s.skipped)
	return b.String()
}
