package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/rule"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A mortalBox breaks after some runs, as when the process is killed.
type mortalBox struct {
	sandbox.Box
	left atomic.Int64
}

var errKilled = errors.New("killed")

func (b *mortalBox) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	if b.left.Add(-1) < 0 {
		return bug.Outcome{}, errKilled
	}
	return b.Box.Run(ctx, job)
}

func versions() runtimes.Line {
	line := runtimes.Line{Of: "snail"}
	for major := 1; major <= 3; major++ {
		for minor := range 6 {
			line.Names = append(line.Names, fmt.Sprintf("%d.%d", major, minor))
		}
	}
	line.Good = len(line.Names) - 1
	line.Get = func(_ context.Context, i int) (bug.Runtime, bug.Setting, string, error) {
		if line.Names[i] == "2.2" {
			return bug.Runtime{}, bug.Setting{}, "the index has no wheel of it", nil
		}
		return bug.Runtime{Version: "3.11.0"}, bug.Setting{Version: line.Names[i]}, "", nil
	}
	line.Also = func(c bisect.Change) []int { return []int{0, c.To + 3} }
	return line
}

func program() casefile.Subject {
	symptom, err := bug.ParseSymptom(sandboxtest.Planted)
	if err != nil {
		panic(err)
	}
	return casefile.Subject{
		Repro: bug.Program("f()\n"), Reading: &syntax.Reading{}, Symptom: symptom, Project: "snail", Package: "snail",
		Consent: casefile.Consent{Decision: casefile.Proceed},
	}
}

func bisecting(t testing.TB, box sandbox.Box, log journal.Log) *pipeline.Pipeline {
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		t.Fatal(err)
	}
	return &pipeline.Pipeline{Profile: prof, Box: box, Log: log, Times: 3, Workers: 2, Now: time.Now,
		Tell: func(event.Event) {},
		Decide: func(context.Context, casefile.Subject) (casefile.Consent, error) {
			return casefile.Consent{Decision: casefile.Proceed}, nil
		}}
}

func tally(c casefile.Subject, o bug.Outcome) probe.Tally { return probe.Count(c.Symptom, o) }

// Histories of all kinds, and what is said of them.
func TestHistories(t *testing.T) {
	for _, tt := range []struct{ fault, words, others string }{
		{`version < "2.4"`, "Last affected release: snail 2.3; first fixed release: snail 2.4.", ""},
		{`version >= "2.4"`, "First affected release: snail 2.4; last unaffected release: snail 2.3.", ""},
		{`version < "2.2"`, "Last affected release: snail 2.1; first fixed release: snail 2.3; could not be tested: " +
			"2.2.", ""},
		{`version < "1.4" || version >= "2.1" && version < "2.5"`,
			"Last affected release: snail 2.4; first fixed release: snail 2.5.", ""},
		{`version >= "1.1" && version < "1.3"`, "Last affected release: snail 1.2; first fixed release: snail 1.3.",
			"affected from 1.1 on (1.0 is not)"},
		{`version >= "1.0"`, "Every tested version is affected, including the oldest.", ""},
		{`version < "1.0"`, "Not verified: none of the tested versions is affected.", ""},
	} {
		fault, err := rule.Compile(tt.fault)
		if err != nil {
			t.Fatal(err)
		}
		p := bisecting(t, &sandboxtest.World{Fault: fault}, new(journal.Mem))
		when, err := p.Since(t.Context(), program(), culprit.Clue{}, versions(), pipeline.Known{})
		if err != nil {
			t.Fatal(err)
		}
		if others := strings.Join(when.Others(), "; "); when.Words() != tt.words ||
			!strings.Contains(others, tt.others) {
			t.Errorf("%s: %s %s\nwant %s %s", tt.fault, when.Words(), others, tt.words, tt.others)
		}
	}
}

// Ended after any number of runs and begun again, a search ends alike and
// repeats none of them.
func TestBisectGoesOn(t *testing.T) {
	fault, err := rule.Compile(`version < "2.5"`)
	if err != nil {
		t.Fatal(err)
	}
	whole := &sandboxtest.World{Fault: fault}
	want, err := bisecting(t, whole, new(journal.Mem)).Since(t.Context(), program(), culprit.Clue{}, versions(),
		pipeline.Known{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole.Runs.Load() {
		world := &sandboxtest.World{Fault: fault}
		box := &mortalBox{Box: world}
		box.left.Store(n)
		log := new(journal.Mem)
		if _, err := bisecting(t, box, log).Since(t.Context(), program(), culprit.Clue{}, versions(),
			pipeline.Known{}); !errors.Is(err, errKilled) {
			t.Fatalf("after %d runs: %v", n, err)
		}
		box.left.Store(1 << 20)
		got, err := bisecting(t, box, log).Since(t.Context(), program(), culprit.Clue{}, versions(), pipeline.Known{})
		if err != nil || got.Words() != want.Words() {
			t.Errorf("after %d runs: %s, %v; want %s", n, got.Words(), err, want.Words())
		}
		if world.Runs.Load() != whole.Runs.Load() {
			t.Errorf("after %d runs: %d were made in all, want %d", n, world.Runs.Load(), whole.Runs.Load())
		}
	}
}
