// Package minimize makes a Python program as small as it gets while it shows the
// same bug: the same symptom, out of the same operation.
package minimize

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"scrub/internal/bug"
	"scrub/internal/journal"
	"scrub/internal/reduce"
	"scrub/internal/reduce/pass"
	"scrub/internal/sandbox"
	"scrub/internal/syntax"
	"scrub/internal/vet"
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
	Preload  []string
	Shows    map[string]string // Python that writes down values of a package, by its name
	Called   []string          // methods that calling an object runs, besides __call__
	Saw      func(asked int, steps []reduce.Step)
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
	o := &holder{Minimizer: m}
	if m.Review != nil {
		found, err := m.Review(ctx, []string{text})
		if err != nil {
			return Small{}, err
		}
		o.agreed, o.agreedTo = found[0], text
	}
	small := Small{Before: reduce.SizeOf(bug.Files{"": text}), Program: text}
	locked, err := o.lock(ctx, text)
	if err != nil {
		return small, err
	}
	small.First = bug.Files{bug.Script: locked}
	small.Symptom, small.Weak = o.shows, o.weak()
	r := reduce.Reducer{
		Passes: pass.Python, View: o.view, Useless: o.useless, Ask: o.ask, Workers: m.Workers, Budget: m.Budget,
		Enough: m.Enough, Saw: m.Saw,
	}
	got, err := r.Reduce(ctx, bug.Files{bug.Script: locked})
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
	small.Runs, small.After = int(o.runs.Load()), reduce.SizeOf(bug.Files{"": small.Program})
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
	literals []string      // wrong values, which must come out of the program and not be written into it
	text     string        // the program that was locked
	keep     []string      // statements that must stay as they are
	said     string        // the failing statement of the program's own, as it was
	exposed  bool          // it has been made to show its values
	times    int
	fresh    []string // names that the program leaves open itself
	limits   sandbox.Limits
	runs     atomic.Int64 // of the program and of candidates, those under observation included
	seen     struct {
		text string
		look syntax.Look
	}
	agreed   []vet.Finding // what the person knew who agreed to the program
	agreedTo string        // the program
}

// run runs a program, and counts that.
func (o *holder) run(ctx context.Context, box sandbox.Box, job sandbox.Job) (bug.Outcome, error) {
	o.runs.Add(1)
	return box.Run(ctx, job)
}

func (o *holder) job(repro bug.Repro) sandbox.Job {
	return sandbox.Job{Repro: repro, Runtime: o.Runtime, Limits: o.limits, Preload: o.Preload}
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
}

// ask answers whether a candidate still shows the bug.
func (o *holder) ask(ctx context.Context, files bug.Files) (reduce.Judgement, error) {
	// How long a run may take is no part of it: that follows from the first, and differs every time.
	in := asked{files[bug.Script], o.symptom, o.strict, o.Runtime, o.PassesOn, o.Preload, o.times, o.Limits}
	return journal.Do(ctx, o.Log, "minimize/2", in, func(ctx context.Context, in asked) (reduce.Judgement, error) {
		return o.try(ctx, o.Box, o.job(bug.Program(in.Program)))
	})
}

// try runs a candidate as often as it needs: here it must show the bug, and on
// the other interpreter, if there is one, it must end normally.
func (o *holder) try(ctx context.Context, box sandbox.Box, job sandbox.Job) (reduce.Judgement, error) {
	var v reduce.Judgement
	for range o.times {
		out, err := o.run(ctx, box, job)
		if err != nil {
			return v, err
		}
		if v = o.judge(out); v.Answer == bug.Yes {
			break
		}
	}
	if v.Answer != bug.Yes || o.PassesOn == nil {
		return v, nil
	}
	job.Runtime = *o.PassesOn
	out, err := o.run(ctx, box, job)
	if err == nil && out.Failed() {
		return reduce.Judgement{Answer: bug.No, Words: "on the other interpreter " + out.Words()}, nil
	}
	return v, err
}

