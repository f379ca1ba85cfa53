package minimize

import (
	"context"
	"slices"

	"scrub/internal/bug"
	"scrub/internal/reduce"
	"scrub/internal/reduce/lift"
	"scrub/internal/reduce/textpass"
)

// byPath makes the program small that keeps its own way to the bug: the function of it that failed still
// does, and nothing is put in its place that was only made of what a run showed. It is empty if that is
// what came out anyway.
func (o *holder) byPath(ctx context.Context, locked string, steps []reduce.Step) (string, error) {
	lifted := func(name string) bool {
		return slices.ContainsFunc(lift.All, func(p reduce.Pass) bool { return p.Name == name })
	}
	if !slices.ContainsFunc(steps, func(s reduce.Step) bool { return lifted(s.Pass) }) {
		return "", nil
	}
	o.ownPath = true
	defer func() { o.ownPath = false }()
	r := o.reducer()
	r.Passes = slices.DeleteFunc(slices.Clone(r.Passes), func(p reduce.Pass) bool { return lifted(p.Name) })
	got, err := o.reduced(ctx, r, locked)
	if err != nil {
		return "", err
	}
	best := got.Files[bug.Script]
	if sure, err := o.confirmed(ctx, best); err != nil || !sure {
		return "", err
	}
	return o.plain(ctx, best)
}

// reducer is what cuts, with all that is held.
func (o *holder) reducer() *reduce.Reducer {
	return &reduce.Reducer{Passes: o.tried(), View: o.view, Useless: o.useless, Ask: o.ask, Workers: o.Workers,
		Budget: o.Budget, Enough: o.Enough, Saw: o.Saw}
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
