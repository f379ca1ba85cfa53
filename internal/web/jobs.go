package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// jobs is the work that was asked for on the page. One program is run at a time, since each uses all processors by
// itself; what is written in public does not wait for that.
type jobs struct {
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

// start begins work in somebody's name, which ends with ctx.
func (s *Server) start(ctx context.Context, j page.Job, work func(ctx context.Context, d *desk.Desk) (string,
	error)) error {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	going, mine := 0, 0
	for _, one := range s.jobs.all {
		if !one.Over {
			going++
		}
		if !one.Over && one.By == j.By {
			mine++
		}
	}
	if s.jobs.over {
		return errors.New("scrub is about to end")
	}
	if going >= mostJobs || mine >= mostMine {
		return errors.New("too much is asked for at once: wait until some of it is done")
	}
	if s.jobs.turn == nil {
		s.jobs.turn = map[bool]chan struct{}{true: make(chan struct{}, 1), false: make(chan struct{}, 1)}
	}
	s.jobs.last++
	j.ID, j.Started, j.Words = fmt.Sprint(s.jobs.last), s.Now(), "waits for its turn"
	ctx, cancel := context.WithCancel(ctx)
	one := &job{j, cancel}
	s.jobs.all = append([]*job{one}, s.jobs.all...)
	s.jobs.all = slices.DeleteFunc(s.jobs.all, func(one *job) bool {
		at := slices.Index(s.jobs.all, one)
		return one.Over && at > mostPast
	})
	s.jobs.wait.Go(func() {
		defer cancel()
		s.do(ctx, one, work)
	})
	return nil
}

// do does a job in its turn.
func (s *Server) do(ctx context.Context, mine *job, work func(ctx context.Context, d *desk.Desk) (string, error)) {
	s.tellJob(mine.Job)
	var came string
	var err error
	turn := s.jobs.turn[mine.Writes]
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
	s.look(context.WithoutCancel(ctx)) // whoever goes to the case now sees what came of it
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
func (s *Server) heard(mine *job, e event.Event) {
	s.change(mine, func(j *page.Job) {
		j.Words = page.Tidy(e.Step + ": " + e.Text)
		j.N, j.Of = e.N, e.Of
		if e.Show != "" {
			j.Show = page.Tidy(e.Show)
		}
	})
}

func (s *Server) change(mine *job, f func(*page.Job)) {
	s.jobs.mu.Lock()
	f(&mine.Job)
	now := mine.Job
	s.jobs.mu.Unlock()
	s.tellJob(now)
}

// list are the jobs that somebody may see, the last first.
func (s *Server) list(who door.Person) []page.Job {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	var all []page.Job
	for _, j := range s.jobs.all {
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

// job is one that somebody may stop.
func (s *Server) job(id string, who door.Person) (job, bool) {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	for _, j := range s.jobs.all {
		if j.ID == id && j.mayStop(who) {
			return *j, true
		}
	}
	return job{}, false
}

// Close stops all work and waits for it.
func (s *Server) Close() {
	s.jobs.mu.Lock()
	s.jobs.over = true
	for _, j := range s.jobs.all {
		j.cancel()
	}
	s.jobs.mu.Unlock()
	s.jobs.wait.Wait()
}

// background is the context of work that outlives the request which asked for it.
func (v visit) background() context.Context { return context.WithoutCancel(v.r.Context()) }
