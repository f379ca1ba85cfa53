package probe

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/shim"
)

// A Beside is what a program that is said to cost too much is compared with.
type Beside struct {
	Runtime bug.Runtime
	Setting bug.Setting
	Name    string // what to call it in a sentence
	Imports string // a program that only imports what this one does: what that costs is not counted
	Tells   string // what is put in front of the program to have the project tell what it costs; empty if that is seen
}

// A Compared is how what a program costs here compares with what it costs elsewhere.
type Compared struct {
	With   string  `json:"with"`
	Unit   string  `json:"unit"` // what was counted
	Median float64 `json:"median"`
	Low    float64 `json:"low"` // of all pairs
	High   float64 `json:"high"`
	Pairs  int     `json:"pairs"`
	Over   int     `json:"over"` // pairs in which it costs as much as was said, or more
	Sure   float64 `json:"sure"` // how surely half of all pairs do, or do not
}

func (c Compared) String() string {
	return fmt.Sprintf("%.2f times the %s of %s (median of %d pairs of runs, %.2f to %.2f)", c.Median, c.Unit, c.With,
		c.Pairs, c.Low, c.High)
}

const (
	fewestPairs = 8     // with fewer no number that agree would be enough
	mostPairs   = 24    // what is not told apart by then is too close to call
	doubt       = 0.004 // how likely an answer may be chance
)

// compare runs a program here and elsewhere in turn, so that whatever the machine
// does meanwhile it does to both, until it is sure which side of the factor it is on.
func (p *Prober) compare(ctx context.Context, q Question) (Tally, error) {
	var t Tally
	c := Compared{With: q.Beside.Name, Unit: q.Symptom.Unit()}
	var ratios []float64
	for n := 0; n <= mostPairs; n++ {
		here, there, err := p.pair(ctx, q, n)
		if err != nil {
			return t, err
		}
		t.Outcomes = append(t.Outcomes, here.outcome)
		if here.outcome.Failed() || there.outcome.Failed() || !here.known || !there.known {
			t.Unknown = len(t.Outcomes)
			return t, nil
		}
		if p.Saw != nil {
			p.Saw(q, n, here.outcome)
		}
		if n == 0 {
			t.Outcomes = nil // what is read for the first time takes longer
			continue
		}
		ratio := here.cost / there.cost
		ratios = append(ratios, ratio)
		if c.Pairs++; ratio >= q.Symptom.Factor {
			c.Over++
		}
		// Were it not so, at most half of the pairs would be on that side.
		chance := min(1-atMost(c.Over-1, c.Pairs, 0.5), atMost(c.Over, c.Pairs, 0.5))
		if c.Sure = 1 - chance; c.Pairs >= fewestPairs && chance < doubt {
			break
		}
	}
	slices.Sort(ratios)
	c.Median, c.Low, c.High = ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1]
	t.Compared = &c
	switch n := len(t.Outcomes); {
	case 1-c.Sure >= doubt:
		t.Unknown = n
	case 2*c.Over > c.Pairs:
		t.Yes = n
	default:
		t.No = n
	}
	return t, nil
}

// costed is a run and what it cost beyond importing.
type costed struct {
	outcome bug.Outcome
	cost    float64
	known   bool
}

// pair runs a program on both sides, and what only imports on both.
func (p *Prober) pair(ctx context.Context, q Question, n int) (here, there costed, err error) {
	round := p.Round + " beside " + bug.Digest([]any{q.Runtime, q.Setting})
	once := func(text string, on bug.Runtime, in bug.Setting) (bug.Outcome, error) {
		repro := bug.Repro{Files: bug.Files{bug.Script: text}, Command: q.Repro.Command}
		if text == q.Repro.Files[bug.Script] {
			repro = q.Repro
		}
		if q.Beside.Tells != "" {
			repro = shim.Around(repro, "scrub_tells", q.Beside.Tells)
		}
		return journal.Do(ctx, p.Log, "run/1", run{repro, in, on, q.Limits, nil, round, n}, p.run)
	}
	for _, side := range []struct {
		on bug.Runtime
		in bug.Setting
		to *costed
	}{{q.Runtime, q.Setting, &here}, {q.Beside.Runtime, q.Beside.Setting, &there}} {
		if side.to.outcome, err = once(q.Repro.Files[bug.Script], side.on, side.in); err != nil {
			return here, there, fmt.Errorf("pair %d: %w", n, err)
		}
		side.to.cost, side.to.known = q.Symptom.Of(side.to.outcome)
		if q.Beside.Imports == "" || q.Beside.Tells != "" {
			continue
		}
		o, err := once(q.Beside.Imports, side.on, side.in)
		if err != nil {
			return here, there, fmt.Errorf("pair %d: %w", n, err)
		}
		if alone, _ := q.Symptom.Of(o); !o.Failed() {
			side.to.cost -= alone
		}
	}
	// A program that costs next to nothing is not compared by what is left of noise.
	one, _ := q.Symptom.Of(here.outcome)
	other, _ := q.Symptom.Of(there.outcome)
	least := max(0.02*max(one, other), 1e-6)
	here.cost, there.cost = math.Max(here.cost, least), math.Max(there.cost, least)
	return here, there, nil
}
