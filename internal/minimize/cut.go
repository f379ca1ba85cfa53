package minimize

import (
	"context"
	"slices"
	"time"

	"scrub/internal/bug"
	"scrub/internal/reduce"
	"scrub/internal/reduce/pass"
	"scrub/internal/reduce/textpass"
)

// reducer is what cuts, with all that is held.
func (o *holder) reducer() *reduce.Reducer {
	return &reduce.Reducer{Passes: o.tried(), View: o.view, Useless: o.useless, Ask: o.ask, Workers: o.Workers, Dear: o.dear,
		Budget: o.Budget, Enough: o.Enough, Saw: o.Saw}
}

// slow is how much work a run may be before fewer rounds are tried before anything else.
const slow = 150 * time.Millisecond

func (o *holder) dear() bool { return time.Duration(o.cheapest.Load()) > slow }

// tried are the passes, the project's own included. Where a run is dear, numbers come first: fewer rounds
// make all that follows cheaper.
func (o *holder) tried() []reduce.Pass {
	all := slices.Clone(pass.Python)
	if o.dear() {
		rounds := pass.Numbers
		rounds.Name, rounds.Tier, rounds.Once = "fewer rounds", 0, true
		at := slices.IndexFunc(all, func(p reduce.Pass) bool { return p.Name == pass.Folds.Name })
		all = slices.Insert(all, at+1, rounds)
	}
	if len(o.Simpler) > 0 {
		all = append(all, textpass.Simpler(o.Simpler))
	}
	return all
}

// large is how many bytes of a program are mostly data.
const large = 100 << 10

// shortened is a large program with long lists cut in halves, before anything of it is looked at more closely.
func (o *holder) shortened(ctx context.Context, text string) (string, error) {
	if len(text) < large {
		return text, nil
	}
	r := o.reducer()
	r.Passes = []reduce.Pass{textpass.Long}
	r.View = func(_ context.Context, files bug.Files) (reduce.Program, error) {
		return reduce.Program{Files: files}, nil
	}
	got, err := r.Reduce(ctx, bug.Files{bug.Script: text})
	return got.Files[bug.Script], err
}
