package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/scrub-dev/scrub/internal/store"
)

// Work does jobs until ctx is done. Before it returns, what it has not done is
// given back.
func (q *Queue) Work(ctx context.Context, w store.Worker, reaped func(n int), failed func(error)) error {
	over := context.WithoutCancel(ctx)
	held, err := q.store.Hold(over, lockOf(w.ID))
	if err != nil {
		return err
	}
	defer held()
	if err := q.store.PutWorker(ctx, w); err != nil {
		return err
	}
	if err := q.Start(ctx); err != nil {
		return fmt.Errorf("begin to work: %w", err)
	}
	tick := time.NewTicker(between)
	defer tick.Stop()
	for {
		n, err := q.reap(ctx)
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		if n > 0 {
			reaped(n)
		}
		select {
		case <-tick.C:
			// somebody may have taken us for gone
			if err := q.store.PutWorker(ctx, w); err != nil && ctx.Err() == nil {
				failed(err)
			}
		case <-q.Stopped():
			return q.store.DropWorker(over, w.ID)
		}
	}
}

// between is the time from one look for workers that are gone to the next.
const between = 5 * time.Second

func lockOf(worker string) string { return "worker-" + worker }

// reap gives the jobs of workers that are gone to others.
func (q *Queue) reap(ctx context.Context) (n int, err error) {
	// One at a time: a job that another has just given away must not be taken from who has it now.
	release, err := q.store.Lock(ctx, "reaper")
	if errors.Is(err, store.ErrLocked) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer release()
	gone, working, err := q.workers(ctx)
	if err != nil {
		return 0, err
	}
	lost, err := q.lost(ctx, working)
	if err != nil || len(lost) == 0 && len(gone) == 0 {
		return 0, err
	}
	if len(lost) > 0 {
		if _, err := q.exec.JobSetStateIfRunningMany(ctx, giveBack(lost)); err != nil {
			return 0, err
		}
	}
	for _, id := range gone {
		if err := q.store.DropWorker(ctx, id); err != nil {
			return 0, err
		}
		delete(q.looks, id)
	}
	return len(lost), nil
}

// workers are those that are gone, and those that are not.
func (q *Queue) workers(ctx context.Context) (gone []string, working map[string]bool, err error) {
	known, err := q.store.Workers(ctx)
	if err != nil {
		return nil, nil, err
	}
	working = map[string]bool{q.id: true}
	for _, w := range known {
		if w.ID == q.id {
			continue
		}
		free, err := q.store.Free(ctx, lockOf(w.ID))
		if err != nil {
			return nil, nil, err
		}
		if q.looks[w.ID]++; !free {
			q.looks[w.ID] = 0
		}
		if q.looks[w.ID] >= q.wanted {
			gone = append(gone, w.ID)
		} else {
			working[w.ID] = true
		}
	}
	return gone, working, nil
}

// lost are the jobs that somebody has who does not work any more.
func (q *Queue) lost(ctx context.Context, working map[string]bool) (all []*rivertype.JobRow, err error) {
	p := river.NewJobListParams().Kinds(Task{}.Kind()).States(rivertype.JobStateRunning).First(1000)
	for {
		page, err := q.JobList(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, row := range page.Jobs {
			n := len(row.AttemptedBy)
			if n == 0 || !working[row.AttemptedBy[n-1]] || row.AttemptedBy[n-1] == q.id && q.forgotten(row.ID) {
				all = append(all, row)
			}
		}
		if page.LastCursor == nil || len(page.Jobs) < 1000 {
			return all, nil
		}
		p = p.After(page.LastCursor)
	}
}

// enough is how many looks tell that a job is not being done by who is said to do it.
const enough = 6

// forgotten reports whether a job is said to be this process's and is not: the
// database was away when it ended.
func (q *Queue) forgotten(id int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.mine[id] {
		delete(q.odd, id)
		return false
	}
	if q.odd[id]++; q.odd[id] < enough {
		return false
	}
	delete(q.odd, id)
	return true
}

// giveBack makes jobs available again, as they were.
func giveBack(rows []*rivertype.JobRow) *riverdriver.JobSetStateIfRunningManyParams {
	p := new(riverdriver.JobSetStateIfRunningManyParams)
	for _, row := range rows {
		text, err := json.Marshal(rivertype.AttemptError{At: *row.AttemptedAt, Attempt: row.Attempt, Error: died})
		if err != nil {
			panic(err) // it is plain data
		}
		one := riverdriver.JobSetStateErrorAvailable(row.ID, row.ScheduledAt, text, nil)
		p.Attempt = append(p.Attempt, one.Attempt)
		p.ErrData = append(p.ErrData, one.ErrData)
		p.FinalizedAt = append(p.FinalizedAt, one.FinalizedAt)
		p.ID = append(p.ID, one.ID)
		p.MetadataDoMerge = append(p.MetadataDoMerge, one.MetadataDoMerge)
		p.MetadataUpdates = append(p.MetadataUpdates, one.MetadataUpdates)
		p.ScheduledAt = append(p.ScheduledAt, one.ScheduledAt)
		p.State = append(p.State, one.State)
	}
	return p
}
