package minimize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Where beginning is dear, several candidates begin once, and what comes out is what comes out without that:
// also if some of them end the process, or leave it of no use.
func TestTogether(t *testing.T) {
	python, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("import time\nbegan = time.process_time()\nwhile time.process_time() - began < 0.2: pass\nall = []\n")
	for i := range 12 {
		fmt.Fprintf(&b, "if len(all) > %d: all.append(%d)\nelse: all += [%d]\n", i, i, i)
	}
	b.WriteString("all.remove(99)\n")
	warm := &sandbox.Warm{Tools: syntax.Tools()}
	defer warm.Close()
	small := map[string]minimize.Small{}
	for _, alive := range []string{"", "pass", "raise ValueError"} {
		m := minimize.Minimizer{Box: warm, Cold: sandbox.Native{}, Log: new(journal.Mem), Runtime: python[0],
			Parser: python[0], Preload: []string{}, Workers: 2, Alive: alive, Symptom: bug.Symptom{Kind: bug.Raises,
				Class: "ValueError"}}
		got, err := m.Minimize(t.Context(), b.String())
		if err != nil || !got.Verified {
			t.Fatalf("alive %q: %+v, %v", alive, got, err)
		}
		small[alive] = got
	}
	runs := func(alive, what string) int {
		for _, s := range small[alive].Spent {
			if s.For == what {
				return s.Runs
			}
		}
		return 0
	}
	t.Log(small[""].Spent, small["pass"].Spent)
	if small[""].Program != small["pass"].Program || small[""].Program != small["raise ValueError"].Program {
		t.Errorf("alone:\n%s\ntogether:\n%s", small[""].Program, small["pass"].Program)
	}
	if runs("", "candidates together") != 0 || runs("pass", "candidates together") == 0 {
		t.Errorf("together %d times alone, %d times if they may be", runs("", "candidates together"),
			runs("pass", "candidates together"))
	}
}
