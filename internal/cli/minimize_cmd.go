package cli

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
	"scrub/internal/casefile"
	"scrub/internal/reduce"
	"scrub/internal/reduce/pass"
)

// minimizeBy makes files small by a command of the person's own, which
// answers with its exit code: 0 if they are still interesting.
func (a *app) minimizeBy(ctx context.Context, names []string, f minimizeFlags) (casefile.Small, error) {
	files := bug.Files{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return casefile.Small{}, usage("%w", err)
		}
		files[filepath.Base(name)] = string(text)
	}
	if len(files) < len(names) {
		return casefile.Small{}, usage("the files must have different names: they are put into one folder")
	}
	v := a.view()
	defer v.close()
	o := command{line: f.cmd, main: filepath.Base(names[0]), limit: f.timeout}
	first, err := o.ask(ctx, files)
	if err != nil {
		return casefile.Small{}, err
	}
	if first.Answer != bug.Yes {
		return casefile.Small{}, exit{exitNo, fmt.Errorf("the command does not find the file interesting to begin with: it %s", first.Words)}
	}
	r := reduce.Reducer{
		Passes: pass.Text, Ask: o.ask, Workers: a.jobs(f.jobs), Budget: f.budget, Enough: f.enough, Saw: a.shrinking(v),
		View: func(_ context.Context, files bug.Files) (reduce.Program, error) {
			return reduce.Program{Files: files}, nil
		},
	}
	got, err := r.Reduce(ctx, files)
	small := casefile.Small{First: files, Before: reduce.SizeOf(files), After: reduce.SizeOf(got.Files), Runs: got.Asked + 1, Spared: got.Spared,
		Minimal: got.Minimal, Program: got.Files[o.main], Steps: got.Steps, ByPass: got.ByPass}
	for name, text := range got.Files {
		if name != o.main {
			if small.Others == nil {
				small.Others = bug.Files{}
			}
			small.Others[name] = text
		}
	}
	return small, err
}

// A command is a person's own oracle.
type command struct {
	line, main string
	limit      time.Duration
}

// ask runs the command in a new folder with the files in it. In its line {}
// stands for the file, or the first of several.
func (c command) ask(ctx context.Context, files bug.Files) (reduce.Verdict, error) {
	dir, err := os.MkdirTemp("", "scrub")
	if err != nil {
		return reduce.Verdict{}, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return reduce.Verdict{}, err
		}
	}
	return c.run(ctx, dir)
}

func (c command) run(ctx context.Context, dir string) (reduce.Verdict, error) {
	limited, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	cmd := exec.CommandContext(limited, "/bin/sh", "-c", strings.ReplaceAll(c.line, "{}", filepath.Join(dir, c.main)))
	cmd.Dir = dir
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return reduce.Verdict{}, context.Cause(ctx)
	case err == nil:
		return reduce.Verdict{Answer: bug.Yes, Words: "exit code 0"}, nil
	case limited.Err() != nil:
		return reduce.Verdict{Answer: bug.No, Words: "did not end in time"}, nil
	case errors.As(err, &ended):
		return reduce.Verdict{Answer: bug.No, Words: fmt.Sprintf("ended with %s", ended)}, nil
	}
	return reduce.Verdict{}, err
}
