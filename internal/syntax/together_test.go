package syntax

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax/syntaxtest"
)

// One after the other, each for itself, up to one after which there is no going on.
func TestTogether(t *testing.T) {
	texts := []string{
		"print('one'); kept = 1",
		"import sys\nsys.exit(3)",
		"print(kept)",
		"import os\nos.system('echo past Python')",
		"import builtins\nbuiltins.poisoned = True\nraise ValueError('here')",
		"print('never')",
	}
	got, ended, err := Together(t.Context(), texts, "import builtins\nassert not hasattr(builtins, 'poisoned')",
		syntaxtest.Bare(t))
	if err != nil || len(got) != 5 || ended {
		t.Fatalf("%d of 5 ended: %+v, %v", len(got), got, err)
	}
	if got[0].Stdout != "one\n" || got[1].Code != 3 || got[3].Stdout != "past Python\n" {
		t.Errorf("%+v", got)
	}
	if e, ok := got[2].Exception(); !ok || e.Class != "NameError" {
		t.Errorf("what the first one kept is there for the third: %+v", got[2])
	}
	e, ok := got[4].Exception()
	if !ok || e.Class != "ValueError" || !strings.Contains(got[4].Stderr, `/repro.py", line 3, in <module>`) ||
		strings.Contains(got[4].Stderr, "together") {
		t.Errorf("%+v, %v: %s", e, ok, got[4].Stderr)
	}
	died, ended, err := Together(t.Context(), []string{"print(1)", "import os\nos._exit(1)", "print(2)"}, "",
		syntaxtest.Bare(t))
	if err != nil || len(died) != 1 || !ended || died[0].End != bug.Exited {
		t.Errorf("%+v, %v", died, err)
	}
}
