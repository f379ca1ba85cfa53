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
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/eval"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/intake"
)

// measureCulprit ranks the commits between the two releases of each report by
// evidence alone: nothing is run.
func measureCulprit(data io.ReadSeeker, rest []string) error {
	if len(rest) != 1 {
		return errors.New("want a folder with clones, named as their packages")
	}
	ctx := context.Background()
	r, err := eval.Ranked(data, []string{"gold", "silver"}, func(d eval.Dated) ([]culprit.Suspect, error) {
		clone, err := history.Open(ctx, filepath.Join(rest[0], d.Package), filepath.Join(os.TempDir(), "scrub-clones"))
		if err != nil {
			return nil, err
		}
		from, err := clone.Release(ctx, d.Package, d.Buggy)
		if err != nil {
			return nil, err
		}
		to, err := clone.Release(ctx, d.Package, d.Fixed)
		if err != nil {
			return nil, err
		}
		commits, err := clone.Line(ctx, from, to)
		if err != nil {
			return nil, err
		}
		return culprit.Rank(clueOf(d), commits), nil
	}, os.Stdout)
	fmt.Printf("\n%v", r)
	return err
}

// clueOf is what a report alone says of where its bug lies.
func clueOf(d eval.Dated) culprit.Clue {
	t := intake.Read(bug.Report{Title: d.Title, Body: d.Text})
	clue := culprit.Clue{Number: d.Number, Title: d.Title}
	for _, e := range t.Exceptions {
		for _, f := range e.Frames {
			if at := strings.LastIndex(f.File, d.Package+"/"); at >= 0 {
				clue.Files = append(clue.Files, f.File[at:])
			}
			clue.Symbols = append(clue.Symbols, f.Func)
		}
	}
	for _, p := range t.Programs {
		clue.Symbols = append(clue.Symbols, p.Text)
	}
	return clue
}
