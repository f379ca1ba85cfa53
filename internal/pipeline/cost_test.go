package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// costly takes twice the work, or memory, from version 9 of 16 on.
const costly = `import os
much = 2 if int(os.environ.get("VERSION", "0")) >= 9 else 1
if os.environ.get("WHAT") == "told":
    pass
elif os.environ.get("WHAT") == "memory":
    held = bytearray(much * 60_000_000)
else:
    total = 0
    for i in range(much * 1_000_000):
        total += i
`

// tells is how a project would tell of a cost of its own.
const tells = `import atexit, os, sys
cost = 2 if int(os.environ.get("VERSION", "0")) >= 9 else 1
if MAIN:
    atexit.register(lambda: sys.stderr.write("\nscrub: told %f\n" % cost))
`

// The first version that costs too much is found, however busy the machine is. SCRUB_TEST_COSTS
// says how often the whole search is made; how often it must be right is in docs/measures.md.
func TestCostsAreBisected(t *testing.T) {
	found, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Skip(err)
	}
	python := found[0]
	for _, tt := range []struct {
		what, expect string
		times        int
	}{{"memory", "memory: > 1.5x", 1}, {"told", "compile: 1.5x", 1}, {"work", "slower: 1.5x", repetitions()}} {
		if testing.Short() && tt.what == "work" {
			continue // it takes a while, and says no more of the search
		}
		symptom, err := bug.ParseSymptom(tt.expect)
		if err != nil {
			t.Fatal(err)
		}
		line := runtimes.Line{Of: "version", Bad: 15, Good: 0}
		for i := range 16 {
			line.Names = append(line.Names, strconv.Itoa(i))
		}
		line.Get = func(_ context.Context, i int) (bug.Runtime, bug.Setting, string, error) {
			return python, bug.Setting{Version: line.Names[i], Factors: map[string]string{"VERSION": line.Names[i],
				"WHAT": tt.what}}, "", nil
		}
		right := 0
		for n := range tt.times {
			p := pipeline.Pipeline{Box: sandbox.Native{}, Log: new(journal.Mem), Times: 1, Workers: 1, Now: time.Now,
				Tell: func(event.Event) {}, Round: fmt.Sprint(n),
				Profile: profile.Profile{Tells: map[string]string{"compile": tells}}}
			s := casefile.Subject{Repro: bug.Program(costly), Symptom: symptom, Reading: &syntax.Reading{},
				Consent: casefile.Consent{Decision: casefile.Proceed}}
			when, err := p.Since(t.Context(), s, culprit.Clue{}, line, pipeline.Known{Good: true, Bad: true})
			if err != nil {
				t.Fatal(err)
			}
			from, to, ok := when.Exact()
			if ok && from == "8" && to == "9" {
				right++
			} else {
				t.Logf("%s, search %d: %s", tt.what, n, when.Words())
			}
		}
		t.Logf("%s: %d of %d searches right", tt.what, right, tt.times)
		if right < tt.times && tt.times == 1 {
			t.Errorf("%s is not found", tt.what)
		}
	}
}

func repetitions() int {
	n, _ := strconv.Atoi(os.Getenv("SCRUB_TEST_COSTS"))
	return max(1, n)
}
