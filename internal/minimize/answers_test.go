package minimize_test

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// The second answer keeps the function of the program that fails, which the first does without.
func TestBothAnswers(t *testing.T) {
	python, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	warm := &sandbox.Warm{Tools: syntax.Tools()}
	defer warm.Close()
	m := minimize.Minimizer{Box: warm, Cold: sandbox.Native{}, Log: new(journal.Mem), Runtime: python[0],
		Parser: python[0], Workers: 2, Both: true}
	small, err := m.Minimize(t.Context(), "import datetime\nclass Plan:\n    def shift(self, day, months):\n"+
		"        return day.replace(month=day.month + months)\nprint(Plan().shift(datetime.date(2024, 1, 31), 1))\n")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(small.Program, "def shift") || !strings.Contains(small.OwnPath, "def shift") ||
		!strings.Contains(small.OwnPath, ".replace(") {
		t.Errorf("first:\n%s\nsecond:\n%s", small.Program, small.OwnPath)
	}
}
