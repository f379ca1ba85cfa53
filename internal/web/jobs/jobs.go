// Package jobs is the work that was asked for on the page.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// Jobs are all of it. One program is run at a time, since each uses all processors by itself; what is written in
// public does not wait for that.
type Jobs struct {
	Desk func(by string, tell event.Listener) *desk.Desk // one in somebody's name
	Tell func(page.Job)                                  // whoever watches
	Done func(ctx context.Context)                       // what is to be done when one is over, before that is told
	Log  func(string)
	Now  func() time.Time

	mu   sync.Mutex
	all  []*job
	turn map[bool]chan struct{} // of what writes, and of what runs
	wait sync.WaitGroup
	last int
	over bool // nothing more is begun
}

type job struct {
	page.Job
	cancel context.CancelFunc
}

const (
	mostJobs = 100 // that wait or run
	mostMine = 10  // of one person
	mostPast = 20  // that are over and still shown
)

// Start begins work in somebody's name, which ends with ctx.
func (s *Jobs) Start(ctx context.Context, j page.Job, work func(ctx context.Context, d *desk.Desk) (string,
	error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	going, mine := 0, 0
	for _, one := range s.all {
		if !one.Over {
			going++
		}
		if !one.Over && one.By == j.By {
			mine++
		}
	}
	if s.over {
		return errors.New("scrub is about to end")
	}
	if going >= mostJobs || mine >= mostMine {
		return errors.New("too much is asked for at once: wait until some of it is done")
	}
	if s.turn == nil {
		s.turn = map[bool]chan struct{}{true: make(chan struct{}, 1), false: make(chan struct{}, 1)}
	}
	s.last++
	j.ID, j.Started, j.Words = fmt.Sprint(s.last), s.Now(), "waits for its turn"
	ctx, cancel := context.WithCancel(ctx)
	one := &job{j, cancel}
	s.all = append([]*job{one}, s.all...)
	s.all = slices.DeleteFunc(s.all, func(one *job) bool {
		at := slices.Index(s.all, one)
		return one.Over && at > mostPast
	})
	s.wait.Go(func() {
		defer cancel()
		s.do(ctx, one, work)
	})
	return nil
}

// do does a job in its turn.
func (s *Jobs) do(ctx context.Context, mine *job, work func(ctx context.Context, d *desk.Desk) (string, error)) {
	s.Tell(mine.Job)
	var came string
	var err error
	turn := s.turn[mine.Writes]
	select {
	case turn <- struct{}{}:
		s.change(mine, func(j *page.Job) { j.Words = "begins" })
		d := s.Desk(mine.By, func(e event.Event) { s.heard(mine, e) })
		came, err = work(ctx, d)
		err = errors.Join(err, d.Close())
		<-turn
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.Done(context.WithoutCancel(ctx)) // whoever goes to the case now sees what came of it
	s.change(mine, func(j *page.Job) {
		j.Over, j.Words = true, came
		switch {
		case ctx.Err() != nil:
			j.Words = "stopped; what was found out so far is kept"
		case err != nil:
			j.Words = "not done: " + page.Tidy(err.Error())
		}
	})
	if err != nil && ctx.Err() == nil {
		s.Log(mine.What + ": " + err.Error())
	}
}

// heard takes in news of a job.
func (s *Jobs) heard(mine *job, e event.Event) {
	s.change(mine, func(j *page.Job) {
		j.Words = page.Tidy(e.Step + ": " + e.Text)
		j.N, j.Of = e.N, e.Of
		if e.Show != "" {
			j.Show = page.Tidy(e.Show)
		}
	})
}

func (s *Jobs) change(mine *job, f func(*page.Job)) {
	s.mu.Lock()
	f(&mine.Job)
	now := mine.Job
	s.mu.Unlock()
	s.Tell(now)
}

// List are the jobs that somebody may see, the last first.
func (s *Jobs) List(who door.Person) []page.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []page.Job
	for _, j := range s.all {
		if who.In(j.Repo) >= door.Reader {
			one := j.Job
			one.May = j.mayStop(who)
			all = append(all, one)
		}
	}
	return all
}

// mayStop reports whether somebody may stop j: who could have begun it.
func (j *job) mayStop(who door.Person) bool {
	if j.Writes {
		return who.In(j.Repo) >= door.Approver
	}
	return who.In(j.Repo) >= door.Runner
}

// Find is one that somebody may stop.
func (s *Jobs) Find(id string, who door.Person) (page.Job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.all {
		if j.ID == id && j.mayStop(who) {
			return j.Job, true
		}
	}
	return page.Job{}, false
}

// Stop ends one.
func (s *Jobs) Stop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.all {
		if j.ID == id {
			j.cancel()
		}
	}
}

// Aside does something that is waited for at the end, and that nobody is told of.
func (s *Jobs) Aside(do func()) { s.wait.Go(do) }

// Close stops all work and waits for it.
func (s *Jobs) Close() {
	s.mu.Lock()
	s.over = true
	for _, j := range s.all {
		j.cancel()
	}
	s.mu.Unlock()
	s.wait.Wait()
}
