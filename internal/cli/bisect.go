package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) bisect() *cobra.Command {
	var r desk.BisectRequest
	var screen bool
	c := &cobra.Command{
		Use:   "bisect FILE --package NAME",
		Short: "Find the release, or with a clone the pull request, that fixed or introduced a bug",
		Long: `Finds where in the releases of a package a program began or stopped showing its
symptom. Nothing is reported unless one release is seen to show it and another
not to. Releases that cannot be built, or that fail in another way, are listed
as not testable. Without --bad and --good the two ends are searched for, from
the newest release backwards.

With --git DIR, a clone of the project, the search continues among the commits
between the two releases, each run from its tree, and names the pull request.
That needs a package that runs without being built; otherwise commits are only
ranked.

With --cmd a command answers, as for git bisect run: exit code 0 is good, 125 means
that it cannot be tested, and others up to 127 are bad. It runs outside the sandbox,
in the tree of each commit with --git, or with each of --versions in place of {}.

Results are cached, except with --cmd: running the same command again, even
after a crash, tests no version twice.`,
		Example: `  scrub bisect repro.py --package sympy
  scrub bisect repro.py --package sympy --expect 'prints: 2*x' --bad 1.1 --good 1.9 --git ~/sympy
  scrub bisect repro.py --package xarray --versions 0.12..0.20 --json | jq -r .summary
  scrub bisect --cmd 'make -s test' --git . --good v1.0 --bad HEAD
  scrub bisect --cmd './check.sh {}' --versions 1.0,1.1,1.2,2.0`,
		Args: console.AtMost(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runBisect(c.Context(), args, r, screen) },
	}
	c.Flags().StringVar(&r.Expect, "expect", "", "the symptom: "+flags.Symptoms+" (default: how it fails)")
	c.Flags().StringVar(&r.Bad, "bad", "", "an affected version, or a day as in 2026-01-31")
	c.Flags().StringVar(&r.Good, "good", "", "an unaffected version, or a day")
	c.Flags().StringVar(&r.Within, "versions", "", "versions to search: A..B, A.. or ..B, or days; with --cmd a list A,B,C")
	c.Flags().StringVar(&r.Git, "git", "", "a clone of the project, to find the commit")
	c.Flags().StringVar(&r.Folder, "folder", "",
		"a folder of existing environments to search, instead of releases from the index")
	c.Flags().StringVar(&r.Conda, "conda", "",
		"existing conda environments to search, by name, as in pytorch-{version}")
	c.Flags().StringVar(&r.Command, "cmd", "",
		"a command that tests a version, with the exit codes of git bisect run")
	c.Flags().StringVar(&r.Profile, "profile", "", "project profile, a name or a folder")
	c.Flags().IntVarP(&r.Runs, "runs", "n", 3,
		"runs at each end of the range; one in between if both ends always give the same result")
	c.Flags().IntVarP(&r.Jobs, "jobs", "j", 0, "versions to test at once (default: one for each processor)")
	flags.Duration(c, &r.Timeout, "timeout", "time limit for one run (default: the profile's, 120s)")
	c.Flags().BoolVar(&screen, "screen", false, "show it on the whole terminal, with keys to pause and to stop")
	flags.Box(c, &r.Box)
	flags.Versions(c, &r.Versions)
	_ = c.Flags().MarkHidden("on") // it has a line of versions of its own
	return c
}

func (a *app) runBisect(ctx context.Context, args []string, r desk.BisectRequest, screen bool) (err error) {
	switch {
	case r.Runs < 1:
		return console.Usage("--runs must be at least 1")
	case r.Command == "" && len(args) != 1:
		return console.Usage("give one FILE, or --cmd")
	case r.Command != "" && len(args) > 0:
		return console.Usage("--cmd cannot be combined with FILE")
	}
	if len(args) > 0 {
		if r.Text, err = program(args[0]); err != nil {
			return err
		}
	}
	return a.With(func(d *desk.Desk) error {
		inner, done := ctx, func() {}
		if screen {
			inner, done = a.OnScreen(ctx, d, "scrub bisect "+strings.Join(args, " ")+" "+r.Versions.Package)
		}
		when, err := d.Bisect(inner, r)
		done()
		if err != nil {
			return err
		}
		return a.Answer(when, report.When(when.When))
	})
}
