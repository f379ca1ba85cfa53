package sandbox

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"scrub/internal/bug"
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

	mu      sync.Mutex
	idle    map[string][]*server
	refused map[string]string // why there is no server for a key
	closed  bool
}

// Run implements Box. Whatever goes wrong with a server is no outcome of the
// program: the job is then run cold.
func (w *Warm) Run(ctx context.Context, job Job) (bug.Outcome, error) {
	if tooCold(job) {
		return w.Cold.Run(ctx, job)
	}
	key := bug.Digest([]any{job.Runtime, job.Repro.Command, job.Preload, job.Setting.Factors})
	s := w.take(ctx, key, job)
	if s == nil {
		return w.Cold.Run(ctx, job)
	}
	o, err := s.run(ctx, job)
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
	if job.Preload == nil || len(c) < 2 || c[0] != "python" || strings.HasPrefix(c[1], "-") {
		return true
	}
	for _, dir := range job.Runtime.Folders {
		// Every program gets new scratch folders, and these would cover it.
		if slices.ContainsFunc(scratchDirs, func(s string) bool { return inside(dir, s) }) {
			return true
		}
	}
	for name, text := range job.Repro.Files {
		// What a program sets there is for the modules it imports after that.
		if strings.HasSuffix(name, ".py") && (strings.Contains(text, "environ") || strings.Contains(text, "putenv")) {
			return true
		}
	}
	return false
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
	s, err := startServer(ctx, job)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if ctx.Err() == nil {
			if w.refused == nil {
				w.refused = map[string]string{}
			}
			w.refused[key] = err.Error()
		}
		return nil
	}
	return s
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
	pipe  int
}

// startTime bounds the imports.
const startTime = 2 * time.Minute

// hello is the first thing a server says.
type hello struct {
	Threads int      `json:"threads"`
	Absent  []string `json:"absent"` // modules that could not be imported, and why
}

func startServer(ctx context.Context, job Job) (*server, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	theirs := os.NewFile(uintptr(pair[1]), "server")
	p := newPlan(job)
	p.Files = bug.Files{warmFile: warmServer}
	// A library that starts threads when it is loaded cannot be forked. The
	// programs do not see these variables.
	p.Env = append(p.Env, "OPENBLAS_NUM_THREADS=1", "PYTHONPATH="+Scratch)
	s := &server{pipe: pair[0]}
	s.stage, err = openStage(p, theirs)
	// While this process held their end too, the pipe would not end with them.
	theirs.Close()
	if err != nil {
		unix.Close(pair[0])
		return nil, err
	}
	if err := s.greet(ctx, job.Preload); err != nil {
		s.close()
		return nil, fmt.Errorf("warm interpreter: %w: %s", err, strings.TrimSpace(s.stage.err.String()))
	}
	return s, nil
}

// greet tells the server what to import and the call filter that it puts on
// every program, and waits until it is ready.
func (s *server) greet(ctx context.Context, preload []string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	code, err := filterCode()
	if err != nil {
		return err
	}
	if err := unix.Sendmsg(s.pipe, append([]byte(strings.Join(preload, " ")+"\n"), code...), nil, nil, 0); err != nil {
		return err
	}
	var h hello
	if err := s.receive(ctx, &h); err != nil {
		return err
	}
	if h.Threads != 1 {
		return fmt.Errorf("importing started %d threads, which a fork would lose", h.Threads-1)
	}
	return nil
}

// filterCode is the call filter as the kernel reads it.
func filterCode() ([]byte, error) {
	p := policy()
	program, err := p.Assemble()
	if err != nil {
		return nil, err
	}
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, i := range raw {
		// Writing to a buffer does not fail.
		_ = binary.Write(&b, binary.NativeEndian, unix.SockFilter{Code: i.Op, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	return b.Bytes(), nil
}

// order is one job as the server reads it.
type order struct {
	Files   bug.Files `json:"files"`
	Timeout float64   `json:"timeout"` // seconds
	CPU     int64     `json:"cpu"`     // seconds
	Memory  int64     `json:"memory"`
	Scratch int64     `json:"scratch"`
}

// warmEnding is what the server says of a program.
type warmEnding struct {
	Status int    `json:"status"`
	Limit  string `json:"limit"`
	Wall   int64  `json:"wall_us"`
	CPU    int64  `json:"cpu_us"`
	Memory int64  `json:"memory"`
}

func (s *server) run(ctx context.Context, job Job) (bug.Outcome, error) {
	l := job.Limits.defaults()
	text, err := json.Marshal(order{
		Files: job.Repro.Files, Timeout: l.Time.Seconds(), Memory: l.Memory,
		CPU: int64(l.Time.Seconds()+2) * int64(runtime.NumCPU()), Scratch: l.Scratch,
	})
	if err != nil {
		return bug.Outcome{}, err
	}
	out, errOut := newCapture(l.Output), newCapture(l.Output)
	var readers sync.WaitGroup
	if err := s.send(text, &readers, out, errOut); err != nil {
		return bug.Outcome{}, err
	}
	// The server keeps the time; this is for a server that does not.
	ctx, cancel := context.WithTimeout(ctx, l.Time+10*time.Second)
	defer cancel()
	var e warmEnding
	if err := s.receive(ctx, &e); err != nil {
		s.stage.kill()
		readers.Wait()
		return bug.Outcome{}, err
	}
	readers.Wait()
	o := bug.Outcome{Stdout: out.String(), Stderr: errOut.String(), Limit: e.Limit, Warm: true}
	o.Cost = bug.Cost{Wall: time.Duration(e.Wall) * time.Microsecond, CPU: time.Duration(e.CPU) * time.Microsecond, Memory: e.Memory}
	if e.Limit == "time" {
		o.End = bug.TimedOut
		return o, nil
	}
	setStatus(&o, e.Status)
	return o, nil
}

// send gives the server a job: its text in a file that has no name, and a
// pipe for each stream.
func (s *server) send(text []byte, readers *sync.WaitGroup, streams ...*capture) error {
	file, err := unix.MemfdCreate("job", unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(file)
	for rest := text; len(rest) > 0; {
		n, err := unix.Write(file, rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	fds := []int{file}
	for _, c := range streams {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		defer w.Close()
		fds = append(fds, int(w.Fd()))
		readers.Go(func() {
			defer r.Close()
			c.readAll(r)
		})
	}
	return unix.Sendmsg(s.pipe, []byte("job"), unix.UnixRights(fds...), nil, 0)
}

// receive reads one message of the server's, or kills it when ctx ends.
func (s *server) receive(ctx context.Context, into any) error {
	stop := context.AfterFunc(ctx, s.stage.kill)
	defer stop()
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(s.pipe, buf)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return errors.New("it is gone")
		}
		return json.Unmarshal(buf[:n], into)
	}
}

func (s *server) close() {
	s.stage.kill()
	_, _ = s.stage.end()
	s.stage.close()
	unix.Close(s.pipe)
}
