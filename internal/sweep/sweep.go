// Package sweep says how a backlog is worked through: which step follows which,
// what comes first, what belongs together, and what came of it all.
package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// A Step is how deep a report is gone into. Each takes those before it along.
type Step string

const (
	Triage Step = "triage" // can it be acted on?
	Run    Step = "run"    // does it still fail?
	When   Step = "when"   // since which release, by which change?
	Small  Step = "small"  // the smallest program that shows it
	Why    Step = "why"    // what it depends on
	Test   Step = "test"   // a regression test
)

// Steps are all of them, the cheapest first.
var Steps = []Step{Triage, Run, When, Small, Why, Test}

// ParseStep reads the name of a step.
func ParseStep(name string) (Step, error) {
	if !slices.Contains(Steps, Step(name)) {
		var all []string
		for _, s := range Steps {
			all = append(all, string(s))
		}
		return "", fmt.Errorf("%q is not a step; want %s", name, strings.Join(all, ", "))
	}
	return Step(name), nil
}

// Reaches reports whether going as deep as s means to take step too.
func (s Step) Reaches(step Step) bool { return slices.Index(Steps, s) >= slices.Index(Steps, step) }

// apart is more than any repository has reports.
const apart = 100_000_000

// Rank is when the step of a report has its turn: after every cheaper step, and
// among equals by its place, so that repositories take turns.
func (s Step) Rank(place int64) int64 { return int64(slices.Index(Steps, s))*apart + place }

// After is the step that follows s for a report with a verdict, if there is one.
func (s Step) After(depth Step, v casefile.Verdict, since bool) (Step, bool) {
	shown := v == casefile.Reproduces || v == casefile.Flaky
	worth := map[Step]bool{
		Run:   true,
		When:  v == casefile.Fixed || v == casefile.Changed || v == casefile.Unsure || shown && since,
		Small: shown || v == casefile.Fixed,
		Why:   shown,
		Test:  shown || v == casefile.Fixed,
	}
	for _, next := range Steps[slices.Index(Steps, s)+1:] {
		if !depth.Reaches(next) {
			break
		}
		if worth[next] {
			return next, true
		}
	}
	return "", false
}

// What can be said of how far a report has come.
const (
	Waiting = "waiting" // for its turn
	Running = "running"
	Gather  = "gather" // until it is known which others are alike
	Behind  = "behind" // the one that goes first for its group
	Done    = "done"
	Aside   = "aside" // it could not be dealt with; the reason is on record
)

// Open are the states of reports that are not dealt with.
var Open = []string{Waiting, Running, Gather, Behind}

// What can be said of a sweep.
const (
	Going   = "going"
	Stopped = "stopped"
)

// Claim is what a report says goes wrong, so that others which say the same can be
// told by it; empty if it says too little for that.
func Claim(c casefile.Case) string {
	s := c.Symptom
	if len(c.Candidates) == 0 || s.Kind != bug.Raises || s.Message == "" {
		return ""
	}
	return bug.Short(bug.Squeeze(fmt.Sprintf("%s %s %s", c.Package, s.Class, bug.Normal(s.Message))), 300)
}
