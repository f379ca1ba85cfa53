package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/casefile"
)

// A Live is a real report and what a careful reader expects of it, written down
// before anything was run.
type Live struct {
	Number     string
	Batch      string
	Verdicts   [][]string // for each interpreter: those that can be defended, the likeliest first
	Components []string
	Labels     []string // that people gave it
}

// Lives reads a table of number, batch, two verdicts and a second for each, component
// and a second, labels and why.
func Lives(table string) ([]Live, error) {
	var all []Live
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 9 {
			return nil, fmt.Errorf("line %d: want nine columns or more, not %d", i+1, len(f))
		}
		if i == 0 {
			continue
		}
		one := Live{Number: f[0], Batch: f[1], Verdicts: [][]string{said(f[2], f[3]), said(f[4], f[5])},
			Components: said(f[6], f[7])}
		for l := range strings.SplitSeq(strings.TrimPrefix(f[8], "~"), ",") {
			one.Labels = append(one.Labels, strings.TrimSpace(l))
		}
		all = append(all, one)
	}
	return all, nil
}

func said(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "-" || w == "unknown" || w == "" })
}

// Expected is the word that readers have for what a case came to; empty if nothing is claimed.
func Expected(c casefile.Case) string {
	switch v, _ := c.Verdict(); v {
	case casefile.Reproduces, casefile.Flaky:
		return "reproduces"
	case casefile.DoesNotReproduce, casefile.Fixed:
		return "not-reproduced"
	case casefile.DifferentError, casefile.NeedsInfo:
		return string(v)
	case casefile.NotActionable:
		if c.Triage != nil && c.Triage.Rule == "hardware" {
			return "hardware"
		}
		return string(v)
	case casefile.CannotRun:
		if n := len(c.Asked); n > 0 && c.Asked[n-1].Lacks != "" {
			return "hardware"
		}
	}
	return ""
}

// A Standing is how real reports came out.
type Standing struct {
	Known, Right, Wrong    int // verdicts
	Shown, Component       int // of those that reproduce: all, and those whose component is right
	Wanted, Given          int // reports with labels of an area, and those of them for which one was proposed
	Labels, Proposed, More int // labels of an area that people gave, those proposed of them, and others proposed
}

// Add counts a case against what was expected on interpreter i, and says how it came out.
func (s *Standing) Add(l Live, i int, c casefile.Case) string {
	want := l.Verdicts[i]
	if len(want) == 0 {
		return "unknown"
	}
	s.Known++
	switch got := Expected(c); {
	case slices.Contains(want, got):
		s.Right++
		return "right"
	case got == "", got == "needs-info": // nothing is claimed of the bug
		return "undecided"
	}
	s.Wrong++
	return "WRONG"
}

// Routed counts component and labels of a report.
func (s *Standing) Routed(l Live, c casefile.Case, labels []string) {
	if v, _ := c.Verdict(); c.Why != nil && (v == casefile.Reproduces || v == casefile.Flaky) {
		s.Shown++
		if slices.Contains(l.Components, c.Why.Component) {
			s.Component++
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(l.Labels), func(l string) bool { return !area.MatchString(l) })
	if len(wanted) == 0 {
		return
	}
	s.Wanted++
	s.Labels += len(wanted)
	given := 0
	for _, l := range labels {
		if slices.Contains(wanted, l) {
			given++
		} else if area.MatchString(l) {
			s.More++
		}
	}
	s.Proposed += given
	if given > 0 {
		s.Given++
	}
}

// Print writes the counts.
func (s Standing) Print(out io.Writer) error {
	_, err := fmt.Fprintf(out, "verdicts: %d of %d right, %d wrong, the rest undecided\n"+
		"component: %d of %d that reproduce\n"+
		"labels: one that people gave in %d of %d reports; of %d labels given %d proposed, %d others proposed\n",
		s.Right, s.Known, s.Wrong, s.Component, s.Shown, s.Given, s.Wanted, s.Labels, s.Proposed, s.More)
	return err
}
