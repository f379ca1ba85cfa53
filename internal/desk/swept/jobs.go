package swept

import (
	"context"
	"errors"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// A Job is one of the queue, with the report that it is for.
type Job struct {
	ID     int64     `json:"id"`
	Sweep  string    `json:"sweep"`
	Item   int64     `json:"item,omitempty"` // 0 for what is done for all of a sweep
	Source string    `json:"source,omitempty"`
	Title  string    `json:"title,omitempty"`
	Repo   string    `json:"repo,omitempty"`
	Do     string    `json:"do"`
	State  string    `json:"state"`
	Due    time.Time `json:"due,omitzero"` // when it is tried again
	Begun  time.Time `json:"begun,omitzero"`
	By     string    `json:"by,omitempty"`
	Waited int       `json:"waited,omitempty"` // how often it was put off
	Failed []string  `json:"failed,omitempty"` // how it failed so far
	Deaths int       `json:"deaths,omitempty"` // how often its worker was gone before it was done
}

// Jobs are at most so many of the queue in each state.
func (d Desk) Jobs(ctx context.Context, most int) ([]Job, error) {
	kept, q, err := d.queue(ctx)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	seen, err := q.Jobs(ctx, most)
	if err != nil {
		return nil, err
	}
	var all []Job
	for _, s := range seen {
		j := Job{ID: s.ID, Sweep: s.Sweep, Item: s.Task.Item, Do: s.Do, State: s.State, Due: s.Due, Begun: s.Begun,
			By: s.By, Waited: s.Waited, Failed: s.Failures, Deaths: s.Deaths}
		if j.Item == 0 {
			all = append(all, j)
			continue
		}
		i, err := kept.Item(ctx, s.Sweep, j.Item)
		switch {
		case errors.Is(err, store.ErrNoSweep): // forgotten since
		case err != nil:
			return nil, err
		case i.State == sweep.Aside && !s.Over:
			continue // whoever takes it finds that there is nothing to do
		}
		j.Source, j.Title, j.Repo = i.Source, i.Title, i.Repo
		all = append(all, j)
	}
	return all, nil
}

// queue opens the jobs, to look at them.
func (d Desk) queue(ctx context.Context) (*store.Store, *queue.Queue, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, nil, err
	}
	q, err := queue.Open(ctx, kept, queue.Options{ID: "onlooker"})
	return kept, q, err
}

// Hurry has a job tried now that would wait for a later time.
func (d Desk) Hurry(ctx context.Context, id int64) error {
	_, q, err := d.queue(ctx)
	if err != nil {
		return err
	}
	defer q.Close()
	err = q.Now(ctx, id)
	if errors.Is(err, queue.ErrGone) {
		return refusal.Bad("%w", err)
	}
	return err
}

// SetAside gives up a report of a sweep that nobody is at; scrub sweep --retry takes it up again.
func (d Desk) SetAside(ctx context.Context, id string, item int64, by string) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	i, err := kept.Item(ctx, id, item)
	switch {
	case errors.Is(err, store.ErrNoSweep):
		return refusal.Bad("there is no such report in a backlog any more")
	case err != nil:
		return err
	case i.State == sweep.Running:
		return refusal.Bad("a worker is at this report now: wait until its step is over")
	case i.State == sweep.Aside || i.State == sweep.Done:
		return refusal.Bad("this report is not waited for any more: it is %s", i.State)
	}
	i.State, i.Reason, i.Doing, i.Updated = sweep.Aside, bug.Short("set aside by "+by, mostReason), "", d.Now()
	if err := kept.SetItem(ctx, i); errors.Is(err, store.ErrStale) {
		return refusal.Bad("this report has changed since you looked: look again")
	} else if err != nil {
		return err
	}
	return nil
}
