package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/capture"
	"github.com/scrub-dev/scrub/internal/sandbox/watch"
)

// Bare is no box at all. It keeps the time and the output, and nothing else.
type Bare struct{}

// Run implements Box, in name only.
func (Bare) Run(ctx context.Context, job Job) (bug.Outcome, error) {
	dir, err := os.MkdirTemp("", "scrub-bare-")
	if err != nil {
		return bug.Outcome{}, err
	}
	defer os.RemoveAll(dir)
	if err := writeFilesTo(dir, job.Repro.Files); err != nil {
		return bug.Outcome{}, err
	}
	p := newPlan(job)
	cmd := exec.Command(p.Argv[0], p.Argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(p.Env, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	kill := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return runCommand(ctx, cmd, p.Limits, kill)
}

// runCommand runs a command of the host's that reports its program's end by
// its own, keeps its time and output, and calls kill to end it.
func runCommand(ctx context.Context, cmd *exec.Cmd, l Limits, kill func()) (bug.Outcome, error) {
	out, errOut := capture.New(l.Output), capture.New(l.Output)
	cmd.Stdout, cmd.Stderr = out, errOut
	// A child that has left its group can hold the streams open.
	cmd.WaitDelay = time.Second
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	if ctx.Err() != nil {
		return bug.Outcome{}, context.Cause(ctx)
	}
	if err := cmd.Start(); err != nil {
		return bug.Outcome{}, fmt.Errorf("start %s: %w", filepath.Base(cmd.Path), err)
	}
	stop := context.AfterFunc(ctx, kill)
	seen := watch.Watch{Root: cmd.Process.Pid, Whole: true, Limit: l.Memory}.Start(kill)
	_ = cmd.Wait() // how it ended is in ProcessState
	inTime := stop()
	kill()
	o := bug.Outcome{Stdout: out.String(), Stderr: errOut.String(), Cost: bug.Cost{Wall: time.Since(began)}}
	switch s := seen(); {
	case s.Err != nil && inTime:
		return o, s.Err
	case s.Over:
		o.End, o.Signal, o.Limit = bug.Killed, "SIGKILL", "memory"
		return o, nil
	case !inTime && context.Cause(ctx) == context.DeadlineExceeded:
		o.End, o.Limit = bug.TimedOut, "time"
		return o, nil
	case !inTime:
		return o, context.Cause(ctx)
	}
	state := cmd.ProcessState
	o.Cost.CPU = state.UserTime() + state.SystemTime()
	if ru, ok := state.SysUsage().(*syscall.Rusage); ok {
		o.Cost.Memory = ru.Maxrss << 10
	}
	setStatus(&o, int(state.Sys().(syscall.WaitStatus)))
	// Programs that run others pass a signal on as a shell does.
	if sig, ok := o.Crash(); ok && o.End == bug.Exited {
		o.End, o.Code, o.Signal = bug.Killed, 0, sig
	}
	return o, nil
}
