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
	v, err := eval.Reproduce(data, workers, func(r bug.Report, name, older, newer string) (casefile.Case, error) {
		return judge(context.Background(), envs, r, runtimes.Spec{Package: name, Version: older}, runtimes.Spec{Package: name, Version: newer})
	}, os.Stdout)
	fmt.Printf("\n%v", v)
	return err
}

func environments(ctx context.Context, dir string) (*runtimes.Environments, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	places := runtimes.Places{Home: home}
	pythons := places.All(ctx)
	if len(pythons) == 0 {
		return nil, runtimes.ErrNone
	}
	index, err := places.FindIndex(ctx, "", pythons[len(pythons)-1])
	uv, _ := exec.LookPath("uv") // pip does it too
	return &runtimes.Environments{Dir: dir, UV: uv, Pythons: pythons, Index: index, Source: true, Places: places,
		Tell: func(s string) { fmt.Fprintln(os.Stderr, s) }}, err
}

// judge takes a report through all steps on some releases, as if a person
// had agreed to run it.
func judge(ctx context.Context, envs *runtimes.Environments, r bug.Report, specs ...runtimes.Spec) (casefile.Case, error) {
	specs, err := envs.Alike(ctx, specs...)
	if err != nil {
		return casefile.Case{}, err
	}
	return judgeBy(ctx, envs, r, specs, func(*pipeline.Pipeline) {})
}

// judgeBy does so with a pipeline that is set up further.
func judgeBy(ctx context.Context, envs *runtimes.Environments, r bug.Report, specs []runtimes.Spec, set func(*pipeline.Pipeline)) (casefile.Case, error) {
	var all []bug.Runtime
	for _, spec := range specs {
		env, err := envs.Get(ctx, spec)
		if err != nil {
			return casefile.Case{}, err
		}
		all = append(all, env)
	}
	prof, err := profile.ForRepo(r.Ref.Repo)
	if err != nil {
		return casefile.Case{}, err
	}
	p := pipeline.Pipeline{
		Profile: prof, Box: sandbox.Native{}, Log: new(journal.Mem), Times: 3, Limits: sandbox.Limits{Time: 60 * time.Second, Memory: 4 << 30},
		Aside:    []string{"feature", "question", "docs", "refactor", "build", "hardware", "setup"},
		Runtimes: func(context.Context, []string) ([]bug.Runtime, error) { return all, nil },
		Decide: func(context.Context, casefile.Case) (casefile.Consent, error) {
			return casefile.Consent{Said: casefile.Proceed, By: "the evaluation"}, nil
		},
		Now: func() time.Time { return time.Time{} }, Tell: func(pipeline.Event) {},
	}
	set(&p)
	return p.Issue(ctx, r)
}
