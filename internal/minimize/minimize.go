// Package minimize makes a Python program as small as it gets while it shows the
// same bug: the same symptom, out of the same operation.
package minimize

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/textpass"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A Minimizer makes a program as small as it gets while it shows its symptom
// on an interpreter.
type Minimizer struct {
	Box      sandbox.Box // may be warm
	Cold     sandbox.Box // confirms
	Log      journal.Log
	Runtime  bug.Runtime
	Parser   bug.Runtime  // reads programs: the same, if it says where things stand
	PassesOn *bug.Runtime // where it must not fail; nil for nowhere
	Symptom  bug.Symptom  // zero for whatever the first run shows
	Keep     []*regexp.Regexp
	Limits   sandbox.Limits
	Workers  int
	Budget   int
	Enough   int
	Exact    bool // of a wrong result only the program that computes the same wrong values
	Both     bool // also the smallest program that keeps its own way to the bug
	Preload  []string
	// Alive is Python that fails where a process is of no more use to the next program. If it is said, candidates whose
	// beginning is dear, as on a GPU, are first run several in one process.
	Alive   string
	Set     map[string]string // environment variables of all runs
	Fixed   bool              // what makes runs dear is the same for all, however little they do
	Shows   map[string]string // Python that writes down values of a package, by its name
	Called  []string          // methods that calling an object runs, besides __call__
	Simpler []textpass.Swap   // plainer ways to write things
	Instead []string          // Python of the project that says programs which do the same as subject.py
	Saw     func(asked int, steps []reduce.Step)
	// Review says what a person must know of programs. Much of what is tried comes
	// from looks at a run, where the program could have put it; so no candidate
	// is run of which there is more to know than of the program that was agreed
	// to. Nil for programs of ours.
	Review func(ctx context.Context, texts []string) ([][]vet.Finding, error)
}

// ErrNotShown means that there is nothing to keep while cutting.
var ErrNotShown = errors.New("the program does not show the symptom")

// Minimize makes text small.
func (m *Minimizer) Minimize(ctx context.Context, text string) (Small, error) {
	own := *m
	o := &holder{Minimizer: &own}
	if m.Review != nil {
		found, err := m.Review(ctx, []string{text})
		if err != nil {
			return Small{}, err
		}
		o.agreed, o.agreedTo = found[0], text
	}
	small := Small{Before: reduce.SizeOf(bug.Files{"": text}), Program: text}
	locked, err := o.lock(ctx, text)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		small.After, small.Runs, small.Spent = small.Before, int(o.runs.Load()), o.spent.all()
		return small, nil // the best so far is the program itself
	}
	if err != nil {
		return small, err
	}
	small.First = bug.Files{bug.Script: locked}
	small.Symptom, small.Weak, small.Unseen = o.shows, o.weak(), o.unseen()
	if locked, err = o.shortened(ctx, locked); err != nil {
		return small, err
	}
	got, err := o.reduced(ctx, o.reducer(), locked)
	if err != nil {
		return small, err
	}
	best := got.Files[bug.Script]
	small.ByPass, small.Spared, small.Minimal, small.Steps = got.ByPass, got.Spared, got.Minimal, got.Steps
	if ctx.Err() == nil {
		if small.Needed, err = o.proof(ctx, best); err != nil {
			return small, err
		}
		if small.Verified, err = o.confirmed(ctx, best); err != nil {
			return small, err
		}
	}
	// Also what was cut short comes without what scrub put into it.
	if small.Program, err = o.plain(context.WithoutCancel(ctx), best); err != nil {
		return small, err
	}
	small.After = reduce.SizeOf(bug.Files{"": small.Program})
	if err := o.others(ctx, &small, locked, best); err != nil {
		return small, err
	}
	small.Runs, small.Held, small.Flaky, small.Spent = int(o.runs.Load()), o.held(), o.rate, o.spent.all()
	return small, nil
}

// Smaller makes another program small that is said to show the same, and returns
// the smaller of the two.
func (m Minimizer) Smaller(ctx context.Context, small Small, other string) (Small, error) {
	m.Symptom = small.Symptom
	made, err := m.Minimize(ctx, other)
	if err != nil || !made.Verified || made.After.Tokens >= small.After.Tokens {
		return small, err
	}
	made.Before = small.Before
	return made, nil
}

// Prove says of every statement and argument of a program what becomes of it
// without that.
func (m *Minimizer) Prove(ctx context.Context, text string) ([]Needed, error) {
	o := &holder{Minimizer: m}
	locked, err := o.lock(ctx, text)
	if err != nil {
		return nil, err
	}
	return o.proof(ctx, locked)
}

