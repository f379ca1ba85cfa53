// Package ablate turns one knob at a time and says what a bug depends on:
// which knobs make it go away, which stage of a line of stages is the first
// to show it, and what is the plainest setting that still does.
package ablate

import (
	"context"
	"fmt"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/fanout"
)

// A Knob is something that can be turned to one of several values.
type Knob struct {
	Name   string
	Staged bool   // the values are stages, each doing more than the one before it
	After  string // asked only if this stage is the first that shows the bug
	Open   bool   // asked only if the stages leave it open what the bug depends on
	Plain  string // the value that makes things simpler, if one does
	Values []string
}

// A Turn is a knob set to a value.
type Turn struct {
	Knob  string `json:"knob"`
	Value string `json:"value"`
}

func (t Turn) String() string { return t.Knob + " = " + t.Value }

// Seen is what was seen with some knobs turned. No means that the program
// did without the bug what it should; one that fails in another way says
// nothing of the bug.
type Seen struct {
	Answer bug.Answer `json:"answer"`
	Words  string     `json:"outcome"` // how the program ended
}

// A Cell is what was seen with one knob turned.
type Cell struct {
	Turn
	Seen
}

// A Result is what a bug depends on.
type Result struct {
	Cells       []Cell `json:"cells"`
	Stage       *Turn  `json:"stage,omitempty"`         // the first stage that shows it, if one does
	Sure        bool   `json:"sure,omitempty"`          // the stage before it was seen without, and all after it show it
	Beyond      bool   `json:"in_no_stage,omitempty"`   // there are stages, and none of them shows it
	NotMonotone bool   `json:"not_monotone,omitempty"`  // a later stage does not show what an earlier one did
	Gone        []Turn `json:"turned_off_by,omitempty"` // turns that make it go away, other than stages
	Plainest    []Turn `json:"plainest,omitempty"`      // all these turned at once, and it still shows
	Together    []Turn `json:"together,omitempty"`      // each alone changes nothing, on top of Plainest they make it go away
}

// A Search asks what a bug depends on.
type Search struct {
	Knobs   []Knob
	Workers int
	Ask     func(ctx context.Context, turns []Turn) (Seen, error)
}

// Run asks for every stage, Workers at a time, then at the first that shows
// the bug for every other knob and value, and then for the plainest setting. The answer does not depend on the number
// of workers.
func (s Search) Run(ctx context.Context) (Result, error) {
	var r Result
	staged := slices.DeleteFunc(slices.Clone(s.Knobs), func(k Knob) bool { return !k.Staged })
	if err := s.each(ctx, &r, staged); err != nil {
		return r, err
	}
	others := slices.DeleteFunc(slices.Clone(s.Knobs), func(k Knob) bool {
		return k.Staged || k.Open && r.Sure || k.After != "" && (r.Stage == nil || r.Stage.Value != k.After)
	})
	if err := s.each(ctx, &r, others); err != nil {
		return r, err
	}
	return r, s.plainest(ctx, &r)
}

// each adds the cells of some knobs and what follows from them.
func (s Search) each(ctx context.Context, r *Result, knobs []Knob) error {
	var cells []Cell
	for _, k := range knobs {
		for _, v := range k.Values {
			cells = append(cells, Cell{Turn: Turn{k.Name, v}})
		}
	}
	// Less of the project takes part at the first stage that shows the bug, so it is clearer, and faster, to ask there.
	var at []Turn
	if r.Stage != nil {
		at = []Turn{*r.Stage}
	}
	errs := fanout.Each(len(cells), s.Workers, func(i int) (err error) {
		cells[i].Seen, err = s.Ask(ctx, append(slices.Clone(at), cells[i].Turn))
		return err
	})
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("%v: %w", cells[i].Turn, err)
		}
	}
	r.Cells = append(r.Cells, cells...)
	for _, k := range knobs {
		r.judge(k)
	}
	return nil
}

// of are the cells of one knob.
func (r *Result) of(k Knob) []Cell {
	return slices.DeleteFunc(slices.Clone(r.Cells), func(c Cell) bool { return c.Knob != k.Name })
}

// judge draws the conclusion from the cells of one knob.
func (r *Result) judge(k Knob) {
	cells := r.of(k)
	first := slices.IndexFunc(cells, func(c Cell) bool { return c.Answer == bug.Yes })
	if !k.Staged {
		for _, c := range cells {
			if c.Answer == bug.No {
				r.Gone = append(r.Gone, c.Turn)
			}
		}
		return
	}
	if first < 0 {
		r.Beyond = r.Beyond || slices.ContainsFunc(cells, func(c Cell) bool { return c.Answer == bug.No })
		return
	}
	r.Stage = &cells[first].Turn
	r.NotMonotone = slices.ContainsFunc(cells[first:], func(c Cell) bool { return c.Answer == bug.No })
	r.Sure = !r.NotMonotone && (first == 0 || cells[first-1].Answer == bug.No)
}

// plainest turns every knob at once that alone changes nothing: the stage to
// the first that shows the bug, the others to their plain value.
// Where that makes the bug go away, the ones that matter only together are
// left as they were, one by one.
func (s Search) plainest(ctx context.Context, r *Result) error {
	var turns []Turn
	for _, k := range s.Knobs {
		for _, c := range r.of(k) {
			if c.Answer == bug.Yes && (k.Staged || c.Value == k.Plain) {
				turns = append(turns, c.Turn)
				break
			}
		}
	}
	if len(turns) == 0 {
		return nil
	}
	all, err := s.Ask(ctx, turns)
	if err != nil {
		return err
	}
	if all.Answer == bug.Yes {
		r.Plainest = turns
		return nil
	}
	for _, t := range turns {
		seen, err := s.Ask(ctx, append(slices.Clone(r.Plainest), t))
		if err != nil {
			return err
		}
		switch seen.Answer {
		case bug.Yes:
			r.Plainest = append(r.Plainest, t)
		case bug.No:
			r.Together = append(r.Together, t)
		}
	}
	return nil
}
