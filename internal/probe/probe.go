// Package probe asks the one question everything else is built on:
// does this repro show this symptom in this setting?
package probe

import (
	"context"
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Question is one thing to find out by running code.
type Question struct {
	Repro   bug.Repro
	Setting bug.Setting
	Runtime bug.Runtime
	Symptom bug.Symptom
	Limits  sandbox.Limits
	Times   int      // how often to run the repro; at least 1
	Preload []string // what a warm box has imported before; nil to run cold

	Beside *Beside // what it is compared with, if the symptom is that it costs too much

	UntilMixed bool // stop as soon as the answers are mixed, instead of asking more often then
}

// A Tally counts what the runs of one question showed.
type Tally struct {
	Yes      int           `json:"yes"`
	No       int           `json:"no"`
	Unknown  int           `json:"unknown"`
	Similar  int           `json:"similar,omitempty"` // of the noes: those that came close
	Outcomes []bug.Outcome `json:"outcomes"`
	Compared *Compared     `json:"compared,omitempty"` // if it was asked what it costs
}

// Runs is how many there were.
func (t Tally) Runs() int { return t.Yes + t.No + t.Unknown }

// Answer is Yes if any run showed the symptom, Unknown if no run said
// anything, and No otherwise.
func (t Tally) Answer() bug.Answer {
	switch {
	case t.Yes > 0:
		return bug.Yes
	case t.No > 0:
		return bug.No
	}
	return bug.Unknown
}

// A Prober answers questions. It remembers every run: asking again, even
// after a crash and on another machine, costs nothing.
type Prober struct {
	Box   sandbox.Box
	Log   journal.Log
	Round string                                 // what was seen in another round is seen anew in this one
	Saw   func(q Question, n int, o bug.Outcome) // after each run; may be nil
}

// A run is what an outcome is remembered by. The symptom is not part of it:
// what a program did stays true whatever one looks for in it.
type run struct {
	Repro   bug.Repro
	Setting bug.Setting
	Runtime bug.Runtime
	Limits  sandbox.Limits
	Preload []string `json:",omitempty"`
	Round   string
	N       int
}

// enoughHangs is how many hangs end a question: each costs the whole limit.
const enoughHangs = 2

// more is how many times as often a question is asked whose answers are mixed.
const more = 4

// Ask runs the repro q.Times times and counts what it sees; more often if
// the answers are mixed.
func (p *Prober) Ask(ctx context.Context, q Question) (Tally, error) {
	if q.Symptom.Costs() && q.Beside != nil {
		return p.compare(ctx, q)
	}
	var t Tally
	hangs, times := 0, q.Times
	for n := 1; n <= times && hangs < enoughHangs; n++ {
		in := run{q.Repro, q.Setting, q.Runtime, q.Limits, q.Preload, p.Round, n}
		o, err := journal.Do(ctx, p.Log, "run/1", in, p.run)
		if err != nil {
			return t, fmt.Errorf("run %d: %w", n, err)
		}
		if o.End == bug.TimedOut {
			hangs++
		}
		t.add(q.Symptom, o)
		mixed := t.Yes > 0 && t.No > 0
		if mixed && q.UntilMixed {
			return t, nil
		}
		if mixed && n == q.Times {
			times = more * q.Times
		}
		if p.Saw != nil {
			p.Saw(q, n, o)
		}
	}
	if t.Yes == 0 && q.Symptom.InDrawn(t.Outcomes...) == bug.Yes {
		t.Yes, t.No, t.Similar = t.Runs(), 0, 0
	}
	return t, nil
}

// Once runs a program one time.
func (p *Prober) Once(ctx context.Context, repro bug.Repro, on bug.Runtime, limits sandbox.Limits) (bug.Outcome, error) {
	t, err := p.Ask(ctx, Question{Repro: repro, Runtime: on, Limits: limits, Times: 1})
	if err != nil {
		return bug.Outcome{}, err
	}
	return t.Outcomes[0], nil
}

func (p *Prober) run(ctx context.Context, r run) (bug.Outcome, error) {
	return p.Box.Run(ctx, sandbox.Job{Repro: r.Repro, Setting: r.Setting, Runtime: r.Runtime, Limits: r.Limits,
		Preload: r.Preload})
}

// Count is the tally of runs that were made.
func Count(s bug.Symptom, all ...bug.Outcome) Tally {
	var t Tally
	for _, o := range all {
		t.add(s, o)
	}
	return t
}

func (t *Tally) add(s bug.Symptom, o bug.Outcome) {
	t.Outcomes = append(t.Outcomes, o)
	switch s.In(o) {
	case bug.Yes:
		t.Yes++
	case bug.No:
		t.No++
		if s.Like(o) {
			t.Similar++
		}
	default:
		t.Unknown++
	}
}
