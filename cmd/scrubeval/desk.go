package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// workers is how many reports are looked at at once.
const workers = 2

// measured has f work with a desk as users have one, except that a person has
// agreed to everything and nothing is remembered from before.
func measured(f func(d *desk.Desk) error) (err error) {
	dir, err := os.MkdirTemp("", "scrubeval-")
	if err != nil {
		return err
	}
	m, err := here(dir)
	if err != nil {
		return err
	}
	d := &desk.Desk{
		Machine: m,
		State:   filepath.Join(dir, "scrub.db"), User: "the evaluation", Now: time.Now,
		MayRun: desk.Agree,
	}
	defer func() { err = errors.Join(err, d.Close(), os.RemoveAll(dir)) }()
	return f(d)
}

// installs shows what is being installed, which takes the longest.
func installs(e event.Event) {
	if e.Step == "install" {
		fmt.Fprintln(os.Stderr, e.Text)
	}
}

// on is a request about a report on some releases of a package.
func on(r bug.Report, envs, name string, versions ...string) desk.IssueRequest {
	return desk.IssueRequest{
		Source:   desk.Source{Report: &r, Name: r.Ref.String()},
		Versions: desk.Versions{On: versions, Package: name, AllowSource: true, Environments: envs, Disk: plenty},
	}
}

// issue takes a report through all steps.
func issue(ctx context.Context, d *desk.Desk, r desk.IssueRequest) (casefile.Case, error) {
	c, err := d.Issue(ctx, r)
	return c.Case, err
}

// environments are for what is looked up beside what users run: releases by
// their dates, and interpreters by their versions.
func environments(ctx context.Context, dir string) (*runtimes.Environments, error) {
	m, err := here(dir)
	if err != nil {
		return nil, err
	}
	return m.Environments(ctx, desk.Box{}, desk.Versions{Environments: dir, AllowSource: true, Disk: plenty})
}

// plenty is how many GiB environments may hold: none of them is to go while it is
// measured.
const plenty = 1 << 20

// here is this machine, of which nothing is told but the home folder.
func here(cache string) (*machine.Machine, error) {
	home, err := os.UserHomeDir()
	return &machine.Machine{
		Home: home, Cache: cache, Now: time.Now, Token: func(context.Context, string) string { return "" }, Tell: installs,
	}, err
}
