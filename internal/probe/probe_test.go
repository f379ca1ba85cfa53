package probe_test

import (
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/rule"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

// ask asks three times about a program that shows its bug in some runs.
func ask(t *testing.T, fault string, untilMixed bool) (probe.Tally, int64) {
	t.Helper()
	when, err := rule.Compile(fault)
	if err != nil {
		t.Fatal(err)
	}
	symptom, err := bug.ParseSymptom(sandboxtest.Planted)
	if err != nil {
		t.Fatal(err)
	}
	box := &sandboxtest.World{Fault: when}
	p := probe.Prober{Box: box, Log: new(journal.Mem)}
	q := probe.Question{Repro: bug.Program("f()\n"), Symptom: symptom, Times: 3, UntilMixed: untilMixed}
	var tally probe.Tally
	for range 2 { // what is on record is not run again
		if tally, err = p.Ask(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	return tally, box.Runs.Load()
}

// Answers that are mixed are asked for more often, and those that agree are not.
func TestMixedAnswersAreAskedMoreOften(t *testing.T) {
	for _, tt := range []struct {
		fault      string
		untilMixed bool
		yes, no    int
	}{
		{"run > 0", false, 3, 0},
		{"run > 99", false, 0, 3},
		{"run == 2", false, 1, 11},
		{"run == 3", false, 1, 11},
		{"run < 3", false, 2, 10},
		{"run == 1", true, 1, 1},
		{"run == 5", false, 0, 3},
	} {
		got, runs := ask(t, tt.fault, tt.untilMixed)
		if got.Yes != tt.yes || got.No != tt.no || int(runs) != tt.yes+tt.no {
			t.Errorf("%s: %d yes and %d no in %d runs, want %d and %d", tt.fault, got.Yes, got.No, runs, tt.yes, tt.no)
		}
	}
}
