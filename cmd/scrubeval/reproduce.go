package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/eval"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/profile"
	"scrub/internal/runtimes"
	"scrub/internal/sandbox"
)

// workers is how many reports are looked at at once.
const workers = 2

func measureReproduce(data io.ReadSeeker, rest []string) error {
	if len(rest) != 1 {
		return errors.New("want a folder for the environments")
	}
	envs, err := environments(context.Background(), rest[0])
	if err != nil {
		return err
	}
	v, err := eval.Reproduce(data, workers, func(r bug.Report, name, version string) (casefile.Verdict, string) {
		return judge(context.Background(), envs, r, runtimes.Spec{Package: name, Version: version})
	}, os.Stdout)
	fmt.Printf("\n%v", v)
	return err
}

func environments(ctx context.Context, dir string) (*runtimes.Environments, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	places := runtimes.Places{Home: os.Getenv("HOME")}
	pythons := places.All(ctx)
	if len(pythons) == 0 {
		return nil, runtimes.ErrNone
	}
	index, err := runtimes.FindIndex(ctx, os.Getenv("PIP_INDEX_URL"), pythons[len(pythons)-1].Path)
	uv, _ := exec.LookPath("uv") // pip does it too
	return &runtimes.Environments{Dir: dir, UV: uv, Pythons: pythons, Index: index, Source: true, Places: places,
		Tell: func(s string) { fmt.Fprintln(os.Stderr, s) }}, err
}

// judge takes a report through all steps on one release, as if a person had
// agreed to run it.
func judge(ctx context.Context, envs *runtimes.Environments, r bug.Report, spec runtimes.Spec) (casefile.Verdict, string) {
	env, err := envs.Get(ctx, spec)
	if err != nil {
		return casefile.CannotRun, err.Error()
	}
	prof, err := profile.ForRepo(r.Ref.Repo)
	if err != nil {
		return casefile.CannotRun, err.Error()
	}
	p := pipeline.Pipeline{
		Profile: prof, Box: sandbox.Native{}, Log: new(journal.Mem), Times: 3, Limits: sandbox.Limits{Time: 60 * time.Second, Memory: 4 << 30},
		Aside:    []string{"feature", "question", "docs", "refactor", "build", "hardware", "setup"},
		Runtimes: func(context.Context, []string) ([]bug.Runtime, error) { return []bug.Runtime{env}, nil },
		Decide: func(context.Context, casefile.Case) (casefile.Consent, error) {
			return casefile.Consent{Said: casefile.Proceed, By: "the evaluation"}, nil
		},
		Now: time.Now, Tell: func(pipeline.Event) {},
	}
	c, err := p.Issue(ctx, r)
	if err != nil {
		return casefile.CannotRun, err.Error()
	}
	return c.Verdict()
}