// A holder answers for one program: it holds what must stay the same.
type holder struct {
	*Minimizer
	shows    bug.Symptom   // what the program showed at first
	symptom  bug.Symptom   // what a candidate must show
	original bug.Exception // how the program failed at first, if it raised something
	strict   string        // the message must be exactly this, if it is not empty
	kin      *syntax.Kin   // what makes it the same bug; nil if that could not be seen
	relates  bool          // the values may be others, so all operations that led to them are held
	ownPath  bool          // the function of the program that fails is held too
	crash    *place        // where it crashed; nil if it did not, or could not say
	stay     *stay         // where it stays, if it does not end
	literals []string      // wrong values, which must come out of the program and not be written into it
	text     string        // the program that was locked
	keep     []string      // statements that must stay as they are
	said     string        // the failing statement of the program's own, as it was
	exposed  bool          // it has been made to show its values
	sure     string        // the last program that was confirmed
	times    int
	rate     *Rate    // of a program that does not always show it
	fresh    []string // names that the program leaves open itself
	limits   sandbox.Limits
	idle     time.Duration // that a candidate may wait at a stretch
	cheapest atomic.Int64  // nanoseconds of CPU of the cheapest run that showed the bug
	spent    account
	runs     atomic.Int64 // of the program and of candidates, those under observation included
	seen     struct {
		text string
		look syntax.Look
	}
	agreed   []vet.Finding // what the person knew who agreed to the program
	agreedTo string        // the program
}

func (o *holder) job(repro bug.Repro) sandbox.Job {
	return sandbox.Job{Repro: repro, Runtime: o.Runtime, Limits: o.limits, Preload: o.Preload,
		Setting: bug.Setting{Factors: o.Set}}
}

// asked is what an answer is remembered by.
type asked struct {
	Program  string
	Symptom  bug.Symptom
	Strict   string
	Runtime  bug.Runtime
	PassesOn *bug.Runtime
	Preload  []string
	Times    int
	Limits   sandbox.Limits
	OwnPath  bool              `json:",omitempty"`
	Set      map[string]string `json:",omitempty"`
}

// ask answers whether a candidate still shows the bug.
func (o *holder) ask(ctx context.Context, files bug.Files) (reduce.Judgement, error) {
	// How long a run may take is no part of it: that follows from the first, and differs every time.
	if o.stay != nil {
		v, err := o.stuck(ctx, files[bug.Script])
		if err != nil || v.Answer != bug.Yes {
			return v, err
		}
		return o.passes(ctx, v, o.Box, o.job(bug.Program(files[bug.Script])))
	}
	in := asked{files[bug.Script], o.symptom, o.strict, o.Runtime, o.PassesOn, o.Preload, o.times, o.Limits, o.ownPath,
		o.Set}
	var took time.Duration
	v, err := journal.Do(ctx, o.Log, "minimize/2", in, func(ctx context.Context, in asked) (v reduce.Judgement, err error) {
		job := o.job(bug.Program(in.Program))
		job.Limits.CPU, job.Limits.Idle = o.most(), o.idle
		v, took, err = o.try(ctx, "candidates", o.Box, job)
		return v, err
	})
	if err == nil && v.Answer == bug.Yes {
		if why := o.stranger(ctx, in.Program); why != "" {
			return reduce.Judgement{Answer: bug.No, Words: why}, ctx.Err()
		}
		o.cost(took)
	}
	return v, err
}

// try runs a candidate as often as it needs: here it must show the bug, and on
// the other interpreter, if there is one, it must end normally. It also says what
// work the run was that showed it.
func (o *holder) try(ctx context.Context, what string, box sandbox.Box, job sandbox.Job) (v reduce.Judgement,
	took time.Duration, err error) {
	for range o.times {
		out, err := o.run(ctx, what, box, job)
		if err != nil {
			return v, 0, err
		}
		if v = o.judge(out, job.Repro.Files[bug.Script]); v.Answer == bug.Yes {
			took = out.Cost.CPU
			break
		}
	}
	v, err = o.passes(ctx, v, box, job)
	return v, took, err
}

// passes says of a candidate that shows the bug whether it ends normally on the other interpreter, if there is one.
func (o *holder) passes(ctx context.Context, v reduce.Judgement, box sandbox.Box,
	job sandbox.Job) (reduce.Judgement, error) {
	if v.Answer != bug.Yes || o.PassesOn == nil {
		return v, nil
	}
	job.Runtime = *o.PassesOn
	out, err := o.run(ctx, "other interpreter", box, job)
	if err == nil && out.Failed() {
		return reduce.Judgement{Answer: bug.No, Words: "on the other interpreter " + out.Words()}, nil
	}
	return v, err
}

