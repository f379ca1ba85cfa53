package sweeping

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/queue"
)

// slots is how many reports this process works on if nobody says.
func (a commands) slots() int {
	if strings.HasPrefix(a.State, "postgres") {
		return 0
	}
	return runtime.NumCPU()
}

// quiet is a log that nobody reads.
func (a commands) quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func (a commands) worker() *cobra.Command {
	var w swept.Working
	var machine, listen, level string
	var one bool
	c := &cobra.Command{
		Use:   "worker",
		Short: "Run the jobs of scrub sweep and scrub watch on this machine until stopped",
		Long: `Does the jobs that scrub sweep and scrub watch enter into a state, which many
workers on many machines can share: a PostgreSQL database, or on one machine a
file. A worker needs no token. It may be stopped or killed at any time: its jobs
go on elsewhere, from what is on record.

Logs go to stderr, one JSON document a line where that is not a terminal. With
--listen it answers /metrics for Prometheus and /healthz.`,
		Example: `  scrub worker --state postgres://scrub@db/scrub
  scrub worker --state postgres://scrub@db/scrub --workers 8 --listen :9110`,
		Args: console.Wants(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if one {
				return a.one(c.Context())
			}
			log, err := a.log(level)
			if err != nil {
				return err
			}
			w.Log = log
			return a.work(c.Context(), &w, machine, listen)
		},
	}
	c.Flags().IntVar(&w.Slots, "workers", runtime.NumCPU(), "reports worked on at once")
	c.Flags().StringVar(&machine, "machine", "", "what to call this machine (default: its host name)")
	c.Flags().StringVar(&listen, "listen", "", "address for /metrics and /healthz, as in :9110 (default: none)")
	c.Flags().StringVar(&level, "log", "info", "what to log: debug, info, warn or error")
	c.Flags().BoolVar(&one, "one", false, "do the one job that stdin says")
	_ = c.Flags().MarkHidden("one") // it exists
	return c
}

// log is where a worker says what it does.
func (a commands) log(level string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, console.Usage("--log: %w", err)
	}
	o := &slog.HandlerOptions{Level: l}
	if a.ErrTTY {
		return slog.New(slog.NewTextHandler(a.Err, o)), nil
	}
	return slog.New(slog.NewJSONHandler(a.Err, o)), nil
}

// work does jobs until it is told to stop.
func (a commands) work(ctx context.Context, w *swept.Working, machine, listen string) error {
	if w.Slots < 1 {
		return console.Usage("--workers must be at least 1")
	}
	base := a.Desk()
	base.Tell, base.MayRun, base.MayInstall = nil, nil, nil
	a.host = machine
	d := a.on(base, machine)
	defer d.Close()
	if w.Log.Enabled(ctx, slog.LevelDebug) {
		d.Asked = func(key string, answered bool) { w.Log.Debug("asked", "key", key, "answered", answered) }
	}
	w.Ready = func() { w.Log.Info("working", "worker", d.Worker, "machine", d.Host, "slots", w.Slots) }
	if err := fit(ctx, d); err != nil {
		return err
	}
	defer a.traced(ctx, d.Worker, w)()
	if listen != "" {
		stop, err := a.serve(ctx, listen, d, w)
		if err != nil {
			return err
		}
		defer stop()
	}
	err := d.Work(ctx, w)
	if ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())) {
		w.Log.Info("stopped", "worker", d.Worker)
		return nil
	}
	return err
}

// fit makes sure that this machine can keep programs in: a worker that cannot would
// spoil every report it takes.
func fit(ctx context.Context, d swept.Desk) error {
	all, err := d.Doctor(ctx, nil)
	if err != nil {
		return err
	}
	var missing []string
	for _, k := range all {
		if k.Must && !k.OK {
			missing = append(missing, fmt.Sprintf("%s: %s", k.Name, k.Fix))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("this machine cannot run programs safely, so it takes no jobs: %s; scrub doctor tells more",
			strings.Join(missing, "; "))
	}
	return nil
}

// one does the one step that stdin says, for a worker that would not survive it.
// It ends when stdin does: then the worker is gone.
func (a commands) one(ctx context.Context) error {
	var t errand
	dec := json.NewDecoder(a.In)
	if err := dec.Decode(&t); err != nil {
		return console.Usage("stdin: %w", err)
	}
	a.State = t.State
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	go func() {
		_, _ = io.Copy(io.Discard, a.In) // it only ever ends
		gone()
	}()
	d := a.desk()
	defer d.Close()
	d.Alone, d.Host = nil, t.Machine
	result, err := took(ctx, d, t.Task)
	if err != nil { // the state could not be read
		result = swept.Result{Error: err.Error(), Heals: true}
	}
	return json.NewEncoder(a.Out).Encode(result)
}

// An errand is a step that another process takes. The state's address may have a
// password in it, and what a process is started with is for everybody to read.
type errand struct {
	queue.Task
	State   string `json:"state"`
	Machine string `json:"machine"`
}

func took(ctx context.Context, d swept.Desk, t queue.Task) (swept.Result, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return swept.Result{}, err
	}
	q, err := queue.Open(ctx, kept, queue.Options{ID: d.Worker})
	if err != nil {
		return swept.Result{}, err
	}
	defer q.Close()
	return d.Take(ctx, q, t)
}

// alone does a step in a process of its own.
func (a commands) alone(ctx context.Context, t queue.Task) (died string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	_, machine := a.Self(a.host)
	text, err := json.Marshal(errand{t, a.Where(), machine})
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, self, "worker", "--one")
	cmd.Args[0] = os.Args[0] // it goes by the name by which it was called
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Start(); err != nil {
		return "", err
	}
	_, _ = in.Write(append(text, '\n')) // one that does not read it has ended
	err = cmd.Wait()
	var result swept.Result
	if err == nil {
		err = json.Unmarshal([]byte(out.String()), &result)
	}
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended) && ended.ExitCode() == console.Failed:
		return "", fmt.Errorf("in a process of its own: %s", strings.TrimSpace(said.String()))
	case errors.As(err, &ended):
		return ended.ProcessState.String(), nil
	case err != nil:
		return "", err
	}
	return "", result.Err()
}
