// Package queue is the jobs that wait to be done and those who do them: River's,
// in the state's own file or database. A job whose worker is gone is given to
// another, and everybody sees the same order.
package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"github.com/scrub-dev/scrub/internal/store"
)

// A Task is what is to be done: a step for one report of a sweep, or, with no
// report, something for all of it. One that waits is not entered twice.
type Task struct {
	Sweep string `json:"sweep"`
	Item  int64  `json:"item,omitempty"`
	Do    string `json:"do"`
}

// Kind implements river.JobArgs.
func (Task) Kind() string { return "sweep" }

// An Urgency is what comes before what.
type Urgency int

const (
	Person  Urgency = 1 // somebody waits for it
	New     Urgency = 2 // somebody has just written it
	Backlog Urgency = 3
)

// An Entry is a task with its place in the order.
type Entry struct {
	Task
	Urgency Urgency
	// Among those of the same urgency the smallest rank is next: steps for all
	// before dearer ones for any, and of several repositories each in its turn.
	Rank int64
	// Again enters it also while it is being done: what it is about may have changed since it began.
	Again bool
}

// A Job is a task that is being done.
type Job struct {
	Task
	ID       int64
	Urgency  Urgency
	Waited   int // how often it was put off
	Deaths   int // how often its worker was gone before it was done
	Failures []string
}

// Later puts a job off. It counts for nothing.
func Later(how time.Duration) error { return river.JobSnooze(how) }

// Never gives a job up: trying again would not help.
func Never(err error) error { return river.JobCancel(err) }

// A Queue is one process's way to the jobs.
type Queue struct {
	client
	store  *store.Store
	id     string
	place  store.Place
	exec   riverdriver.Executor
	looks  map[string]int
	wanted int // looks at a lock that nobody holds, before its worker is taken for gone

	mu   sync.Mutex
	mine map[int64]bool // jobs that this process is at
	odd  map[int64]int  // looks at jobs that it is said to be at, and is not
}

// client is what is used of River's, whatever the database.
type client interface {
	Start(ctx context.Context) error
	Stopped() <-chan struct{}
	InsertMany(ctx context.Context, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
	JobList(ctx context.Context, params *river.JobListParams) (*river.JobListResult, error)
	JobRetry(ctx context.Context, id int64) (*rivertype.JobRow, error)
}

// Options say who works, and how. Without Work jobs are only entered.
type Options struct {
	ID    string // nobody else's
	Slots int    // jobs at once
	Work  func(ctx context.Context, j Job) error
	Log   *slog.Logger     // nil for none
	Now   func() time.Time // wanted for work
}

// all is the one queue of River's that there is.
const all = river.QueueDefault

// Open opens the jobs of a state.
func Open(ctx context.Context, s *store.Store, o Options) (*Queue, error) {
	place, err := s.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	q := &Queue{store: s, id: o.ID, place: place, looks: map[string]int{}, wanted: 1, mine: map[int64]bool{},
		odd: map[int64]int{}}
	c := &river.Config{ID: o.ID, Logger: o.Log, SkipUnknownJobCheck: true,
		// What is late is told by locks: a step may take as long as it takes.
		JobTimeout: -1, SoftStopTimeout: time.Nanosecond,
		FetchCooldown: 2 * time.Millisecond, FetchPollInterval: 200 * time.Millisecond,
		Middleware:                  []rivertype.Middleware{river.JobInsertMiddlewareFunc(atOnce)},
		CompletedJobRetentionPeriod: time.Hour, CancelledJobRetentionPeriod: 24 * time.Hour,
	}
	if o.Work != nil {
		c.Workers = river.NewWorkers()
		river.AddWorker(c.Workers, &worker{now: o.Now, do: func(ctx context.Context, j Job) error {
			defer q.at(j.ID)()
			return o.Work(ctx, j)
		}})
		c.Queues = map[string]river.QueueConfig{all: {MaxWorkers: o.Slots}}
	}
	if place.Server != nil {
		q.wanted = 3 // a lock is lost with its connection, and taken again
		q.exec = riverpgxv5.New(place.Server).GetExecutor()
		q.client, err = river.NewClient[pgx.Tx](riverpgxv5.New(place.Server), c)
		return q, err
	}
	q.exec = riversqlite.New(place.File).GetExecutor()
	q.client, err = river.NewClient[*sql.Tx](riversqlite.New(place.File), c)
	return q, err
}

// at notes that this process is at a job, until what it returns is called.
func (q *Queue) at(id int64) (done func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.mine[id] = true
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.mine, id)
	}
}

// atOnce has jobs wait for a worker. River would have them wait for a clock
// first, since they have a time, though that is over.
func atOnce(ctx context.Context, many []*rivertype.JobInsertParams,
	insert func(context.Context) ([]*rivertype.JobInsertResult, error)) ([]*rivertype.JobInsertResult, error) {
	for _, p := range many {
		p.State = rivertype.JobStateAvailable
	}
	return insert(ctx)
}

// Close gives back what was opened.
func (q *Queue) Close() {
	if q.place.Server != nil {
		q.place.Server.Close()
	}
}

// first is the time of rank 0: River's order is by time, and what is due is
// taken oldest first, so a rank is a moment of a day that is long over.
var first = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Put enters jobs, but for those that wait already or are being done.
func (q *Queue) Put(ctx context.Context, entries ...Entry) error {
	many := make([]river.InsertManyParams, len(entries))
	for i, e := range entries {
		o := &river.InsertOpts{Queue: all, Priority: int(e.Urgency), MaxAttempts: 1000,
			ScheduledAt: first.Add(time.Duration(e.Rank) * time.Millisecond)}
		if !e.Again {
			o.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{rivertype.JobStateAvailable,
				rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateRetryable,
				rivertype.JobStateScheduled}}
		}
		many[i] = river.InsertManyParams{Args: e.Task, InsertOpts: o}
	}
	if len(many) == 0 {
		return nil
	}
	_, err := q.InsertMany(ctx, many)
	return err
}

// A worker does River's jobs.
type worker struct {
	river.WorkerDefaults[Task]
	now func() time.Time
	do  func(ctx context.Context, j Job) error
}

// Work implements river.Worker.
func (w *worker) Work(ctx context.Context, job *river.Job[Task]) error {
	err := w.do(ctx, jobOf(job.JobRow, job.Args))
	if err != nil && ctx.Err() != nil {
		return Later(0) // this process is told to stop, and another will go on
	}
	return err
}

// died is what is on record of a job whose worker was gone.
const died = "the worker was gone before it was done"

func jobOf(row *rivertype.JobRow, t Task) Job {
	j := Job{Task: t, ID: row.ID, Urgency: Urgency(row.Priority)}
	for _, e := range row.Errors {
		if e.Error == died {
			j.Deaths++
		} else {
			j.Failures = append(j.Failures, e.Error)
		}
	}
	var kept struct {
		Snoozes int `json:"snoozes"`
	}
	_ = json.Unmarshal(row.Metadata, &kept) // River's own, and 0 if there is none
	j.Waited = kept.Snoozes
	return j
}

// longest is how long a job that failed waits at most.
const longest = 5 * time.Minute

// NextRetry implements river.Worker: sooner at first, then less and less often.
func (w *worker) NextRetry(job *river.Job[Task]) time.Time {
	n := len(jobOf(job.JobRow, job.Args).Failures)
	return w.now().Add(min(longest, time.Second<<min(n, 20)))
}
