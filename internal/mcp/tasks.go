package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// tasks is the work that calls have begun. It goes on when a call or a connection ends; one is done at a time.
type tasks struct {
	mu    sync.Mutex
	all   map[string]*task
	asked map[string]bool // programs that a person was asked about, by their digests
	turn  chan struct{}
	ctx   context.Context
	stop  context.CancelFunc
	wait  sync.WaitGroup
	spent time.Duration
}

// mostWaiting is how many tasks may wait or run.
const mostWaiting = 8

// A task is one piece of work.
type task struct {
	id, tool string
	args     json.RawMessage
	stop     context.CancelFunc
	over     chan struct{} // closed when it is
	mu       sync.Mutex
	news     event.Event
	heard    chan struct{} // closed and made anew with every piece of news
	got      answer
	err      error
}

func (t *tasks) begin(s *Server) {
	t.all, t.asked, t.turn = map[string]*task{}, map[string]bool{}, make(chan struct{}, 1)
	t.ctx, t.stop = context.WithCancel(context.Background())
}

func (t *tasks) close() {
	if t.stop != nil {
		t.stop()
	}
	t.wait.Wait()
}

// asked is a call as it is kept: whoever names the task later has the same work done again, over what is on record.
type asked struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// of is the handle of a call: the same call has the same.
func of(a asked) string { return bug.Digest(a)[:12] }

// start begins a task, or finds the one that does the same already.
func (s *Server) start(ctx context.Context, a asked) (*task, error) {
	id, t := of(a), &s.tasks
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.all[id]; one != nil && !one.failed() {
		return one, nil
	}
	if len(t.all) >= mostOver {
		maps.DeleteFunc(t.all, func(_ string, one *task) bool { return one.ended() })
	}
	going := 0
	for _, one := range t.all {
		if !one.ended() {
			going++
		}
	}
	switch {
	case going >= mostWaiting:
		return nil, refusal.Bad("%d tasks wait already: wait for one of them", going)
	case s.Most > 0 && t.spent >= s.Most:
		return nil, overTime(s.Most)
	case s.MostRuns > 0 && s.runs.Load() >= s.MostRuns:
		return nil, overRuns(s.MostRuns)
	}
	if err := s.keep(ctx, id, a); err != nil {
		return nil, err
	}
	run, stop := context.WithCancel(t.ctx)
	one := &task{id: id, tool: a.Tool, args: a.Args, stop: stop, over: make(chan struct{}), heard: make(chan struct{})}
	t.all[id] = one
	t.wait.Go(func() {
		defer stop()
		s.do(run, one)
	})
	return one, nil
}

// keep puts on record what a handle stands for.
func (s *Server) keep(ctx context.Context, id string, a asked) (err error) {
	d := s.Desk(nil)
	defer func() { err = errors.Join(err, d.Close()) }()
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = kept.Put(ctx, "mcp/"+id, data)
	return err
}

// do does a task in its turn.
func (s *Server) do(ctx context.Context, one *task) {
	defer close(one.over)
	select {
	case s.tasks.turn <- struct{}{}:
		defer func() { <-s.tasks.turn }()
	case <-ctx.Done():
		one.err = ctx.Err()
		return
	}
	if s.Most > 0 {
		var enough context.CancelFunc
		ctx, enough = context.WithTimeoutCause(ctx, s.left(), overTime(s.Most))
		defer enough()
	}
	began := s.Now()
	d := s.Desk(one.hear)
	one.got, one.err = s.kinds[one.tool](ctx, d, one.args)
	if late := context.Cause(ctx); one.err != nil && errors.As(late, new(refusal.Refusal)) {
		one.err = late
	}
	one.err = errors.Join(one.err, d.Close())
	s.tasks.mu.Lock()
	s.tasks.spent += s.Now().Sub(began)
	s.tasks.mu.Unlock()
}

// left is how long work may still take here.
func (s *Server) left() time.Duration {
	s.tasks.mu.Lock()
	defer s.tasks.mu.Unlock()
	return s.Most - s.tasks.spent
}

func overTime(most time.Duration) error {
	return refusal.Bad("the time that work may take here, %v, is used up: a person can allow more", most)
}

// mostOver is how many tasks that are over are remembered; the others are done again over what is on record.
const mostOver = 64

// MayRun is asked before each run.
func (s *Server) MayRun() error {
	if n := s.runs.Add(1); s.MostRuns > 0 && n > s.MostRuns {
		return overRuns(s.MostRuns)
	}
	return nil
}

func overRuns(most int64) error {
	return refusal.Bad("the %d runs that work may take here are used up: a person can allow more", most)
}

func (t *task) hear(e event.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.news = e
	close(t.heard)
	t.heard = make(chan struct{})
}

// answer is what came of a task that is over, and where the rest of it is.
func (t *task) answer() answer {
	a := t.got
	if a.more == "" && a.cut() {
		a.more = wholeOf(t.id)
	}
	var names []string
	for i, f := range a.files {
		a.say("file %d: resource scrub://task/%s/file/%d (%d bytes)", i+1, t.id, i+1, len(f.text))
		names = append(names, fmt.Sprintf("%d: %s", i+1, f.what))
	}
	a.quote("what the program and the project call these files", strings.Join(names, "\n"))
	return a
}

