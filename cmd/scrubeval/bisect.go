package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/eval"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// measureBisect finds the release, and with clones the pull request, that
// fixed each report. What is known of it beforehand is the day of the report:
// the newest release of that day is taken for the one with the bug.
func measureBisect(data io.ReadSeeker, rest []string) error {
	if len(rest) == 0 {
		return errors.New("want a folder for the environments, and perhaps clones=DIR, with a clone in DIR/PACKAGE, " +
			"and tiers=gold,silver")
	}
	ctx := context.Background()
	envs, err := environments(ctx, rest[0])
	if err != nil {
		return err
	}
	clones, tiers := "", []string{"gold", "silver"}
	for _, arg := range rest[1:] {
		switch key, value, _ := strings.Cut(arg, "="); key {
		case "clones":
			clones = value
		case "tiers":
			tiers = strings.Split(value, ",")
		}
	}
	return measured(func(d *desk.Desk) error {
		f, err := eval.Bisect(data, workers, tiers, func(row eval.Dated) (casefile.Case, error) {
			r, err := fixOf(ctx, envs, clones, row)
			if err != nil {
				return casefile.Case{}, err
			}
			return issue(ctx, d, r)
		}, os.Stdout)
		fmt.Printf("\n%v", f)
		return err
	})
}

// fixOf asks for the change that fixed a report, from the newest release of
// its day on.
func fixOf(ctx context.Context, envs *runtimes.Environments, clones string, d eval.Dated) (desk.IssueRequest, error) {
	releases, err := envs.Index.Releases(ctx, d.Package)
	if err != nil {
		return desk.IssueRequest{}, err
	}
	then := ""
	for _, r := range releases {
		if !r.Pre && !r.Yanked && r.Date.Before(d.Created) {
			then = r.Version
		}
	}
	about := bug.Report{Ref: bug.Ref{Repo: d.Repo, Number: d.Number}, Title: d.Title, Body: d.Text, State: bug.Open}
	r := on(about, envs.Dir, d.Package, then, "newest")
	if clones != "" {
		r.Git = filepath.Join(clones, d.Package)
	}
	return r, nil
}
