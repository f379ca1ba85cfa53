package swept

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// A Working is a process that does jobs.
type Working struct {
	Slots int // jobs at once
	Log   *slog.Logger
	Saw   func(Finished) // told of each job that ended; may be nil
	Lost  func(n int)    // told of jobs whose workers were gone; may be nil
	Ready func()         // told when it begins; may be nil
	// Trace is told when a job begins, and what it returns when that ends; may be nil.
	Trace func(ctx context.Context, t queue.Task) (context.Context, func(error))

	mu  sync.Mutex
	now map[int64]onHand // jobs that are being done
}

// A Finished is a job that ended.
type Finished struct {
	Task queue.Task
	Took time.Duration
	Err  error // nil if it was done
}

type onHand struct {
	sweep string
	stop  context.CancelCauseFunc
}

// errStopped means that a sweep was stopped.
var errStopped = errors.New("the sweep was stopped")

// Work does jobs until ctx is done.
func (d Desk) Work(ctx context.Context, w *Working) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	w.now = map[int64]onHand{}
	var q *queue.Queue
	q, err = queue.Open(ctx, kept, queue.Options{ID: d.Worker, Slots: w.Slots, Now: d.Now,
		Work: func(ctx context.Context, j queue.Job) error { return d.one(ctx, w, q, j) }})
	if err != nil {
		return err
	}
	defer q.Close()
	var wg sync.WaitGroup
	defer wg.Wait()
	over, end := context.WithCancel(ctx)
	defer end()
	wg.Go(func() { d.attend(over, w, kept) })
	if w.Ready != nil {
		w.Ready()
	}
	return q.Work(ctx, store.Worker{ID: d.Worker, Machine: d.Host, Slots: int64(w.Slots), Started: d.Now()},
		func(n int) {
			w.Log.Warn("jobs of workers that are gone were given to others", "jobs", n)
			if w.Lost != nil {
				w.Lost(n)
			}
		}, func(err error) { w.Log.Error("look for workers that are gone", "error", err) })
}

// one does one job, which can be stopped.
func (d Desk) one(ctx context.Context, w *Working, q *queue.Queue, j queue.Job) (err error) {
	began := d.Now()
	if w.Trace != nil {
		traced, end := w.Trace(ctx, j.Task)
		defer func() { end(err) }()
		ctx = traced
	}
	own, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w.hold(j.ID, &onHand{j.Sweep, stop})
	defer w.hold(j.ID, nil)
	err = d.Do(own, q, j)
	if errors.Is(context.Cause(own), errStopped) && ctx.Err() == nil {
		err = nil // it is entered again when the sweep goes on
	}
	took := d.Now().Sub(began)
	w.Log.Debug("job", "sweep", j.Sweep, "report", j.Item, "step", j.Do, "seconds", took.Seconds(), "error", err)
	if w.Saw != nil {
		w.Saw(Finished{j.Task, took, err})
	}
	return err
}

func (w *Working) hold(id int64, h *onHand) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h == nil {
		delete(w.now, id)
		return
	}
	w.now[id] = *h
}

// Running is how many jobs are being done.
func (w *Working) Running() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.now)
}

// attend stops jobs whose sweep was stopped, and books what was used.
func (d Desk) attend(ctx context.Context, w *Working, kept *store.Store) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	last := d.Used()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		sweeps := w.sweeps()
		used := d.Used()
		for _, id := range sweeps {
			if err := d.account(ctx, kept, w, id, (used-last)/time.Duration(len(sweeps))); err != nil && ctx.Err() == nil {
				w.Log.Error("look after the sweep", "sweep", id, "error", err)
			}
		}
		last = used
	}
}

// sweeps are those that jobs on hand belong to.
func (w *Working) sweeps() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[string]bool{}
	var all []string
	for _, h := range w.now {
		if !seen[h.sweep] {
			seen[h.sweep] = true
			all = append(all, h.sweep)
		}
	}
	return all
}

// account books what was used for a sweep, and stops what is to be stopped.
func (d Desk) account(ctx context.Context, kept *store.Store, w *Working, id string, used time.Duration) error {
	if err := kept.UseUp(ctx, id, used); err != nil {
		return err
	}
	r, s, err := d.request(ctx, id)
	if err != nil {
		return err
	}
	if s.State == sweep.Going && r.CPU > 0 && time.Duration(s.Used) >= r.CPU {
		s.State = sweep.Stopped
		if err := kept.SetSweep(ctx, id, s.State, "the budget of processor time is used up"); err != nil {
			return err
		}
	}
	if s.State != sweep.Stopped {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.now {
		if h.sweep == id {
			h.stop(errStopped)
		}
	}
	return nil
}
