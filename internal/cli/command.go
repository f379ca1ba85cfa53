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
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/reduce"
	"scrub/internal/reduce/pass"
)

// minimizeBy makes a file small by a command of the person's own, which
// answers with its exit code: 0 if the file is still interesting.
func (a *app) minimizeBy(ctx context.Context, names []string, f minimizeFlags) error {
	files := bug.Files{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return usage("%w", err)
		}
		files[filepath.Base(name)] = string(text)
	}
	s, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	v := a.view()
	defer v.close()
	began := a.now()
	if f.deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.deadline)
		defer cancel()
	}
	o := command{line: f.cmd, main: filepath.Base(names[0]), limit: f.timeout, log: s}
	first, err := o.ask(ctx, files)
	if err != nil {
		return err
	}
	if first.Answer != bug.Yes {
		return exit{exitNo, fmt.Errorf("the command does not find the file interesting to begin with: it %s", first.Words)}
	}
	r := reduce.Reducer{Passes: pass.Text, View: func(_ context.Context, files bug.Files) (reduce.Program, error) {
		return reduce.Program{Files: files}, nil
	},
		Ask: o.ask, Workers: a.jobs(f.jobs), Budget: f.budget, Enough: f.enough, Saw: a.shrinking(v)}
	got, err := r.Reduce(ctx, files)
	if err != nil {
		return err
	}
	small := pipeline.Small{Before: reduce.SizeOf(files), After: reduce.SizeOf(got.Files), Runs: got.Asked + 1, Seconds: a.now().Sub(began).Seconds(),
		Minimal: got.Minimal, Program: got.Files[o.main], Steps: got.Steps, ByPass: got.ByPass, Verified: true}
	v.pause()
	if f.out != "" {
		for name, text := range got.Files {
			to := f.out
			if name != o.main {
				to = filepath.Join(filepath.Dir(f.out), name)
			}
			if err := writeFile(to, text); err != nil {
				return err
			}
		}
	}
	return a.answer(small, "%s\n%d lines became %d, %d bytes %d; %d runs, %.1f s\n", small.Program, small.Before.Lines, small.After.Lines, small.Before.Bytes, small.After.Bytes, small.Runs, small.Seconds)
}

// A command is a person's own oracle.
type command struct {
	line, main string
	limit      time.Duration
	log        journal.Log
}

// ask runs the command in a new folder with the files in it. In its line {}
// stands for the file, or the first of several.
func (c command) ask(ctx context.Context, files bug.Files) (reduce.Verdict, error) {
	type question struct {
		Line  string
		Files bug.Files
	}
	return journal.Do(ctx, c.log, "command/1", question{c.line, files}, func(ctx context.Context, _ question) (reduce.Verdict, error) {
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
	})
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
