package sandbox

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/calls"
	"github.com/scrub-dev/scrub/internal/sandbox/capture"
	"github.com/scrub-dev/scrub/internal/sandbox/hatch"
	"github.com/scrub-dev/scrub/internal/sandbox/watch"
	"github.com/scrub-dev/scrub/internal/sandbox/wire"
)

//go:embed warm.py
var warmServer string

// warmFile is what Python imports before anything else, if it finds it.
const warmFile = "sitecustomize.py"

// Warm is a Box for many runs of small programs: inside a native box an
// interpreter has imported what they need, and each run is a fork of it, in
// namespaces of its own. A job that cannot be warm runs cold. The zero Warm
// is ready to use and must be closed.
type Warm struct {
	Cold Native
	// Tools are modules of scrub's own, by their files. Programs that come with some of them find them
	// imported; all others do not see them.
	Tools bug.Files
	// Caches are folders in the box that all programs of an interpreter share, for what it takes long to make.
	Caches []string
	// Own are folders within those that each program has for itself: what one has made under such a name
	// may not be what another would make.
	Own []string
	// Ready is a program of scrub's own that an interpreter runs before it is forked for any other, for what
	// takes long the first time. It must leave no threads and no processes behind; an interpreter that it
	// breaks is started without it.
	Ready string

	mu      sync.Mutex
	idle    map[string][]*server
	refused map[string]string // why there is no server for a key
	closed  bool
}

// Run implements Box. Whatever goes wrong with a server is no outcome of the
// program: the job is then run cold.
func (w *Warm) Run(ctx context.Context, job Job) (bug.Outcome, error) {
	if ctx.Err() != nil { // a fork may be done before anybody notices
		return bug.Outcome{}, context.Cause(ctx)
	}
	if tooCold(job) {
		return w.Cold.Run(ctx, job)
	}
	key := bug.Digest([]any{job.Runtime, job.Repro.Command, job.Preload, job.Setting.Factors})
	s := w.take(ctx, key, job)
	if s == nil {
		return w.Cold.Run(ctx, job)
	}
	o, err := s.run(ctx, job, w.Tools.Shares(job.Repro.Files))
	if err != nil {
		s.close()
		if ctx.Err() != nil {
			return o, context.Cause(ctx)
		}
		return w.Cold.Run(ctx, job)
	}
	w.put(key, s)
	return o, nil
}

// tooCold reports whether a job cannot be warm.
func tooCold(job Job) bool {
	c := job.Repro.Command
	if job.Preload == nil || job.Limits.Interfaces || len(c) < 2 || c[0] != "python" || strings.HasPrefix(c[1], "-") {
		return true
	}
	for _, dir := range job.Runtime.Folders {
		// Every program gets new scratch folders, and these would cover it.
		if slices.ContainsFunc(scratchDirs, func(s string) bool { return inside(dir, s) }) {
			return true
		}
	}
	// What a program sets there is for the modules it imports after that.
	return job.Repro.Files.SetVariables()
}

// take returns a server that is idle, or a new one, or nil if there cannot
// be one.
func (w *Warm) take(ctx context.Context, key string, job Job) *server {
	w.mu.Lock()
	if free := w.idle[key]; len(free) > 0 {
		s := free[len(free)-1]
		w.idle[key] = free[:len(free)-1]
		w.mu.Unlock()
		return s
	}
	refused := w.refused[key] != ""
	w.mu.Unlock()
	if refused {
		return nil
	}
	s, err := w.startServer(ctx, job, w.Ready)
	if err != nil && w.Ready != "" && ctx.Err() == nil {
		w.refuse(key+" ready", err)
		s, err = w.startServer(ctx, job, "")
	}
	if err != nil {
		if ctx.Err() == nil {
			w.refuse(key, err)
		}
		return nil
	}
	return s
}

// refuse remembers why there is no server, or none that is ready.
func (w *Warm) refuse(key string, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refused == nil {
		w.refused = map[string]string{}
	}
	w.refused[key] = why.Error()
}

func (w *Warm) put(key string, s *server) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		s.close()
		return
	}
	if w.idle == nil {
		w.idle = map[string][]*server{}
	}
	w.idle[key] = append(w.idle[key], s)
}

// Refused says why there was no warm interpreter, if there was none.
func (w *Warm) Refused() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, why := range w.refused {
		all = append(all, why)
	}
	slices.Sort(all)
	return all
}

// Close ends every server.
func (w *Warm) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, free := range w.idle {
		for _, s := range free {
			s.close()
		}
	}
	w.idle = nil
}

// A server is one warm interpreter. It runs one program at a time.
type server struct {
	stage *stage
	wire.Wire
	own  int64 // bytes that it holds itself, before any program
	base int64 // the same, as its cgroup counts

	enclosed bool // its programs may have memory that nobody need have mapped
}

// startTime bounds the imports, and what is done after them.
const startTime = 4 * time.Minute

