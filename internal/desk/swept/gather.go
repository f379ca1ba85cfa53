package swept

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/similar"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// follow does what follows from how far a report has come. It may be done again:
// nothing is entered twice.
func (d Desk) follow(ctx context.Context, q *queue.Queue, i store.Item) error {
	switch i.State {
	case sweep.Waiting, sweep.Running:
		return d.enter(ctx, q, i.Sweep, []store.Item{i})
	case sweep.Done, sweep.Aside:
		if err := d.release(ctx, q, i); err != nil {
			return err
		}
	}
	return d.gatherIfDue(ctx, q, i.Sweep)
}

// release has those go on that waited for a report.
func (d Desk) release(ctx context.Context, q *queue.Queue, i store.Item) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	items, err := kept.Led(ctx, i.Sweep, i.N, sweep.Behind, sweep.Waiting)
	if err != nil {
		return err
	}
	for k := range items {
		items[k].State, items[k].Updated = sweep.Waiting, d.Now()
		if err := kept.SetItem(ctx, items[k]); err != nil && !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	return d.enter(ctx, q, i.Sweep, items)
}

// gatherIfDue has those found that are alike once no report is left whose cheaper
// steps are not done.
func (d Desk) gatherIfDue(ctx context.Context, q *queue.Queue, id string) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	if due, err := gathersDue(ctx, kept, id); err != nil || len(due) == 0 {
		return err
	}
	return q.Put(ctx, queue.Entry{Task: queue.Task{Sweep: id, Do: gather}, Urgency: queue.New, Again: true})
}

// gathersDue are the classes of steps before which all that wait may go on.
func gathersDue(ctx context.Context, kept *store.Store, id string) (map[sweep.Step]bool, error) {
	all := map[sweep.Step]bool{}
	for _, one := range sweep.Steps {
		due, err := gatherDue(ctx, kept, id, one)
		if err != nil {
			return nil, err
		}
		if due {
			all[class(string(one))] = true
		}
	}
	return all, nil
}

// gatherDue reports whether reports wait before a step for those that are alike, and
// for nothing else. It is asked after every job, so it counts nothing.
func gatherDue(ctx context.Context, kept *store.Store, id string, at sweep.Step) (bool, error) {
	waiting, err := kept.Any(ctx, id, []string{sweep.Gather}, []string{string(at)})
	if err != nil || !waiting {
		return false, err
	}
	cheaper, others := []string{""}, []string{""}
	for _, s := range sweep.Steps {
		if s.Reaches(class(string(at))) {
			continue
		}
		cheaper = append(cheaper, string(s))
		if s != at {
			others = append(others, string(s))
		}
	}
	busy, err := kept.Any(ctx, id, []string{sweep.Waiting, sweep.Running}, cheaper)
	if err != nil || busy {
		return false, err
	}
	busy, err = kept.Any(ctx, id, []string{sweep.Gather}, others)
	return !busy, err
}

// class is the step from which on reports are not waited for by those that are to
// take a step.
func class(step string) sweep.Step {
	if sweep.Step(step) == sweep.Run {
		return sweep.Run
	}
	return sweep.When
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
	due, err := gathersDue(ctx, kept, id) // those that claim the same may go on before all that ran are there
	if err != nil {
		return err
	}
	items, claims, cases, err := d.gathered(ctx, kept, id)
	if err != nil {
		return err
	}
	for _, c := range slices.Sorted(maps.Keys(claims)) {
		if err := d.lead(ctx, q, round{sweep.Run, due[sweep.Run]}, claims[c], items); err != nil {
			return err
		}
	}
	for _, g := range similar.Groups(cases) {
		if err := d.lead(ctx, q, round{sweep.When, due[sweep.When]}, g.Cases, items); err != nil {
			return err
		}
	}
	return nil
}

// gathered are the reports of which some may be alike: by number, by what they
// claim, and by what they showed.
func (d Desk) gathered(ctx context.Context, kept *store.Store, id string) (items map[int64]store.Item,
	claims map[string][]int64, cases []similar.Case, err error) {
	items, claims = map[int64]store.Item{}, map[string][]int64{}
	const page = 500
	for after := int64(0); ; {
		some, err := kept.Items(ctx, id, after, page)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, i := range some {
			after = i.N
			if i.Claim != "" && (i.State == sweep.Gather && i.Step == string(sweep.Run) || i.Leader != 0) {
				claims[i.Claim] = append(claims[i.Claim], i.N)
				items[i.N] = i
			}
			if i.State != sweep.Gather && i.Leader == 0 || i.Case == "" {
				continue
			}
			c, err := d.Case(ctx, i.Case)
			if err != nil && !errors.Is(err, store.ErrNoCase) { // one that was forgotten is like no other
				return nil, nil, nil, err
			}
			items[i.N] = i
			one, ok := c.Alike(i.N)
			if !ok {
				one = similar.Case{N: i.N}
			}
			cases = append(cases, one)
		}
		if len(some) < page {
			return items, claims, cases, nil
		}
	}
}

// leader is who goes first in a group: one that has begun before, or else the first
// that is to begin. One that waits for another never is.
func leader(at sweep.Step, group []int64, items map[int64]store.Item) (first store.Item, ok bool) {
	for _, n := range group {
		i := items[n]
		switch {
		case i.Leader == i.N && (i.State != sweep.Gather || class(i.Step) != at):
			return i, true
		case !ok && i.State == sweep.Gather && class(i.Step) == at:
			first, ok = i, true
		}
	}
	return first, ok
}

// A round is of those that wait before a class of steps, and whether it is time for them to go on.
type round struct {
	at  sweep.Step
	due bool
}

// lead has the first of a group go on, or those that came late follow one that did.
func (d Desk) lead(ctx context.Context, q *queue.Queue, r round, group []int64,
	items map[int64]store.Item) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	first, ok := leader(r.at, group, items)
	if !ok {
		return nil
	}
	over := first.State == sweep.Done || first.State == sweep.Aside
	var begin []store.Item
	for _, n := range group {
		i := items[n]
		if i.State == sweep.Waiting && i.Leader != 0 {
			begin = append(begin, i) // whoever let it go may have been gone before it was entered
		}
		if !r.due || i.State != sweep.Gather || class(i.Step) != r.at {
			continue
		}
		i.Leader, i.State, i.Updated = first.N, sweep.Behind, d.Now()
		if n == first.N || over {
			i.State = sweep.Waiting
			begin = append(begin, i)
		}
		if err := kept.SetItem(ctx, i); err != nil && !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	if len(begin) == 0 {
		return nil
	}
	return d.enter(ctx, q, first.Sweep, begin)
}
