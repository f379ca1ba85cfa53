package minimize_test

import (
	"context"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A stuck box is one whose parser does not answer for some programs.
type stuck struct{ sandbox.Native }

func (s stuck) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	for name, text := range job.Repro.Files {
		if strings.HasSuffix(name, ".txt") && strings.Contains(text, "int('a')") && !strings.Contains(text, "import os") {
			return bug.Outcome{End: bug.TimedOut}, nil
		}
	}
	return s.Native.Run(ctx, job)
}

// A parser that does not answer costs that candidate, and not the result.
func TestAParserThatDoesNotAnswer(t *testing.T) {
	python, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := minimize.Minimizer{Box: stuck{}, Cold: sandbox.Native{}, Log: new(journal.Mem), Runtime: python[0],
		Parser: python[0], Workers: 1}
	small, err := m.Minimize(t.Context(), "import os\nx = 3\ny = 4\nint('a')\n")
	if err != nil || small.Program != "import os\nint('a')\n" {
		t.Errorf("%q, %v", small.Program, err)
	}
}
