//go:build unix

package sandbox

import (
	"context"
	"errors"
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
	argv := job.argv()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(job.env(), "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	kill := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return runCommand(ctx, cmd, job.Limits.defaults(), kill)
}

// runCommand runs a command of the host's that reports its program's end by
// its own, keeps its time and output, and calls kill to end it.
func runCommand(ctx context.Context, cmd *exec.Cmd, l Limits, kill func()) (bug.Outcome, error) {
	out, errOut := capture.New(l.Output), capture.New(l.Output)
	cmd.Stdout, cmd.Stderr = out, errOut
	// A child that has left its group can hold the streams open.
	cmd.WaitDelay = time.Second
	began := time.Now()
	if ctx.Err() != nil {
		return bug.Outcome{}, context.Cause(ctx)
	}
	if err := cmd.Start(); err != nil {
		return bug.Outcome{}, fmt.Errorf("start %s: %w", filepath.Base(cmd.Path), err)
	}
	ctx, cancel := watch.Within(ctx, cmd.Process.Pid, began, l.Time)
	defer cancel()
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
	case !inTime && errors.Is(context.Cause(ctx), watch.ErrLate):
		o.End, o.Limit, o.Within = bug.TimedOut, "time", l.Time
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

// setStatus puts what the kernel says of a process's end into o.
func setStatus(o *bug.Outcome, status int) {
	if ws := syscall.WaitStatus(status); ws.Signaled() {
		o.End, o.Signal = bug.Killed, bug.SignalName(int(ws.Signal()))
	} else {
		o.End, o.Code = bug.Exited, ws.ExitStatus()
	}
}
