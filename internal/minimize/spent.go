package minimize

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// Spent is what runs of one kind took: the first ones, candidates, looks, and reading programs, which
// is no run of them.
type Spent struct {
	For      string  `json:"for"`
	Runs     int     `json:"runs"`
	Seconds  float64 `json:"seconds"` // of all of them, several of which may go on at once
	CPU      float64 `json:"cpu_seconds"`
	TimedOut int     `json:"timed_out,omitempty"`
}

// An account is what all runs have taken so far.
type account struct {
	mu    sync.Mutex
	kinds map[string]Spent
}

func (a *account) add(what string, out bug.Outcome) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kinds == nil {
		a.kinds = map[string]Spent{}
	}
	s := a.kinds[what]
	s.For = what
	s.Runs++
	s.Seconds += out.Cost.Wall.Seconds()
	s.CPU += out.Cost.CPU.Seconds()
	if out.End == bug.TimedOut {
		s.TimedOut++
	}
	a.kinds[what] = s
}

func (a *account) all() []Spent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.SortedFunc(maps.Values(a.kinds), func(a, b Spent) int { return strings.Compare(a.For, b.For) })
}

// run runs a program, and counts that.
func (o *holder) run(ctx context.Context, what string, box sandbox.Box, job sandbox.Job) (bug.Outcome, error) {
	o.runs.Add(1)
	out, err := box.Run(ctx, job)
	o.spent.add(what, out)
	return out, err
}

// reader runs what reads programs, and counts what that takes.
func (o *holder) reader(preload ...string) bug.Runner {
	run := sandbox.Tool(o.Box, o.Parser, preload...)
	return func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		out, err := run(ctx, repro)
		o.spent.add("read", out)
		return out, err
	}
}
