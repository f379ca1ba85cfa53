package textpass

import (
	"regexp"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
)

func TestSimpler(t *testing.T) {
	p := reduce.Program{Files: bug.Files{"a.py": "x = f(device='cuda')\ny = f(device='cpu')\n"}}
	pass := Simpler([]Swap{{regexp.MustCompile(`(device=)'\w+'`), "$1'cpu'"}})
	var all []string
	for e := range pass.Propose(p) {
		all = append(all, e.Apply(p.Files)["a.py"])
	}
	if len(all) != 1 || all[0] != "x = f(device='cpu')\ny = f(device='cpu')\n" {
		t.Errorf("%q", all)
	}
}