// wholeOf is where all of an answer is of which a part was given.
func wholeOf(id string) string { return "resource scrub://task/" + id + "/answer" }

func (t *task) last() (event.Event, chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.news, t.heard
}

func (t *task) ended() bool {
	select {
	case <-t.over:
		return true
	default:
		return false
	}
}

func (t *task) failed() bool { return t.ended() && t.err != nil }

// work has a call done, and waits for it a while.
func (s *Server) work(ctx context.Context, r *mcp.CallToolRequest, tool string,
	args json.RawMessage) *mcp.CallToolResult {
	if err := s.hear(ctx, r); err != nil {
		return s.refused(err)
	}
	a := asked{tool, args}
	one, err := s.start(ctx, a)
	if err != nil {
		return s.refused(err)
	}
	got := s.await(ctx, r, one, s.Patience)
	var w waiting
	if one.ended() && errors.As(one.err, &w) {
		if question := s.ask(r, w); question != nil {
			return question
		}
	}
	return got
}

// await waits for a task, tells how far it is to whoever wants to know, and gives its answer or its handle.
func (s *Server) await(ctx context.Context, r *mcp.CallToolRequest, one *task, most time.Duration) *mcp.CallToolResult {
	enough := time.NewTimer(most)
	defer enough.Stop()
	said := 0
	for {
		news, more := one.last()
		if token := r.Params.GetProgressToken(); token != nil && news.Step != "" {
			said++
			// Only the step is ours to say: what it has found out may quote strangers. Whoever has gone hears nothing.
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token,
				Progress: float64(said), Message: word(news.Step)})
		}
		select {
		case <-one.over:
			if one.err != nil {
				return s.refused(one.err)
			}
			return s.said(one.answer())
		case <-more:
		case <-enough.C:
			return s.said(s.still(one))
		case <-ctx.Done():
			return s.said(s.still(one))
		}
	}
}

func (s *Server) still(one *task) answer {
	var a answer
	news, _ := one.last()
	a.say("working: %s", one.tool)
	if news.Step != "" {
		step := word(news.Step)
		if news.Of > 0 {
			step += fmt.Sprintf(", %d of %d", news.N, news.Of)
		}
		a.say("step: %s", step)
	}
	a.say("task: %s", one.id)
	a.next = "call task with it; it goes on meanwhile, and keeps what it finds out."
	return a
}

// A taskRequest names work that was begun.
type taskRequest struct {
	Task string `json:"task" jsonschema:"the handle that a tool gave"`
	Wait int    `json:"wait_seconds,omitempty" jsonschema:"how long to wait for it; 20"`
	Stop bool   `json:"stop,omitempty" jsonschema:"stop it; what it has found out is kept"`
}

// mostWait is how long a call may wait for a task.
const mostWait = 10 * time.Minute

// task answers what has become of work that was begun, here or by a server that is gone.
func (s *Server) task(ctx context.Context, r *mcp.CallToolRequest, in taskRequest) (*mcp.CallToolResult, any, error) {
	reached(ctx)
	if in.Stop {
		s.tasks.mu.Lock()
		one := s.tasks.all[in.Task]
		s.tasks.mu.Unlock()
		if one == nil || one.ended() {
			return s.refused(refusal.Bad("task %s does not run here", word(in.Task))), nil, nil
		}
		one.stop()
		<-one.over
		a := answer{}
		a.say("stopped: %s", one.id)
		a.next = "the same call made again goes on where it was."
		return s.said(a), nil, nil
	}
	one, err := s.found(ctx, in.Task)
	if err != nil {
		return s.refused(err), nil, nil
	}
	wait := min(max(time.Duration(in.Wait)*time.Second, 0), mostWait)
	if in.Wait == 0 {
		wait = s.Patience
	}
	return s.await(ctx, r, one, wait), nil, nil
}

// found is the task of a handle: one that was begun here, or the same work begun again over what is on record.
func (s *Server) found(ctx context.Context, id string) (*task, error) {
	s.tasks.mu.Lock()
	one := s.tasks.all[id]
	s.tasks.mu.Unlock()
	if one != nil && !(one.failed() && errors.Is(one.err, context.Canceled)) {
		return one, nil
	}
	a, err := s.known(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.start(ctx, a)
}

// known is the call that a handle stands for.
func (s *Server) known(ctx context.Context, id string) (asked, error) {
	var a asked
	d := s.Desk(nil)
	kept, err := d.Kept(ctx)
	if err != nil {
		return a, errors.Join(err, d.Close())
	}
	data, ok, err := kept.Get(ctx, "mcp/"+id)
	if err = errors.Join(err, d.Close()); err != nil {
		return a, err
	}
	if !ok || json.Unmarshal(data, &a) != nil || s.kinds[a.Tool] == nil || of(a) != id {
		return a, refusal.Bad("there is no task %s", word(id))
	}
	return a, nil
}