func (w *Warm) startServer(ctx context.Context, job Job, first string) (*server, error) {
	ours, theirs, err := hatch.Pair()
	if err != nil {
		return nil, err
	}
	p := newPlan(job)
	p.Files = bug.Files{warmFile: warmServer, "preload.txt": strings.Join(job.Preload, "\n"), "ready.py": first}
	maps.Copy(p.Files, w.Tools)
	// A library that starts threads when it is loaded cannot be forked. The
	// programs do not see these variables.
	p.Env = append(p.Env, "OPENBLAS_NUM_THREADS=1", "PYTHONPATH="+Scratch)
	s := &server{Wire: wire.Wire{File: ours}}
	s.stage, err = openStage(p, handed{server: theirs})
	// While this process held their end too, the pipe would not end with them.
	theirs.Close()
	if err != nil {
		return nil, errors.Join(err, ours.Close())
	}
	s.enclosed = s.stage.group != nil || p.driven()
	if err := s.greet(ctx, w.Tools.Modules(), w.Caches, w.Own); err != nil {
		s.close()
		return nil, fmt.Errorf("warm interpreter: %w: %s", err, strings.TrimSpace(s.stage.err.String()))
	}
	return s, nil
}

// greet tells the server what to import and the call filter that it puts on
// every program, and waits until it is ready.
func (s *server) greet(ctx context.Context, tools, caches, own []string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	code, err := calls.Filter{Enclosed: s.enclosed}.Code()
	if err != nil {
		return err
	}
	var words string
	for _, line := range [][]string{masked, tools, caches, own} {
		words += strings.Join(line, " ") + "\n"
	}
	if err := s.Send(append([]byte(words), code...)); err != nil {
		return err
	}
	var h wire.Hello
	if err := s.Receive(ctx, &h, s.stage.kill); err != nil {
		return err
	}
	if h.Threads != 1 {
		return fmt.Errorf("importing started %d threads, which a fork would lose", h.Threads-1)
	}
	if at := slices.IndexFunc(h.Absent, func(s string) bool { return strings.HasPrefix(s, "ready: ") }); at >= 0 {
		return errors.New(h.Absent[at])
	}
	s.own, err = watch.Watch{Root: s.stage.cmd.Process.Pid}.Look(false)
	if s.stage.group != nil {
		s.base = s.stage.group.Used()
	}
	return err
}

// guard keeps what a program holds under its limit while it runs: by a watch,
// which can only end all of it, and by the box's cgroup. What it returns ends the
// guard and says whether the limit was hit.
func (s *server) guard(l Limits) (func() bool, error) {
	g := s.stage.group
	before := g.Kills()
	if g != nil {
		if err := g.Limit(s.base + l.Memory + 4*l.Scratch); err != nil {
			return nil, err
		}
	}
	// A fork counts what it has from the server as its own.
	seen := watch.Watch{Root: s.stage.cmd.Process.Pid, Limit: l.Memory + 4*s.own,
		Net: watch.MissedBy(g)}.Start(s.stage.kill)
	return func() bool { return seen().Over || g.Kills() > before }, nil
}

func (s *server) run(ctx context.Context, job Job, tools bool) (bug.Outcome, error) {
	l := job.Limits.defaults()
	limits, err := json.Marshal(wire.Order{
		Timeout: l.Time.Seconds(), Busy: l.CPU.Seconds(), Idle: l.Idle.Seconds(), Memory: l.Memory,
		CPU: int64(l.Time.Seconds()+2) * int64(runtime.NumCPU()), Scratch: l.Scratch, Tools: tools,
	})
	if err != nil {
		return bug.Outcome{}, err
	}
	files, err := json.Marshal(job.Repro.Files)
	if err != nil {
		return bug.Outcome{}, err
	}
	end, err := s.guard(l)
	if err != nil {
		return bug.Outcome{}, err
	}
	out, errOut := capture.New(l.Output), capture.New(l.Output)
	var readers sync.WaitGroup
	if err := s.Job(limits, files, &readers, out, errOut); err != nil {
		end()
		return bug.Outcome{}, err
	}
	// The server keeps the time; this is for a server that does not.
	ctx, cancel := context.WithTimeout(ctx, l.Time+10*time.Second)
	defer cancel()
	var e wire.Ending
	err = s.Receive(ctx, &e, s.stage.kill)
	if err == nil && e.Error != "" {
		err = errors.New(e.Error)
	}
	if err != nil {
		s.stage.kill()
		readers.Wait()
		end()
		return bug.Outcome{}, err
	}
	readers.Wait()
	if end() {
		e.Limit = "memory"
	}
	o := bug.Outcome{Stdout: out.String(), Stderr: errOut.String(), Limit: e.Limit, Warm: true}
	o.Cost = bug.Cost{Wall: time.Duration(e.Wall) * time.Microsecond, CPU: time.Duration(e.CPU) * time.Microsecond,
		Memory: e.Memory}
	if e.Limit == "time" || e.Limit == "cpu" || e.Limit == "idle" {
		if o.End = bug.TimedOut; e.Limit == "time" {
			o.Within = l.Time
		}
		return o, nil
	}
	setStatus(&o, e.Status)
	return o, nil
}

func (s *server) close() {
	s.stage.kill()
	_, _ = s.stage.end()
	s.stage.close()
	_ = s.Close()
}
