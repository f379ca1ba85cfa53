package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/judge"
)

// Examples reads what Reproduce kept. A report of a tier that can be answered
// is an example of a fix on the two releases around it, and of none on later ones.
func Examples(data io.Reader) ([]judge.Example, error) {
	var all []judge.Example
	err := eachLine(data, func(k Kept) error {
		if k.Seen {
			fixed := !k.Later && !slices.Contains(traps, k.Tier) && k.Tier != "not_run"
			all = append(all, judge.Example{Name: k.ID, Project: k.Project, Clues: k.Clues, Fixed: fixed,
				Older: k.Older, Newer: k.Newer, Known: fixed && len(k.Clues) > 0})
		}
		return nil
	})
	return all, err
}

// A Fitting is how well models do on reports that they were not made from.
type Fitting struct {
	Model judge.Model // from all
	// by project: what a model says that was made from all others
	Right, Missed, Wrong, Spared map[string]int
	Bins                         Bins
	Explained                    []string // the wrong ones
}

// Fit fits a model, and for each project one without it, to see how it carries over.
func Fit(examples []judge.Example, sure float64) *Fitting {
	f := &Fitting{Model: judge.Fit(examples), Right: map[string]int{}, Missed: map[string]int{},
		Wrong: map[string]int{}, Spared: map[string]int{}}
	projects := map[string]bool{}
	for _, e := range examples {
		projects[e.Project] = true
	}
	for _, project := range slices.Sorted(maps.Keys(projects)) {
		var others []judge.Example
		for _, e := range examples {
			if e.Project != project {
				others = append(others, e)
			}
		}
		m := judge.Fit(others)
		for _, e := range examples {
			if e.Project == project {
				f.count(m, e, sure)
			}
		}
	}
	return f
}

func (f *Fitting) count(m judge.Model, e judge.Example, sure float64) {
	best, p := m.Best(e.Clues, e.Older)
	if best != nil {
		f.Bins.add(p, e.Fixed)
	}
	says := best != nil && p >= sure
	switch {
	case says && e.Fixed:
		f.Right[e.Project]++
	case says:
		f.Wrong[e.Project]++
		f.Explained = append(f.Explained, fmt.Sprintf("%s %.2f %s: %.60q: %.60q to %.60q", e.Name, p, best.How, best.Text,
			best.Older.Text(), best.Newer.Text()))
	case e.Fixed:
		f.Missed[e.Project]++
	default:
		f.Spared[e.Project]++
	}
}

func (f *Fitting) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.Model)) {
		fmt.Fprintf(&b, "%6.2f  %s\n", f.Model[name], name)
	}
	fmt.Fprintf(&b, "\nleft out at a time   fixes said  missed   not fixed: said so  not said\n")
	var sum [4]int
	for _, p := range slices.Sorted(maps.Keys(both(both(f.Right, f.Missed), both(f.Wrong, f.Spared)))) {
		row := [4]int{f.Right[p], f.Missed[p], f.Wrong[p], f.Spared[p]}
		fmt.Fprintf(&b, "%-20s %10d %7d %19d %9d\n", p, row[0], row[1], row[2], row[3])
		for i := range sum {
			sum[i] += row[i]
		}
	}
	fmt.Fprintf(&b, "%-20s %10d %7d %19d %9d\n\n%v", "all", sum[0], sum[1], sum[2], sum[3], f.Bins)
	for _, line := range f.Explained {
		fmt.Fprintln(&b, "wrong", line)
	}
	return b.String()
}
