package minimize

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A question is what a look at a program is remembered by.
type question struct {
	Program string
	Symptom bug.Symptom
	Strict  string
	Runtime bug.Runtime
	Shows   map[string]string
	Round   int               // of a program that does not always do the same
	Set     map[string]string `json:",omitempty"`
}

// replaced is what is asked of a script of the project.
type replaced struct {
	question
	Script string
}

// look runs a program twice from inside, once for each text. What cannot be
// seen is not known.
func (o *holder) look(ctx context.Context, text string) syntax.Look {
	if o.seen.text == text {
		return o.seen.look
	}
	look, err := journal.Do(ctx, o.Log, "look/2", question{text, o.symptom, o.strict, o.Runtime, o.Shows, 0, o.Set},
		func(ctx context.Context, q question) (syntax.Look, error) {
			return o.observe(ctx, q.Program), ctx.Err()
		})
	if err != nil {
		return syntax.Look{}
	}
	o.seen.text, o.seen.look = text, look
	return look
}

func (o *holder) observe(ctx context.Context, text string) syntax.Look {
	var values syntax.Look
	var wg sync.WaitGroup
	wg.Go(func() { values = o.lookFor(ctx, "values", text) })
	frames := o.lookFor(ctx, "frames", text)
	wg.Wait()
	frames.Values = values.Values
	if o.complains() {
		frames.Lifts = nil // what was computed wrongly must be computed
	}
	return frames
}

// leastLook is how much work a look may always be.
const leastLook = 10 * time.Second

// lookFor runs a program once from inside. No look is no failure.
func (o *holder) lookFor(ctx context.Context, what, text string) syntax.Look {
	patience := time.Duration(0)
	if o.stay != nil {
		patience = max(time.Second/20, min(time.Second, 3*time.Duration(o.stay.there.Load())))
	} else if o.symptom.Kind == bug.Hangs {
		patience = o.limits.Time / 2
	} else if what == "values" {
		// What has not varied by then is proposed as what never does.
		patience = max(time.Second/5, 2*time.Duration(o.cheapest.Load()))
	}
	q := syntax.LookFor{Text: text, What: what, Patience: patience, Shows: o.Shows}
	seen, _ := syntax.LookAt(ctx, q, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		job := o.job(repro)
		job.Limits.Output, job.Limits.Time = 8<<20, 4*job.Limits.Time
		job.Limits.CPU = max(leastLook, 2*o.most())
		return o.run(ctx, "look for "+what, o.Box, job)
	})
	return seen
}

// straight asks what a program does in a straight line.
func (o *holder) straight(ctx context.Context, text string) []syntax.Lift {
	lifts := o.instead(ctx, text)
	if o.weak() || o.symptom.Kind == bug.Crashes {
		return lifts // what dies cannot tell what it did
	}
	lifts = append(lifts, o.replay(ctx, "replay", text).Lifts...)
	if o.complains() {
		lifts = slices.DeleteFunc(lifts, func(l syntax.Lift) bool { return !l.Computed })
	}
	return lifts
}

// instead are the programs that the project itself puts in the place of one.
func (o *holder) instead(ctx context.Context, text string) (lifts []syntax.Lift) {
	for _, script := range o.Instead {
		q := replaced{question{text, o.symptom, o.strict, o.Runtime, o.Shows, 0, o.Set}, script}
		more, err := journal.Do(ctx, o.Log, "instead/1", q, func(ctx context.Context, q replaced) ([]syntax.Lift, error) {
			repro := bug.Program(q.Script)
			repro.Files["subject.py"] = q.Program
			job := o.job(repro)
			job.Limits.Output, job.Limits.Time, job.Limits.CPU = 8<<20, 4*job.Limits.Time, max(leastLook, 4*o.most())
			out, err := o.run(ctx, "look for what does the same", o.Box, job)
			return syntax.Programs(out), err
		})
		if err != nil {
			return nil // the program is cut without that
		}
		lifts = append(lifts, more...)
	}
	return lifts
}

// kinOf is what makes it the same bug, as one run of a program shows that.
func (o *holder) kinOf(ctx context.Context, text string) *syntax.Kin {
	return o.replay(ctx, "kin", text).Kin
}

// replay writes down what a program asks of its libraries, once for each text: in a
// run that ends as it should, if there is one among as many as a candidate gets.
func (o *holder) replay(ctx context.Context, what, text string) syntax.Look {
	var seen syntax.Look
	for round := range max(1, o.times) {
		seen, _ = journal.Do(ctx, o.Log, what+"/10", question{text, o.symptom, o.strict, o.Runtime, o.Shows, round, o.Set},
			func(ctx context.Context, q question) (syntax.Look, error) {
				return o.lookFor(ctx, what, q.Program), ctx.Err()
			})
		if o.symptom.Kind != bug.Raises || seen.Kin == nil || slices.ContainsFunc(seen.Kin.Raised, o.sameClass) ||
			ctx.Err() != nil {
			break
		}
	}
	return seen
}

// sameClass reports whether an exception is of the class that is looked for, or within a group.
func (o *holder) sameClass(r syntax.Raise) bool {
	return r.Class == o.symptom.Class || strings.HasSuffix(o.symptom.Class, "Group")
}