// cost notes what a run took that showed the bug.
func (o *holder) cost(took time.Duration) {
	for took > 0 {
		now := o.cheapest.Load()
		if now > 0 && now <= int64(took) || o.cheapest.CompareAndSwap(now, int64(took)) {
			return
		}
	}
}

// most is how much work a candidate may do: many times what it takes to show the bug.
// However busy the machine is, that is the same; the clock only bounds it.
func (o *holder) most() time.Duration {
	if o.symptom.Kind == bug.Hangs || o.cheapest.Load() == 0 {
		return 0
	}
	return 10*time.Duration(o.cheapest.Load()) + 50*time.Millisecond
}

// judge looks for the bug in one run: the same symptom, out of the same operation.
func (o *holder) judge(out bug.Outcome, text string) reduce.Judgement {
	v := reduce.Judgement{Answer: o.symptom.In(out), Words: out.Words()}
	if v.Answer == bug.Yes && o.crash != nil {
		if now, ok := died(out, text); ok {
			why := o.crash.elsewhere(now)
			if o.ownPath && why == "" {
				why = o.crash.sameFunction(now)
			}
			if why != "" {
				return reduce.Judgement{Answer: bug.No, Words: "crashed, but " + why}
			}
		}
		return v
	}
	e, raised := out.Exception()
	if v.Answer != bug.Yes || !raised || o.original.Class == "" {
		return v
	}
	if o.strict != "" && e.Message != o.strict {
		return reduce.Judgement{Answer: bug.No, Words: "gave other values: " + bug.Short(e.Message, 200)}
	}
	if !e.SameOperation(o.original) {
		return reduce.Judgement{Answer: bug.No, Words: fmt.Sprintf("failed in another operation: %s",
			strings.Join(e.Operations(), ", "))}
	}
	return v
}

// view parses a program for the passes.
func (o *holder) view(ctx context.Context, files bug.Files) (reduce.Program, error) {
	p := reduce.Program{Files: files, Trees: map[string]*syntax.Node{}, Called: o.Called,
		Look:     sync.OnceValue(func() syntax.Look { return o.look(ctx, files[bug.Script]) }),
		Straight: sync.OnceValue(func() []syntax.Lift { return o.straight(ctx, files[bug.Script]) })}
	trees, err := o.trees(ctx, []string{files[bug.Script]}, false)
	if err != nil {
		return p, err
	}
	p.Trees[bug.Script] = trees[0].Root
	return p, nil
}

// complains reports whether what is wrong is what was computed.
func (o *holder) complains() bool {
	return o.strict != "" || o.symptom.InOutput() || o.userRaised()
}

// userRaised reports whether the program itself says that something is wrong.
func (o *holder) userRaised() bool {
	return o.original.Complains()
}

// weak reports whether all that holds a wrong result is that the program complains.
func (o *holder) weak() bool { return o.userRaised() && !o.exposed && o.PassesOn == nil }

// unseen reports whether the symptom is all that holds the bug: how it comes about could not be observed.
func (o *holder) unseen() bool {
	return o.kin == nil && o.crash == nil && o.stay == nil && o.PassesOn == nil
}

func (o *holder) trees(ctx context.Context, texts []string, check bool) ([]syntax.Tree, error) {
	type question struct {
		Texts  []string
		Check  bool
		Parser bug.Runtime
	}
	return journal.Do(ctx, o.Log, "trees/1", question{texts, check, o.Parser},
		func(ctx context.Context, q question) ([]syntax.Tree, error) {
			return o.parse(ctx, q.Texts, q.Check)
		})
}

// parse reads programs. One that the parser does not get through costs that program
// and no other.
func (o *holder) parse(ctx context.Context, texts []string, check bool) ([]syntax.Tree, error) {
	all, err := syntax.Trees(ctx, texts, check, o.reader("ast", "json", "re"))
	switch {
	case !errors.Is(err, syntax.ErrTree) || ctx.Err() != nil:
		return all, err
	case len(texts) == 1:
		return []syntax.Tree{{Broken: "the parser does not get through it"}}, nil
	}
	first, err := o.parse(ctx, texts[:len(texts)/2], check)
	if err != nil {
		return nil, err
	}
	second, err := o.parse(ctx, texts[len(texts)/2:], check)
	return append(first, second...), err
}
