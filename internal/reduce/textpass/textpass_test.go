package textpass

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
)

// proposals are what a pass makes of a text.
func proposals(pass reduce.Pass, text string) []string {
	p := reduce.Program{Files: bug.Files{"a.py": text}}
	var all []string
	for e := range pass.Propose(p) {
		all = append(all, e.Apply(p.Files)["a.py"])
	}
	return all
}

// Of a long list halves go first, and what is left can be read.
func TestLong(t *testing.T) {
	var items []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(" [%d, \"a, b\"]", i))
	}
	text := "x = f({'k': [" + strings.Join(items, ",") + "]})\n"
	all := proposals(Long, text)
	for i, want := range []string{strings.Join(items[49:], ","), strings.Join(items[:49], ",") + "," + items[98] + "," + items[99]} {
		if len(all) < 2 || all[i] != "x = f({'k': ["+want+"]})\n" {
			t.Errorf("proposal %d of %d: %s, want %s", i, len(all), all[i], want)
		}
	}
	if few := proposals(Long, "x = [1, 2, 3]\n"); len(few) > 0 {
		t.Errorf("a short list is cut: %q", few)
	}
	if broken := proposals(Long, "x = ]),,,"+strings.Repeat(",", 100)); len(broken) > 0 {
		t.Errorf("what is in no brackets is cut: %q", broken)
	}
}
