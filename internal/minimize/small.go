package minimize

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
)

// Small is a program made small, and how.
type Small struct {
	Before   reduce.Size    `json:"before"`
	After    reduce.Size    `json:"after"`
	Runs     int            `json:"runs"`
	Spared   int            `json:"skipped_candidates"` // candidates that could be told to be useless without a run
	Seconds  float64        `json:"seconds"`
	Minimal  bool           `json:"minimal"`
	Symptom  bug.Symptom    `json:"symptom"`
	Program  string         `json:"program"`
	Lost     []string       `json:"lost,omitempty"`     // what of the project the first program uses and this one does without
	Held     []string       `json:"held,omitempty"`     // what makes it the same bug, in words
	Relation string         `json:"relation,omitempty"` // a smaller one that computes other wrong values, of an assertion
	OwnPath  string         `json:"own_path,omitempty"` // the smallest that keeps the program's own way to the bug, if asked for
	Flaky    *Rate          `json:"flaky,omitempty"`
	Spent    []Spent        `json:"spent"`            // what the runs were for, and what they took
	Others   bug.Files      `json:"others,omitempty"` // of several files, all but the first
	Steps    []reduce.Step  `json:"steps"`
	First    bug.Files      `json:"-"` // what the first step was made from
	ByPass   map[string]int `json:"runs_by_pass,omitempty"`
	Needed   []Needed       `json:"needed"` // why it cannot get smaller
	Verified bool           `json:"verified_cold"`
	// the program says itself that something is wrong, but not with which values
	Weak bool `json:"loosely_held,omitempty"`
	// how it fails could not be observed, so that the symptom is all that was held
	Unseen bool `json:"not_observed,omitempty"`
}

// A Rate is how often a program shows its symptom that does not always show it.
type Rate struct {
	Shows  int     `json:"shows"`
	Runs   int     `json:"runs"`
	Low    float64 `json:"low"` // 95 % confidence
	High   float64 `json:"high"`
	Times  int     `json:"times"`  // that a candidate is run before it is given up
	Missed float64 `json:"missed"` // how likely one is given up that shows it as often: what is kept was seen to show it
}

// Needed is a part of a small program and what becomes of it without that.
type Needed struct {
	Part    string `json:"part"`
	Without string `json:"without"`
	Shows   bool   `json:"shows,omitempty"` // it still shows the bug: the reduction was cut short
}

var (
	setting = regexp.MustCompile(`^\w+\s*=[^=]`) // an argument by name
	hard    = regexp.MustCompile(`\b(cuda|mps|xpu|hip)\b`)
)

// Triggers says in words what must be there for the bug to show, and what of
// the program it was made from turned out to be beside the point.
func (s Small) Triggers(before string) []string {
	var all []string
	for _, n := range s.Needed {
		part := bug.Squeeze(n.Part)
		decorator := strings.HasPrefix(part, "@")
		if !n.Shows && (decorator || setting.MatchString(part) && !strings.Contains(s.Program, "\n"+part)) {
			all = append(all, "needs "+bug.Code(part))
		}
	}
	if devices := hard.FindString(before); devices != "" && !hard.MatchString(s.Program) {
		all = append(all, "needs no "+devices+" device: it also fails without one")
	}
	return slices.Compact(all)
}

// A Patch is a step on the way to a small program.
type Patch struct{ Name, Text string }

// Patches are the steps, each as a patch of the program before.
func (s Small) Patches() []Patch {
	var all []Patch
	before := s.First
	for i, step := range s.Steps {
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %d lines, %d tokens, after %d runs\n\n", step.Pass, step.Size.Lines, step.Size.Tokens,
			step.Asked)
		for name, text := range step.Files {
			b.Write(diff.Diff("a/"+name, []byte(before[name]), "b/"+name, []byte(text)))
		}
		before = step.Files
		all = append(all, Patch{fmt.Sprintf("%03d.patch", i+1), b.String()})
	}
	return all
}
