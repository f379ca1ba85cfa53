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
)

// measureRegress writes regression tests for reports whose fix is known.
// Those that are proven are kept in the folder, if one is given.
func measureRegress(data io.ReadSeeker, rest []string) error {
	if len(rest) == 0 {
		return errors.New("want a folder for the environments")
	}
	ctx := context.Background()
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
	return measured(func(d *desk.Desk) error {
		t, err := eval.Regress(data, workers, tiers,
			func(r bug.Report, name, older, newer string) (casefile.Case, error) {
				request := on(r, rest[0], name, older, newer)
				request.Test = true
				c, err := issue(ctx, d, request)
				if err == nil && out != "" && c.Regression != nil && c.Regression.Proven {
					err = os.WriteFile(filepath.Join(out, c.Regression.Test.File), []byte(c.Regression.Test.Text),
						0o644)
				}
				return c, err
			}, os.Stdout)
		fmt.Print(t)
		return err
	})
}
