package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/scrub-dev/scrub/internal/refusal"
	"time"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/store"
)

// A Row is a case in a list.
type Row struct {
	Schema string `json:"schema"`
	store.Case
}

// Cases are all there are, the last one first.
func (d *Desk) Cases(ctx context.Context) ([]Row, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := kept.Cases(ctx)
	all := make([]Row, len(rows))
	for i, r := range rows {
		all[i] = Row{"cases/1", r}
	}
	return all, err
}

// Case is one of them, by its id or the beginning of it, or by its issue. Only
// what was observed counts: the verdict that stands beside it is derived anew.
func (d *Desk) Case(ctx context.Context, name string) (Case, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return Case{}, err
	}
	row, err := kept.Case(ctx, name)
	if err != nil {
		return Case{}, fmt.Errorf("%w; scrub cases lists them", err)
	}
	var c casefile.Case
	if err := json.Unmarshal(row.Body, &c); err != nil {
		return Case{}, fmt.Errorf("case %s is damaged: %w", row.ID, err)
	}
	// What follows from the report is not kept beside it.
	words := intake.Read(c.Report)
	c.Thread.Prose, c.Thread.Talk, c.Thread.Output = words.Prose, words.Talk, words.Output
	if err := d.standing(ctx, &c); err != nil {
		return Case{}, err
	}
	return answerCase(c), nil
}

// A PruneRequest says what to forget.
type PruneRequest struct {
	Days   int  `json:"days"` // keep what is younger
	DryRun bool `json:"dry_run,omitempty"`
}

// A Pruned is what was forgotten, or would be.
type Pruned struct {
	Schema string    `json:"schema"`
	Before time.Time `json:"before"`
	DryRun bool      `json:"dry_run"`
	store.Pruned
}

// Prune forgets old runs and cases. What people have decided and what was done
// in public is never removed.
func (d *Desk) Prune(ctx context.Context, r PruneRequest) (Pruned, error) {
	if r.Days < 0 {
		return Pruned{}, refusal.Bad("--days must not be negative")
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return Pruned{}, err
	}
	before := d.Now().AddDate(0, 0, -r.Days)
	p, err := kept.Prune(ctx, before, r.DryRun)
	return Pruned{"prune/1", before, r.DryRun, p}, err
}

// A Check is one thing that this machine has or lacks.
type Check struct {
	Schema string `json:"schema"`
	machine.Check
}

// Doctor says what this machine has, what it lacks, and what that costs.
func (d *Desk) Doctor(ctx context.Context, pythons []string) ([]Check, error) {
	var all []Check
	for _, c := range d.Machine.Doctor(ctx, pythons) {
		all = append(all, Check{"doctor/1", c})
	}
	return all, nil
}
