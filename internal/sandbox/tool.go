package sandbox

import (
	"context"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Tool runs programs of scrub's own in box, such as those that read a
// stranger's program. A box that keeps interpreters warm has imported preload.
func Tool(box Box, r bug.Runtime, preload ...string) bug.Runner {
	return func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		limits := Limits{Time: time.Minute, Output: 64 << 20}
		return box.Run(ctx, Job{Repro: repro, Runtime: r, Limits: limits, Preload: preload})
	}
}
