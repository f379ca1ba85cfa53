package minimize

import (
	"context"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/lift"
	"github.com/scrub-dev/scrub/internal/reduce/pass"
	"github.com/scrub-dev/scrub/internal/reduce/textpass"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// reducer is what cuts, with all that is held.
func (o *holder) reducer() *reduce.Reducer {
	r := &reduce.Reducer{Passes: o.tried(), View: o.view, Useless: o.useless, Ask: o.ask, Workers: o.Workers, Dear: o.dear,
		Budget: o.Budget, Enough: o.Enough, Saw: o.Saw}
	if o.Alive != "" && (o.symptom.Kind == bug.Raises || o.symptom.InOutput()) {
		r.Screen = o.screen
	}
	return r
}

// screen runs candidates together and says which do not show the bug. What shows it, or was not got to, is open.
func (o *holder) screen(ctx context.Context, all []bug.Files) ([]reduce.Judgement, error) {
	said := make([]reduce.Judgement, len(all))
	for at := 0; at < len(all); {
		var texts []string
		for _, files := range all[at:] {
			texts = append(texts, files[bug.Script])
		}
		ended, died, err := syntax.Together(ctx, texts, o.Alive, func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
			job := o.job(r)
			job.Limits.CPU, job.Limits.Idle, job.Limits.Output = time.Duration(len(texts))*o.most(), o.idle, 8<<20
			return o.run(ctx, "candidates together", o.Box, job)
		})
		if err != nil {
			return nil, err
		}
		for i, out := range ended {
			if v := o.judge(out, texts[i]); v.Answer == bug.No {
				said[at+i] = v
			}
		}
		at += len(ended)
		if died || len(ended) == 0 {
			at++ // this one stays open
		}
	}
	return said, nil
}

// slow is how much work a run may be before fewer rounds are tried before anything else.
const slow = 150 * time.Millisecond

func (o *holder) dear() bool { return time.Duration(o.cheapest.Load()) > slow }

// tried are the passes, the project's own included. Where a run is dear, numbers come first: fewer rounds
// make all that follows cheaper.
func (o *holder) tried() []reduce.Pass {
	all := slices.Clone(pass.Python)
	for i, p := range all {
		all[i].Bold = o.Fixed && slices.Contains([]string{pass.Unrun.Name, pass.Slice.Name, pass.Rows.Name}, p.Name) ||
			len(o.Instead) > 0 && p.Name == lift.Straight.Name
	}
	if o.dear() && !o.Fixed {
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
