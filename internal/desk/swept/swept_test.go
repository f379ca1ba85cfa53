package swept

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// at is a desk with a state of its own, and its queue.
func at(t *testing.T) (Desk, *queue.Queue) {
	t.Helper()
	home := t.TempDir()
	base := &desk.Desk{State: filepath.Join(home, "scrub.db"), User: "ann", Now: time.Now, Machine: &machine.Machine{
		Home: home, Cache: filepath.Join(home, "cache"), Now: time.Now,
		Token: func(context.Context, string) string { return "" }}}
	t.Cleanup(func() { _ = base.Close() })
	d := Desk{Desk: base, Worker: "w1", Host: "here", Used: func() time.Duration { return 0 }}
	kept, err := d.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q, err := queue.Open(t.Context(), kept, queue.Options{ID: "w1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return d, q
}

// entered is a sweep of some reports that say nothing.
func entered(t *testing.T, d Desk, q *queue.Queue, n int, r Request) string {
	t.Helper()
	if r.Depth == "" {
		r.Depth = sweep.Triage
	}
	id, err := d.Begin(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var found []Found
	for i := range n {
		found = append(found, Found{Source: fmt.Sprintf("o/r#%d", i+1), Report: bug.Report{
			Ref: bug.Ref{Repo: "o/r", Number: i + 1}, Title: "t", Body: fmt.Sprint("nothing ", i)}})
	}
	if _, err := d.Add(t.Context(), q, id, found); err != nil {
		t.Fatal(err)
	}
	return id
}

// works does all jobs of a sweep.
func works(t *testing.T, d Desk, id string) Progress {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	w := &Working{Slots: 2, Log: slog.New(slog.DiscardHandler)}
	w.Saw = func(Finished) {
		if p, err := d.Progress(ctx, id); err == nil && p.Over() {
			stop()
		}
	}
	if err := d.Work(ctx, w); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	p, err := d.Progress(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSweepComesToAnEndOnce(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 7, Request{Sources: []string{"a"}})
	p := works(t, d, id)
	if p.State != sweep.Done || p.Done != 7 {
		t.Errorf("%+v", p)
	}
	if again := entered(t, d, q, 7, Request{Sources: []string{"a"}, CPU: time.Hour}); again != id {
		t.Errorf("another budget makes another sweep: %s, %s", id, again)
	}
	if p, err := d.Progress(t.Context(), id); err != nil || p.Done != 7 {
		t.Errorf("what was done begins again: %+v, %v", p, err)
	}
}

// A watch that somebody stops does not begin again by itself.
func TestStoppedWatchStays(t *testing.T) {
	d, q := at(t)
	shelf := runtimestest.NewShelf("1.0")
	t.Cleanup(shelf.CloseClientConnections)
	d.Machine.Index = shelf.Index()
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "o", "snail"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := WatchRequest{Repo: "o/snail", Request: Request{Depth: sweep.Triage, Issue: desk.IssueRequest{Source: desk.Source{
		Forge: folder}}}}
	id, _, err := d.Round(t.Context(), q, r)
	if err != nil {
		t.Fatal(err)
	}
	r.Next = true
	if _, _, err := d.Round(t.Context(), q, r); err != nil {
		t.Fatalf("nobody has stopped it: %v", err)
	}
	if _, err := d.Stop(t.Context(), id, "enough"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Round(t.Context(), q, r); !errors.Is(err, ErrStopped) {
		t.Errorf("it goes on: %v", err)
	}
	r.Next = false
	if _, _, err := d.Round(t.Context(), q, r); err != nil {
		t.Errorf("the same command does not begin again: %v", err)
	}
}

// A report that ends its process three times is set aside, and the reason is told.
func TestDeadlyReportIsSetAside(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 1, Request{Sources: []string{"a"}})
	d.Alone = func(context.Context, queue.Task) (string, error) { return "signal: killed", nil }
	j := queue.Job{Task: queue.Task{Sweep: id, Item: 1, Do: "triage"}, Deaths: 1}
	err := d.Do(t.Context(), q, j)
	if err == nil || !strings.Contains(err.Error(), "signal: killed") {
		t.Fatalf("it is given up at once: %v", err)
	}
	j.Failures = []string{err.Error()}
	_ = d.Do(t.Context(), q, j) // it says what becomes of the job; what became of the report is on record
	b, err := d.Report(t.Context(), id)
	if err != nil || len(b.Rows) != 1 || !b.Rows[0].Aside || !strings.Contains(b.Rows[0].Reason, "3 times") {
		t.Errorf("%+v, %v", b, err)
	}
	if n, err := d.Retry(t.Context(), id); n != 1 || err != nil {
		t.Errorf("%d begin again, %v", n, err)
	}
}

// What was asked for to be done in a process of its own, because a worker was lost
// with it, counts as done if it is.
func TestInnocentReport(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 1, Request{Sources: []string{"a"}})
	inner := d
	d.Alone = func(ctx context.Context, task queue.Task) (string, error) {
		r, err := inner.Take(ctx, q, task)
		return "", errors.Join(err, r.Err())
	}
	if err := d.Do(t.Context(), q, queue.Job{Task: queue.Task{Sweep: id, Item: 1, Do: "triage"}, Deaths: 5}); err != nil {
		t.Fatal(err)
	}
	if p, err := d.Progress(t.Context(), id); err != nil || p.Done != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestStoppedSweepWaits(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 3, Request{Sources: []string{"a"}})
	if _, err := d.Stop(t.Context(), id[:4], "enough"); err != nil {
		t.Fatal(err)
	}
	if err := d.Do(t.Context(), q, queue.Job{Task: queue.Task{Sweep: id, Item: 1, Do: "triage"}}); err != nil {
		t.Fatal(err)
	}
	if p, err := d.Progress(t.Context(), id); err != nil || p.Done != 0 || p.State != sweep.Stopped || p.Why != "enough" {
		t.Errorf("%+v, %v", p, err)
	}
	entered(t, d, q, 3, Request{Sources: []string{"a"}})
	if err := d.GoOn(t.Context(), q, id); err != nil {
		t.Fatal(err)
	}
	if p := works(t, d, id); p.Done != 3 {
		t.Errorf("%+v", p)
	}
}

// A budget of processor time stops a sweep.
func TestBudget(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 1, Request{Sources: []string{"a"}, CPU: time.Second})
	kept, err := d.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := &Working{Log: slog.New(slog.DiscardHandler), now: map[int64]onHand{}}
	ctx, stop := context.WithCancelCause(t.Context())
	w.hold(1, &onHand{id, stop})
	for range 2 {
		if err := d.account(t.Context(), kept, w, id, 600*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := d.Progress(t.Context(), id); err != nil || p.State != sweep.Stopped || !strings.Contains(p.Why, "budget") {
		t.Errorf("%+v, %v", p, err)
	}
	if !errors.Is(context.Cause(ctx), errStopped) {
		t.Errorf("the job goes on: %v", context.Cause(ctx))
	}
}

// A job is left to a machine that has what it needs, for a while.
func TestJobsGoWhereTheirEnvironmentIs(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 1, Request{Sources: []string{"a"}})
	kept, err := d.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i, err := kept.Item(t.Context(), id, 1)
	if err != nil {
		t.Fatal(err)
	}
	i.Needs = "snail 1.0"
	if err := errors.Join(kept.SetItem(t.Context(), i), kept.PutHome(t.Context(), i.Needs, "elsewhere"),
		kept.PutWorker(t.Context(), store.Worker{ID: "w2", Machine: "elsewhere"})); err != nil {
		t.Fatal(err)
	}
	for waited, want := range []bool{true, true, true, false} {
		put, err := d.elsewhere(t.Context(), kept, i, queue.Job{Waited: waited})
		if put != want || err != nil {
			t.Errorf("waited %d times: %v, %v", waited, put, err)
		}
	}
	d.Host = "elsewhere"
	if put, err := d.elsewhere(t.Context(), kept, i, queue.Job{}); put || err != nil {
		t.Errorf("where it is: %v, %v", put, err)
	}
}

// Two processes and a person: what is urgent is next, and repositories take turns.
func TestOrder(t *testing.T) {
	d, _ := at(t)
	kept, err := d.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	var n atomic.Int64
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	q, err := queue.Open(t.Context(), kept, queue.Options{ID: "w1", Slots: 1, Now: time.Now, Work: func(_ context.Context, j queue.Job) error {
		done = append(done, j.Sweep)
		if n.Add(1) == 6 {
			stop()
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, u queue.Urgency, rank int64) {
		e := queue.Entry{Task: queue.Task{Sweep: name, Item: 1, Do: "run"}, Urgency: u, Rank: rank}
		if err := errors.Join(q.Put(t.Context(), e), q.Put(t.Context(), e)); err != nil {
			t.Fatal(err)
		}
	}
	put("a2", queue.Backlog, sweep.Run.Rank(2))
	put("b1", queue.Backlog, sweep.Run.Rank(1))
	put("deep", queue.Backlog, sweep.Small.Rank(1))
	put("cheap", queue.Backlog, sweep.Triage.Rank(9))
	put("new", queue.New, sweep.Small.Rank(7))
	put("person", queue.Person, sweep.Test.Rank(7))
	if err := q.Work(ctx, store.Worker{ID: "w1"}, func(int) {}, func(error) {}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(done, " "); got != "person new cheap b1 a2 deep" {
		t.Error(got)
	}
}

// What one report may take is not for its author to say.
func TestBounded(t *testing.T) {
	long := strings.Repeat("ä", 3<<20)
	r := bug.Report{Title: long, Body: long}
	for range 2000 {
		r.Comments = append(r.Comments, bug.Comment{Body: "x" + long[:4000]})
	}
	b := bounded(r)
	total := len(b.Title) + len(b.Body)
	for _, c := range b.Comments {
		total += len(c.Body)
	}
	if len(b.Body) > mostText+100 || len(b.Comments) > mostComments || total > mostTotal+100*mostComments {
		t.Errorf("%d of body, %d comments, %d in all", len(b.Body), len(b.Comments), total)
	}
	if len(r.Comments) != 2000 || len(r.Comments[1999].Body) != 4001 {
		t.Error("the report itself was changed")
	}
}

// What is asked of each report is asked as it was said, also on another machine.
func TestRequestIsKeptWhole(t *testing.T) {
	d, _ := at(t)
	r := Request{Sources: []string{"a"}, Depth: sweep.Run, CPU: time.Hour}
	r.Issue.Timeout, r.Issue.Runs, r.Issue.Versions.On = profile.Duration(90*time.Second), 2, []string{"newest"}
	id, err := d.Begin(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := d.request(t.Context(), id)
	if err != nil || bug.Digest(got) != bug.Digest(r) || got.Issue.Timeout != r.Issue.Timeout {
		t.Errorf("%+v, %v", got, err)
	}
}
