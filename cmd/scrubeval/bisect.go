package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/eval"
	"scrub/internal/history"
	"scrub/internal/pipeline"
	"scrub/internal/runtimes"
)

// measureBisect finds the release, and with clones the pull request, that
// fixed each report. What is known of it beforehand is the day of the report:
// the newest release of that day is taken for the one with the bug.
func measureBisect(data io.ReadSeeker, rest []string) error {
	if len(rest) == 0 {
		return errors.New("want a folder for the environments, and perhaps clones=DIR, with a clone in DIR/PACKAGE, and tiers=gold,silver")
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
	f, err := eval.Bisect(data, workers, tiers, func(d eval.Dated) (casefile.Case, error) { return fixOf(ctx, envs, clones, d) }, os.Stdout)
	fmt.Printf("\n%v", f)
	return err
}

// fixOf takes a report from its text to the change that fixed it.
func fixOf(ctx context.Context, envs *runtimes.Environments, clones string, d eval.Dated) (casefile.Case, error) {
	releases, err := envs.Index.Releases(ctx, d.Package)
	if err != nil {
		return casefile.Case{}, err
	}
	then := ""
	for _, r := range releases {
		if !r.Pre && !r.Yanked && r.Date.Before(d.Created) {
			then = r.Version
		}
	}
	newest, err := envs.Index.Newest(ctx, d.Package)
	if err != nil {
		return casefile.Case{}, err
	}
	bad := runtimes.Spec{Package: d.Package, Version: then}
	r := bug.Report{Ref: bug.Ref{Repo: d.Repo, Number: d.Number}, Title: d.Title, Body: d.Text, State: bug.Open}
	specs, err := envs.Alike(ctx, bad, runtimes.Spec{Package: d.Package, Version: newest.Version})
	if err != nil {
		return casefile.Case{}, err
	}
	return judgeBy(ctx, envs, r, specs, func(p *pipeline.Pipeline) {
		p.Workers = 2
		p.History = func(ctx context.Context, _ casefile.Case) (pipeline.Line, error) {
			return pipeline.Releases(ctx, envs, specs[0], then, newest.Version)
		}
		if clones == "" {
			return
		}
		p.Commits = func(ctx context.Context, from, to string) (pipeline.Line, []bug.Commit, error) {
			clone, err := history.Open(ctx, filepath.Join(clones, d.Package), filepath.Join(envs.Dir, "clones"))
			if err != nil {
				return pipeline.Line{}, nil, err
			}
			s := specs[0]
			s.Version = from
			base, err := envs.Get(ctx, s)
			if err != nil {
				return pipeline.Line{}, nil, err
			}
			trees := history.Trees{Clone: clone, Dir: filepath.Join(envs.Dir, "trees"), Keep: 200, Now: time.Now}
			return pipeline.Commits(ctx, trees, d.Package, from, to, base)
		}
	})
}