// judge looks for the bug in one run: the same symptom, out of the same operation.
func (o *holder) judge(out bug.Outcome) reduce.Judgement {
	v := reduce.Judgement{Answer: o.symptom.In(out), Words: out.Words()}
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

// A question is what a look at a program is remembered by.
type question struct {
	Program string
	Symptom bug.Symptom
	Strict  string
	Runtime bug.Runtime
	Shows   map[string]string
}

// look runs a program twice from inside, once for each text. What cannot be
// seen is not known.
func (o *holder) look(ctx context.Context, text string) syntax.Look {
	if o.seen.text == text {
		return o.seen.look
	}
	look, err := journal.Do(ctx, o.Log, "look/2", question{text, o.symptom, o.strict, o.Runtime, o.Shows},
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

// lookFor runs a program once from inside. No look is no failure.
func (o *holder) lookFor(ctx context.Context, what, text string) syntax.Look {
	patience := time.Duration(0)
	if o.symptom.Kind == bug.Hangs {
		patience = o.limits.Time / 2
	}
	q := syntax.LookFor{Text: text, What: what, Patience: patience, Shows: o.Shows}
	seen, _ := syntax.LookAt(ctx, q, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		job := o.job(repro)
		job.Limits.Output, job.Limits.Time = 8<<20, 4*job.Limits.Time
		return o.run(ctx, o.Box, job)
	})
	return seen
}

// straight asks what a program does in a straight line.
func (o *holder) straight(ctx context.Context, text string) []syntax.Lift {
	if o.weak() {
		return nil
	}
	lifts, _ := journal.Do(ctx, o.Log, "straight/2", question{text, o.symptom, o.strict, o.Runtime, o.Shows},
		func(ctx context.Context, q question) ([]syntax.Lift, error) {
			return o.lookFor(ctx, "replay", q.Program).Lifts, ctx.Err()
		})
	if o.complains() {
		lifts = slices.DeleteFunc(lifts, func(l syntax.Lift) bool { return !l.Computed })
	}
	return lifts
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

func (o *holder) parse(ctx context.Context, texts []string, check bool) ([]syntax.Tree, error) {
	return syntax.Trees(ctx, texts, check, sandbox.Tool(o.Box, o.Parser, "ast", "json", "re"))
}

// useless sorts out, without a run, what cannot be read, what uses names that
// it gives no meaning, and what has lost a line that is to stay.
func (o *holder) useless(ctx context.Context, all []bug.Files) ([]string, error) {
	texts := make([]string, len(all))
	for i, f := range all {
		texts[i] = f[bug.Script]
	}
	trees, err := o.trees(ctx, texts, true)
	if err != nil {
		return nil, err
	}
	why := make([]string, len(all))
	for i, t := range trees {
		open := slices.IndexFunc(t.Unbound, func(n string) bool { return !slices.Contains(o.fresh, n) })
		switch {
		case t.Broken != "":
			why[i] = "cannot be read: " + t.Broken
		case open >= 0 && o.symptom.Class != "NameError":
			why[i] = fmt.Sprintf("uses %s, which is not defined", t.Unbound[open])
		default:
			why[i] = o.dishonest(texts[i])
		}
	}
	return why, o.review(ctx, texts, why)
}

// dishonest says what a candidate lacks that must stay, or which answer is
// written into it.
func (o *holder) dishonest(text string) string {
	flat := bug.Squeeze(text)
	for _, k := range o.keep {
		if !strings.Contains(flat, k) {
			return "lacks a line that must be kept: " + k
		}
	}
	for _, l := range o.literals {
		if countWord(text, l) > countWord(o.text, l) {
			return "contains the wrong value as a constant: " + l
		}
	}
	return ""
}

func countWord(text, word string) int {
	n := 0
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return n
		}
		from, to := at+i, at+i+len(word)
		if !partOfWord(text, from-1) && !partOfWord(text, to) {
			n++
		}
		at = to
	}
}

// partOfWord reports whether the byte at a place goes on with a word or number.
func partOfWord(text string, at int) bool {
	return at >= 0 && at < len(text) && (text[at] == '.' || reduce.InWord(text[at]))
}
