package oracle

import (
	"context"
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/textpass"
)

// NotInteresting is that there is nothing to keep while cutting.
type NotInteresting struct{ Words string }

func (n NotInteresting) Error() string {
	return fmt.Sprintf("the command does not find the original file interesting: it %s", n.Words)
}

// Reduce makes files small as long as the command finds them interesting; main
// is the first of them. How is what r says of workers and bounds.
func (c Command) Reduce(ctx context.Context, files bug.Files, main string, r reduce.Reducer) (minimize.Small, error) {
	r.Passes = textpass.All
	r.Ask = func(ctx context.Context, files bug.Files) (reduce.Judgement, error) {
		return c.Interesting(ctx, files, main)
	}
	r.View = func(_ context.Context, files bug.Files) (reduce.Program, error) {
		return reduce.Program{Files: files}, nil
	}
	whole := c
	whole.first = true
	first, err := whole.Interesting(ctx, files, main)
	if err != nil {
		return minimize.Small{}, err
	}
	if first.Answer != bug.Yes {
		return minimize.Small{}, NotInteresting{first.Words}
	}
	got, err := r.Reduce(ctx, files)
	small := minimize.Small{
		First: files, Before: reduce.SizeOf(files), After: reduce.SizeOf(got.Files), Runs: got.Asked + 1,
		Spared:  got.Spared,
		Minimal: got.Minimal, Program: got.Files[main], Steps: got.Steps, ByPass: got.ByPass,
	}
	for name, text := range got.Files {
		if name != main {
			if small.Others == nil {
				small.Others = bug.Files{}
			}
			small.Others[name] = text
		}
	}
	return small, err
}
