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

// A Watch is where programs are rehearsed, and by whose rules they are judged.
type Watch struct {
	Box     sandbox.Box
	Log     journal.Log
	Profile profile.Profile
	Limits  sandbox.Limits
}

// Walled reports whether there is a box: nobody's branches are taken where nothing holds what they do.
func (w Watch) Walled() bool {
	_, walled := w.Box.(sandbox.Walled)
	return walled
}

// Found is what is dangerous in what a program does on an interpreter, and what was seen of it. It is watched once;
// what libraries do as soon as they are imported is none of its doing.
func (w Watch) Found(ctx context.Context, repro bug.Repro, reading syntax.Reading,
	on bug.Runtime) ([]vet.Finding, rehearse.Seen, error) {
	type question struct {
		Repro   bug.Repro
		Names   []string
		Runtime bug.Runtime
	}
	text := repro.Files[bug.Script]
	watch := func(repro bug.Repro) (rehearse.Seen, error) {
		return journal.Do(ctx, w.Log, "rehearse/5", question{repro, vet.Watched(w.Profile), on},
			func(ctx context.Context, q question) (rehearse.Seen, error) {
				return rehearse.Run(ctx, q.Repro.Files[bug.Script], q.Names, w.boxed(q.Repro, q.Runtime, w.Limits.Time),
					w.boxed(q.Repro, q.Runtime, min(w.Limits.Time, short)))
			})
	}
	seen, err := watch(repro)
	if err != nil {
		return nil, seen, err
	}
	if imports := reading.OnlyImports(text); imports != "" && vet.Unexplained(seen, w.Profile) {
		imported, err := watch(bug.Program(imports))
		if err != nil {
			return nil, seen, err
		}
		seen = seen.Without(imported)
	}
	found, err := vet.Rehearsed(seen, w.Profile, func(texts []string) ([]syntax.Reading, error) {
		return journal.Do(ctx, w.Log, "read texts", asked{texts, on}, func(ctx context.Context, q asked) ([]syntax.Reading,
			error) {
			return syntax.ReadAll(ctx, q.Texts, sandbox.Tool(w.Box, q.Runtime))
		})
	})
	return found, seen, err
}

type asked struct {
	Texts   []string
	Runtime bug.Runtime
}

// short is how long a program may run that is made to take every branch.
const short = 20 * time.Second

// boxed runs what rehearses a program in the box, with what lies beside the program.
func (w Watch) boxed(repro bug.Repro, on bug.Runtime, most time.Duration) rehearse.Runner {
	limits := w.Limits
	limits.Time = most
	return func(ctx context.Context, r bug.Repro, variables map[string]string, heard func(rehearse.Deed)) (bug.Outcome,
		error) {
		for name, data := range repro.Files {
			if _, own := r.Files[name]; !own {
				r.Files[name] = data
			}
		}
		e := ear{tell: heard}
		return w.Box.Run(ctx, sandbox.Job{Repro: r, Runtime: on, Limits: limits, Hear: e.hear,
			Setting: bug.Setting{Factors: variables}})
	}
}
