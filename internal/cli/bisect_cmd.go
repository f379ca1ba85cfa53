package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"scrub/internal/bisect"
	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/culprit"
	"scrub/internal/history"
	"scrub/internal/pipeline"
)

// The exit codes of git bisect run.
const (
	isGood     = 0
	cannotTest = 125
	lastBad    = 127
)

// bisectBy lets a command of the person's own answer: for versions in its
// line, or in the tree of each commit of a clone.
func (a *app) bisectBy(ctx context.Context, v *view, f bisectFlags) (*casefile.When, error) {
	when := &casefile.When{Of: "version"}
	var commits []bug.Commit
	var trees history.Trees
	bad, good := 0, 0
	if f.git != "" {
		if f.bad == "" || f.good == "" {
			return nil, usage("with --git the command needs both ends: say --good COMMIT and --bad COMMIT")
		}
		clone, err := history.Open(ctx, f.git)
		if err != nil {
			return nil, usage("--git: %w", err)
		}
		if commits, bad, good, err = between(ctx, clone, f.bad, f.good); err != nil {
			return nil, usage("%w", err)
		}
		trees = history.Trees{Clone: clone, Dir: a.cacheDir("trees"), Keep: 50, Now: a.now}
		when.Of = "commit"
		for _, c := range commits {
			when.Versions = append(when.Versions, c.ID)
		}
	} else {
		when.Versions = strings.Split(f.within, ",")
		if bad, good = len(when.Versions)-1, 0; len(when.Versions) < 2 {
			return nil, usage("want --git DIR, or --versions with some versions, oldest first and separated by commas")
		}
	}
	s := bisect.Search{N: len(when.Versions), Bad: bad, Good: good, Workers: a.jobs(f.jobs), Saw: func(_, i int, k bisect.Known) {
		v.tell(pipeline.Event{Step: "when", Text: fmt.Sprintf("%s: %v, %s", when.Versions[i], k.Answer, k.Why), Done: true})
	}}
	s.Ask = func(ctx context.Context, i int) (bisect.Known, error) {
		dir := "."
		if f.git != "" {
			var err error
			if dir, err = trees.Whole(ctx, when.Versions[i]); err != nil {
				return bisect.Known{}, err
			}
		}
		ctx, cancel := context.WithTimeout(ctx, f.timeout)
		defer cancel()
		return judged(ctx, strings.ReplaceAll(f.cmd, "{}", when.Versions[i]), dir)
	}
	var err error
	if when.Found, err = s.Run(ctx); err != nil {
		if errors.Is(err, bisect.ErrNotShown) || errors.Is(err, bisect.ErrShown) {
			when.Why = fmt.Sprintf("Cannot verify: %v.", err)
			return when, nil
		}
		return nil, err
	}
	if c := when.Found.Found; c != nil && f.git != "" {
		when.Suspects = culprit.Rank(culprit.Clue{}, commits[c.From+1:c.To+1])
		own := *when
		own.Commits, own.Suspects = nil, nil
		when.Commits = &own
	}
	return when, nil
}

// between are the commits from one end to the other, with that which they
// build on, and where the two are.
func between(ctx context.Context, clone history.Clone, bad, good string) (commits []bug.Commit, atBad, atGood int, err error) {
	from, err := clone.Resolve(ctx, bad)
	if err != nil {
		return nil, 0, 0, err
	}
	to, err := clone.Resolve(ctx, good)
	if err != nil {
		return nil, 0, 0, err
	}
	base, err := clone.Base(ctx, from, to)
	if err != nil {
		return nil, 0, 0, err
	}
	tip := to
	if base == to {
		tip = from
	}
	commits, err = clone.Line(ctx, base, tip)
	commits = append([]bug.Commit{{ID: base}}, commits...)
	if tip == to {
		return commits, 0, len(commits) - 1, err
	}
	return commits, len(commits) - 1, 0, err
}

// judged runs a command and reads its exit code.
func judged(ctx context.Context, line, dir string) (bisect.Known, error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Dir = dir
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	err := cmd.Run()
	var code *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return bisect.Known{Why: "it took too long"}, nil
	case ctx.Err() != nil:
		return bisect.Known{}, context.Cause(ctx)
	case err == nil:
		return bisect.Known{Answer: bug.No, Sure: 1, Why: "exit code 0"}, nil
	case !errors.As(err, &code):
		return bisect.Known{}, err
	}
	why := fmt.Sprintf("exit code %d", code.ExitCode())
	switch n := code.ExitCode(); {
	case n == cannotTest:
		return bisect.Known{Why: why + ": it cannot be tested"}, nil
	case n > isGood && n <= lastBad:
		return bisect.Known{Answer: bug.Yes, Sure: 1, Why: why}, nil
	}
	return bisect.Known{}, fmt.Errorf("the command ended with %v: as for git bisect run, that ends the search", code)
}

// cacheDir is a folder of the user's cache.
func (a *app) cacheDir(name string) string {
	cache := a.getenv("XDG_CACHE_HOME")
	if cache == "" {
		cache = filepath.Join(a.getenv("HOME"), ".cache")
	}
	return filepath.Join(cache, "scrub", name)
}
