package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/desk"
	"scrub/internal/eval"
)

func measureReproduce(data io.ReadSeeker, rest []string) error {
	if len(rest) != 1 {
		return errors.New("want a folder for the environments")
	}
	return measured(func(d *desk.Desk) error {
		v, err := eval.Reproduce(data, workers, func(r bug.Report, name, older, newer string) (casefile.Case, error) {
			return issue(context.Background(), d, on(r, rest[0], name, older, newer))
		}, os.Stdout)
		fmt.Printf("\n%v", v)
		return err
	})
}
