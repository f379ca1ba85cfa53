package minimize

import (
	"context"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/lift"
)

// others looks for other answers, where they are asked for and the first one is whole.
func (o *holder) others(ctx context.Context, small *Small, locked, best string) (err error) {
	if !small.Minimal || !small.Verified {
		return nil
	}
	if o.exposed && !o.Exact {
		if small.Relation, err = o.relation(ctx, best, small.After); err != nil {
			return err
		}
	}
	if o.Both && ctx.Err() == nil {
		small.OwnPath, err = o.byPath(ctx, locked, small.Steps)
	}
	return err
}

// relation makes a program small whose assertion fails with other values than
// it did: what it compares is still computed, by all the operations that it was. It is empty
// if that is not much smaller.
func (o *holder) relation(ctx context.Context, text string, than reduce.Size) (string, error) {
	if o.kin == nil || len(o.kin.Operations) == 0 || o.kin.Operations[0].Relation == "" {
		return "", nil // nothing else would hold it
	}
	strict, literals := o.strict, o.literals
	defer func() { o.strict, o.literals, o.relates = strict, literals, false }()
	o.strict, o.literals, o.relates = "", nil, true
	got, err := o.reducer().Reduce(ctx, bug.Files{bug.Script: text})
	if err != nil {
		return "", err
	}
	best := got.Files[bug.Script]
	if sure, err := o.confirmed(ctx, best); err != nil || !sure {
		return "", err
	}
	best, err = o.plain(ctx, best)
	if after := reduce.SizeOf(bug.Files{"": best}); 10*after.Tokens > 8*than.Tokens {
		return "", err
	}
	return best, err
}

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
