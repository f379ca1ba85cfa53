package classify

import (
	"fmt"
	"testing"

	"github.com/scrub-dev/scrub/internal/profile"
)

// Every label comes with the line that speaks for it, once, and comments speak for none.
func TestRoutes(t *testing.T) {
	p, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ title, program, output, want string }{
		{"", "import torch\n# torch.distributed\nx = 1\n", "", "[]"},
		{"", "from torch.distributed.fsdp import FullyShardedDataParallel\n", "",
			"[{oncall: distributed from torch.distributed.fsdp import FullyShardedDataParallel} " +
				"{module: fsdp from torch.distributed.fsdp import FullyShardedDataParallel}]"},
		{"", "", "Segmentation fault (core dumped)\n", "[{module: crash Segmentation fault (core dumped)}]"},
		{"Slicing breaks non-strict export", "", "", "[{oncall: export Slicing breaks non-strict export}]"},
	} {
		got, err := Routes(p, c.title, []string{c.program}, c.output)
		if s := fmt.Sprint(got); err != nil || s != c.want {
			t.Errorf("%q, %q: %s, %v, want %s", c.program, c.output, s, err, c.want)
		}
	}
}
