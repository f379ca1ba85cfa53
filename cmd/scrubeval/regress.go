package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/eval"
	"scrub/internal/pipeline"
	"scrub/internal/runtimes"
)

// measureRegress writes regression tests for reports whose fix is known.
// Those that are proven are kept in the folder, if one is given.
func measureRegress(data io.ReadSeeker, rest []string) error {
	if len(rest) == 0 {
		return errors.New("want a folder for the environments")
	}
	ctx := context.Background()
	envs, err := environments(ctx, rest[0])
	if err != nil {
		return err
	}
	tiers, out := []string{"gold"}, ""
	for _, arg := range rest[1:] {
		switch key, value, _ := strings.Cut(arg, "="); key {
		case "tiers":
			tiers = strings.Split(value, ",")
		case "out":
			out = value
		default:
			return fmt.Errorf("%q: want tiers=gold,silver or out=DIR", arg)
		}
	}
	t, err := eval.Regress(data, workers, tiers, func(r bug.Report, name, older, newer string) (casefile.Case, error) {
		specs, err := envs.Alike(ctx, runtimes.Spec{Package: name, Version: older}, runtimes.Spec{Package: name, Version: newer})
		if err != nil {
			return casefile.Case{}, err
		}
		c, err := judgeBy(ctx, envs, r, specs, func(p *pipeline.Pipeline) { p.Test, p.Parser = true, envs.Places.Parser })
		if err == nil && out != "" && c.Regression != nil && c.Regression.Proven {
			err = os.WriteFile(filepath.Join(out, c.Regression.Test.File), []byte(c.Regression.Test.Text), 0o644)
		}
		return c, err
	}, os.Stdout)
	fmt.Print(t)
	return err
}
