package machine

import (
	"os/exec"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// BenchmarkSecondStart prints what a run costs in an environment that is
// there already, from asking for the version to the end of the program, over
// the same interpreter started bare.
func BenchmarkSecondStart(b *testing.B) {
	shelf := runtimestest.NewShelf("1.0")
	defer shelf.Close()
	pythons := runtimes.Places{}.All(b.Context())
	if len(pythons) == 0 {
		b.Fatal(runtimes.ErrNone)
	}
	envs := runtimes.Environments{Dir: b.TempDir(), Pythons: pythons[len(pythons)-1:],
		Index: index.Index{URL: shelf.Index()}}
	spec := runtimes.Spec{Package: "snail", Version: "1.0"}
	first, err := envs.Get(b.Context(), spec)
	if err != nil {
		b.Skip(err)
	}
	var bare, boxed time.Duration
	for b.Loop() {
		began := time.Now()
		if err := exec.Command(first.Path, "-c", "import snail").Run(); err != nil {
			b.Fatal(err)
		}
		bare += time.Since(began)

		began = time.Now()
		r, err := envs.Get(b.Context(), spec)
		if err != nil {
			b.Fatal(err)
		}
		o, err := sandbox.Native{}.Run(b.Context(), sandbox.Job{Repro: bug.Program("import snail"), Runtime: r})
		if err != nil || o.Failed() {
			b.Fatal(o, err)
		}
		boxed += time.Since(began)
	}
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
	b.ReportMetric(each(bare), "ms-bare")
	b.ReportMetric(each(boxed-bare), "ms-over-bare")
}
