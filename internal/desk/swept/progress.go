package swept

import (
	"context"
	"time"

	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// A Progress is how far a sweep has come.
type Progress struct {
	Schema   string           `json:"schema"`
	Sweep    string           `json:"sweep"`
	State    string           `json:"state"` // going, stopped or done
	Why      string           `json:"why,omitempty"`
	Sources  []string         `json:"sources"`
	Depth    sweep.Step       `json:"depth"`
	Reports  int64            `json:"reports"`
	Done     int64            `json:"done"`
	Aside    int64            `json:"set_aside"`
	Running  int64            `json:"running"`
	Verdicts map[string]int64 `json:"verdicts"`
	Steps    map[string]int64 `json:"steps_to_go,omitempty"` // reports by the step that is next
	CPU      time.Duration    `json:"cpu_ns"`
	Began    time.Time        `json:"began"`
}

// Over reports whether nothing is left to do.
func (p Progress) Over() bool { return p.State != sweep.Going }

// Progress is how far a sweep has come; the latest if name is empty.
func (d Desk) Progress(ctx context.Context, name string) (Progress, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return Progress{}, err
	}
	r, w, err := d.request(ctx, name)
	if err != nil {
		return Progress{}, err
	}
	p := Progress{Schema: "sweep/1", Sweep: w.ID, State: w.State, Why: w.Why, Sources: r.Sources, Depth: r.Depth,
		CPU: time.Duration(w.Used), Began: w.At, Verdicts: map[string]int64{}, Steps: map[string]int64{}}
	tallies, err := kept.Tallies(ctx, w.ID)
	for _, t := range tallies {
		p.Reports += t.N
		switch t.State {
		case sweep.Done:
			p.Done += t.N
			p.Verdicts[t.Verdict] += t.N
		case sweep.Aside:
			p.Aside += t.N
		case sweep.Running:
			p.Running += t.N
			fallthrough
		default:
			p.Steps[t.Step] += t.N
		}
	}
	if p.State == sweep.Going && p.Done+p.Aside == p.Reports {
		p.State = sweep.Done
	}
	return p, err
}

// Ended are the reports of a sweep that came to their end since a moment, and
// those that are being worked on.
func (d Desk) Ended(ctx context.Context, id string, since time.Time) (ended, running []store.Item, err error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, nil, err
	}
	if ended, err = kept.Touched(ctx, id, since, sweep.Done, sweep.Aside); err != nil {
		return nil, nil, err
	}
	running, err = kept.Items(ctx, id, 0, 20, sweep.Running)
	return ended, running, err
}

// Sweeps are all there are and how far they have come, the latest first.
func (d Desk) Sweeps(ctx context.Context) ([]Progress, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := kept.Sweeps(ctx)
	if err != nil {
		return nil, err
	}
	all := []Progress{}
	for _, w := range rows {
		p, err := d.Progress(ctx, w.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
