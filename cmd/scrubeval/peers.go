package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// peers are other reducers, run as their users run them: with a script that
// starts the program and looks for its symptom, cold if nothing else is said.
type peers struct {
	names []string
	limit time.Duration
	warm  bool // they are answered by a warm interpreter
	times int  // they may ask so many times as often as scrub did; 0 for as often as they like
}

// The commands of the peers. They are looked for on the path.
var peerCommands = map[string]string{
	"cvise":     "exec cvise --not-c --n 2 --timeout 20 ./test.sh repro.py",
	"shrinkray": "exec shrinkray --ui basic --parallelism 2 --timeout 20 ./test.sh repro.py",
	"pysource":  "exec python3 minimize.py",
}

// pysource has no way to ask a script, so a few lines of Python do.
const pysourceDriver = `import subprocess
from pysource_minimize import minimize
def interesting(text):
    open("candidate.py", "w").write(text)
    if subprocess.run(["./test.sh", "candidate.py"]).returncode:
        return False
    if len(text) < len(open("repro.py").read()):
        open("repro.py", "w").write(text)
    return True
best = minimize(open("repro.py").read(), interesting)
open("repro.py", "w").write(best)
`

// errSpent ends a peer that has asked as often as it may.
var errSpent = errors.New("it has asked as often as it may")

func (p peers) run(ctx context.Context, name string, s sample, r bug.Runtime, runs int) (shrunk, error) {
	got := shrunk{tool: name, ended: "finished"}
	dir, err := os.MkdirTemp("", "peer")
	if err != nil {
		return got, err
	}
	defer os.RemoveAll(dir)
	script := s.script(r, dir)
	if p.warm {
		oracle, err := p.oracle(ctx, s, r, dir)
		if err != nil {
			return got, err
		}
		defer oracle.Close()
		script = warmScript(dir)
	}
	for file, text := range map[string]string{"repro.py": s.Text, "test.sh": script, "minimize.py": pysourceDriver} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o755); err != nil {
			return got, err
		}
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	ctx, spent := context.WithCancelCause(ctx)
	defer spent(nil)
	if p.times > 0 {
		go watch(ctx, filepath.Join(dir, "count"), int64(p.times*runs), func() { spent(errSpent) })
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", peerCommands[name])
	cmd.Dir = dir
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case context.Cause(ctx) == errSpent:
		got.ended = fmt.Sprintf("stopped at %d times scrub's runs", p.times)
	case ctx.Err() != nil:
		got.ended = "stopped at " + p.limit.String()
	case err != nil:
		var code *exec.ExitError
		if !errors.As(err, &code) {
			return got, err
		}
		got.ended = fmt.Sprintf("%v: %s", err, bug.Short(bug.Squeeze(string(out)), 200))
	}
	got.seconds = time.Since(began).Seconds()
	text, err := os.ReadFile(filepath.Join(dir, "repro.py"))
	if err != nil {
		return got, err
	}
	got.program, got.Size = string(text), reduce.SizeOf(bug.Files{"": string(text)})
	if count, err := os.Stat(filepath.Join(dir, "count")); err == nil {
		got.runs = int(count.Size())
	}
	return got, nil
}

// watch calls full when a file has reached a size.
func watch(ctx context.Context, file string, size int64, full func()) {
	for tick := time.NewTicker(100 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			if info, err := os.Stat(file); err == nil && info.Size() >= size {
				full()
			}
		}
	}
}

// warmScript asks the oracle that listens in dir.
func warmScript(dir string) string {
	return fmt.Sprintf("#!/bin/sh\nprintf x >> '%s/count'\nexec /proc/%d/exe ask '%s/socket' \"${1:-repro.py}\"\n", dir,
		os.Getpid(), dir)
}

func (p peers) oracle(ctx context.Context, s sample, r bug.Runtime, dir string) (io.Closer, error) {
	symptom, err := bug.ParseSymptom(s.Expect)
	if err != nil {
		return nil, err
	}
	reading, err := syntax.Read(ctx, s.Text, sandbox.Tool(sandbox.Native{}, r))
	if err != nil {
		return nil, err
	}
	return warmOracle(ctx, filepath.Join(dir, "socket"), r, symptom, reading.Modules())
}

// script is what a user of a peer would write.
func (s sample) script(r bug.Runtime, dir string) string {
	class, message, _ := strings.Cut(s.Expect, ": ")
	limit, found := 20, fmt.Sprintf("[ $code -ne 0 ] && grep -E '^([A-Za-z_.]*[.])?%s(:|$)' $said | grep -qF -- '%s'",
		class, strings.ReplaceAll(message, "'", "'\\''"))
	switch {
	case s.Expect == "hang":
		limit, found = 2, "[ $code -eq 124 ]"
	case strings.HasPrefix(s.Expect, "SIG"):
		found = "[ $code -gt 128 ]"
	}
	return fmt.Sprintf("#!/bin/sh\nprintf x >> '%s/count'\nsaid=$(mktemp)\ntimeout %d '%s' \"${1:-repro.py}\" > "+
		"/dev/null 2> $said\ncode=$?\n%s\nanswer=$?\nrm -f $said\nexit $answer\n", dir, limit, r.Path, found)
}
