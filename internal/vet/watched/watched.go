// Package watched has programs rehearsed in a box, and keeps what was seen.
package watched

import (
	"context"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/rehearse"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

// longest is how long a program is watched in each way: what it does to the world it does early, or waits for.
const longest = 30 * time.Second

// A Watch is where programs are rehearsed, and by whose rules they are judged.
type Watch struct {
	Box     sandbox.Box
	Log     journal.Log
	Profile profile.Profile
	Limits  sandbox.Limits
	Read    func(ctx context.Context, text string, r bug.Runtime) (syntax.Reading, error)
}

// Found is what is dangerous in what a program does on an interpreter. It is watched once.
func (w Watch) Found(ctx context.Context, repro bug.Repro, on bug.Runtime) ([]vet.Finding, error) {
	type question struct {
		Repro   bug.Repro
		Names   []string
		Runtime bug.Runtime
	}
	text := repro.Files[bug.Script]
	seen, err := journal.Do(ctx, w.Log, "rehearse/1", question{repro, vet.Watched(w.Profile), on},
		func(ctx context.Context, q question) (rehearse.Seen, error) {
			return rehearse.Run(ctx, text, q.Names, func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
				limits := w.Limits
				limits.Time = min(limits.Time, longest)
				for name, data := range repro.Files { // what lies beside the program
					if _, own := r.Files[name]; !own {
						r.Files[name] = data
					}
				}
				return w.Box.Run(ctx, sandbox.Job{Repro: r, Runtime: q.Runtime, Limits: limits})
			})
		})
	if err != nil {
		return nil, err
	}
	return vet.Rehearsed(text, seen, w.Profile, func(text string) (syntax.Reading, error) {
		return w.Read(ctx, text, on)
	})
}
