package minimize

import (
	"slices"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A project's own Python may say what does the same as a program: it sees that program, its complaints are no
// program, and one that says nothing is no failure.
func TestInstead(t *testing.T) {
	found, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	o := &holder{limits: sandbox.Limits{Time: 10 * time.Second},
		Minimizer: &Minimizer{Box: sandbox.Native{}, Log: new(journal.Mem), Runtime: found[0], Instead: []string{
			"raise SystemExit('it cannot tell')",
			"print('[\"never a list')",
			"import json; print('so:'); print(json.dumps([open('subject.py').read() + 'again()']))",
		}}}
	want := []syntax.Lift{{Text: "work()\nagain()", Computed: true}}
	if got := o.instead(t.Context(), "work()\n"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	o.symptom.Kind = bug.Crashes
	if got := o.straight(t.Context(), "work()\n"); len(got) != 1 {
		t.Errorf("of a program that crashes: %v", got)
	}
}
