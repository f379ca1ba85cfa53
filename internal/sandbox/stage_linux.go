package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"scrub/internal/bug"
)

// inside1 is the first process of the box: it builds the walls, starts the
// program, reaps whatever the program leaves behind, and reports how the
// program itself ended. It is a process of its own because a program that
// is the first of its namespace is deaf to its own signals: abort() would
// look like a segmentation fault.
func inside1() int {
	report := os.NewFile(endingFD, "ending")
	unix.CloseOnExec(endingFD)
	unix.CloseOnExec(planFD)
	plans := os.NewFile(planFD, "plan")
	var p plan
	dec := json.NewDecoder(plans)
	if err := dec.Decode(&p); err != nil {
		return 1 // scrub is gone
	}
	// The pipe stays open as long as scrub lives; the end of it is the end of
	// everything here. Pdeathsig would follow a thread of scrub's instead.
	go func() {
		_, _ = io.Copy(io.Discard, plans)
		os.Exit(1)
	}()
	e, err := p.live()
	if err != nil {
		e.Error = err.Error()
	}
	if err := json.NewEncoder(report).Encode(e); err != nil {
		return 1
	}
	return 0
}

// live builds the walls and runs the program between them.
func (p plan) live() (ending, error) {
	for _, step := range []struct {
		wall  string
		build func() error
	}{
		{"own root", func() error { return buildRoot(p) }},
		{"own root", enterRoot},
		{"no network", loopbackUp},
		{"no network", func() error { return unix.Sethostname([]byte("scrub")) }},
		{"own root", func() error { return writeFiles(p.Files) }},
		{"limits", p.Limits.set},
		{"no privileges", dropPrivileges},
		{"call filter", loadFilter},
	} {
		if err := step.build(); err != nil {
			return ending{}, wallError{step.wall, err}
		}
	}
	cmd := &exec.Cmd{Path: p.Argv[0], Args: p.Argv, Env: p.Env, Dir: Scratch, Stdout: os.Stdout, Stderr: os.Stderr}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return ending{}, fmt.Errorf("start %s: %w", p.Argv[0], err)
	}
	var over atomic.Bool
	go watchMemory(p.Limits.Memory, &over)
	e, err := reap(cmd.Process.Pid)
	if over.Load() {
		e.Limit = "memory"
	}
	return e, err
}

func writeFiles(files bug.Files) error {
	for name, text := range files {
		path := filepath.Join(Scratch, filepath.FromSlash(name))
		if !inside(path, Scratch) {
			return fmt.Errorf("%s: not a name for a file in the box", name)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// reap waits for every process of the box until the program's own ends.
func reap(program int) (ending, error) {
	for {
		var ws syscall.WaitStatus
		var ru syscall.Rusage
		pid, err := syscall.Wait4(-1, &ws, 0, &ru)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return ending{}, fmt.Errorf("wait: %w", err)
		}
		if pid == program {
			cpu := time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
			return ending{Status: int(ws), CPU: cpu, Memory: ru.Maxrss << 10}, nil
		}
	}
}

// watchMemory kills everything in the box when its processes together hold
// more than limit. Limits on one process do not see several small ones, and
// not every user has a cgroup of their own.
func watchMemory(limit int64, over *atomic.Bool) {
	for range time.Tick(20 * time.Millisecond) {
		if privateMemory() > limit {
			over.Store(true)
			_ = syscall.Kill(-1, syscall.SIGKILL) // all but ourselves
		}
	}
}

// privateMemory adds up the pages that no file backs, over all processes
// but this one.
func privateMemory() int64 {
	var total int64
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	for _, dir := range dirs {
		text, err := os.ReadFile(dir + "/statm")
		var size, resident, shared int64
		if err != nil || strings.HasSuffix(dir, "/1") {
			continue
		}
		if _, err := fmt.Sscan(string(text), &size, &resident, &shared); err == nil {
			total += (resident - shared) * int64(os.Getpagesize())
		}
	}
	return total
}
