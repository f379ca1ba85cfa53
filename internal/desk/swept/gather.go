package swept

import (
	"context"
	"errors"
	"time"

	"scrub/internal/queue"
	"scrub/internal/similar"
	"scrub/internal/store"
	"scrub/internal/sweep"
)

// followed has those go on that waited for a report which has come to its end.
func (d Desk) followed(ctx context.Context, q *queue.Queue, i store.Item) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	if i.Leader == i.N && i.State != sweep.Gather {
		items, err := kept.Led(ctx, i.Sweep, i.N, sweep.Behind)
		if err != nil {
			return err
		}
		for k := range items {
			items[k].State, items[k].Updated = sweep.Waiting, d.Now()
			if err := kept.SetItem(ctx, items[k]); err != nil {
				return err
			}
		}
		if err := d.enter(ctx, q, i.Sweep, items); err != nil {
			return err
		}
	}
	return d.gatherIfDue(ctx, q, i.Sweep)
}

// gatherIfDue has those found that are alike once no report is left whose cheap
// steps are not done.
func (d Desk) gatherIfDue(ctx context.Context, q *queue.Queue, id string) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	tallies, err := kept.Tallies(ctx, id)
	if err != nil {
		return err
	}
	some := false
	for _, t := range tallies {
		if (t.State == sweep.Waiting || t.State == sweep.Running) && !sweep.Step(t.Step).Reaches(sweep.When) {
			return nil
		}
		some = some || t.State == sweep.Gather
	}
	if !some {
		return nil
	}
	return q.Put(ctx, queue.Entry{Task: queue.Task{Sweep: id, Do: gather}, Urgency: queue.New, Again: true})
}

// gather finds the reports that are about the same bug. One of each group goes
// on at once, and the others when that has come to its end.
func (d Desk) gather(ctx context.Context, q *queue.Queue, id string) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	release, err := kept.Lock(ctx, "gather")
	if errors.Is(err, store.ErrLocked) {
		return queue.Later(time.Second)
	}
	if err != nil {
		return err
	}
	defer release()
	items := map[int64]store.Item{}
	var cases []similar.Case
	const page = 500
	for after := int64(0); ; {
		some, err := kept.Items(ctx, id, after, page)
		if err != nil {
			return err
		}
		for _, i := range some {
			after = i.N
			if i.State != sweep.Gather && i.Leader == 0 || i.Case == "" {
				continue
			}
			c, err := d.Case(ctx, i.Case)
			if err != nil {
				return err
			}
			items[i.N] = i
			one, ok := sweep.Alike(i.N, c.Case)
			if !ok {
				one = similar.Case{N: i.N}
			}
			cases = append(cases, one)
		}
		if len(some) < page {
			break
		}
	}
	for _, g := range similar.Groups(cases) {
		if err := d.lead(ctx, q, g.Cases, items); err != nil {
			return err
		}
	}
	return nil
}

// lead has the first of a group go on, or those that came late follow one that did.
func (d Desk) lead(ctx context.Context, q *queue.Queue, group []int64, items map[int64]store.Item) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	first := items[group[0]]
	for _, n := range group {
		if i := items[n]; i.Leader == i.N {
			first = i // it has begun before
			break
		}
	}
	over := first.State == sweep.Done || first.State == sweep.Aside
	var begin []store.Item
	for _, n := range group {
		i := items[n]
		if i.State != sweep.Gather {
			continue
		}
		i.Leader, i.State, i.Updated = first.N, sweep.Behind, d.Now()
		if n == first.N || over {
			i.State = sweep.Waiting
			begin = append(begin, i)
		}
		if err := kept.SetItem(ctx, i); err != nil {
			return err
		}
	}
	if len(begin) == 0 {
		return nil
	}
	return d.enter(ctx, q, first.Sweep, begin)
}
