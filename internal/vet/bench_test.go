package vet_test

import (
	"context"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A thousand lines of the kind that people report, vetted cold and warm.
func BenchmarkThousandLines(b *testing.B) {
	unit := `def step%(n)s(x, y=2):
    total = 0
    for i in range(10):
        z = x * i + y
        if z > 3:
            total += len(str(z))
    return {"total": total, "name": "step" + str(y)}


print(step%(n)s(1), os.path.join("a", "b"))
`
	var text strings.Builder
	text.WriteString("import os\n")
	for n := range 100 {
		text.WriteString(strings.ReplaceAll(unit, "%(n)s", string(rune('a'+n%26))+strings.Repeat("x", n/26)))
	}
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		b.Fatal(err)
	}
	box := newBox(b)
	warm := &sandbox.Warm{}
	defer warm.Close()
	for _, w := range []struct {
		name string
		box  sandbox.Box
	}{{"cold", sandbox.Native{}}, {"warm", warm}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				reading, err := syntax.Read(b.Context(), text.String(),
					func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
						return w.box.Run(ctx, sandbox.Job{Repro: r, Runtime: box.python, Preload: syntax.Preload})
					})
				if err != nil || len(vet.Review(text.String(), reading, prof)) > 0 {
					b.Fatalf("%+v, %v", reading.Broken, err)
				}
			}
		})
	}
}
