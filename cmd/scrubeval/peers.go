package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"scrub/internal/bug"
	"scrub/internal/reduce"
)

// peers are other reducers, run as their users run them: with a script that
// starts the program and looks for its symptom, cold.
type peers struct {
	names []string
	limit time.Duration
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
    return subprocess.run(["./test.sh", "candidate.py"]).returncode == 0
best = minimize(open("repro.py").read(), interesting)
open("repro.py", "w").write(best)
`

func (p peers) run(ctx context.Context, name string, s sample, r bug.Runtime) (shrunk, error) {
	got := shrunk{tool: name, ended: "finished"}
	dir, err := os.MkdirTemp("", "peer")
	if err != nil {
		return got, err
	}
	defer os.RemoveAll(dir)
	for file, text := range map[string]string{"repro.py": s.Text, "test.sh": s.script(r, dir), "minimize.py": pysourceDriver} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o755); err != nil {
			return got, err
		}
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", peerCommands[name])
	cmd.Dir = dir
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.CombinedOutput()
	switch {
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

// script is what a user of a peer would write.
func (s sample) script(r bug.Runtime, dir string) string {
	class, message, _ := strings.Cut(s.Expect, ": ")
	limit, found := 20, fmt.Sprintf("[ $code -ne 0 ] && grep -E '^([A-Za-z_.]*[.])?%s(:|$)' $said | grep -qF -- '%s'", class, strings.ReplaceAll(message, "'", "'\\''"))
	switch {
	case s.Expect == "hang":
		limit, found = 2, "[ $code -eq 124 ]"
	case strings.HasPrefix(s.Expect, "SIG"):
		found = "[ $code -gt 128 ]"
	}
	return fmt.Sprintf("#!/bin/sh\nprintf x >> '%s/count'\nsaid=$(mktemp)\ntimeout %d '%s' \"${1:-repro.py}\" > /dev/null 2> $said\ncode=$?\n%s\nanswer=$?\nrm -f $said\nexit $answer\n", dir, limit, r.Path, found)
}
