package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/eval"
)

func measureReproduce(data io.ReadSeeker, rest []string) error {
	if len(rest) == 0 {
		return errors.New("want a folder for the environments")
	}
	asks, runs, state, profile := eval.Asks{Workers: workers, Pair: eval.Adjacent}, 0, "", ""
	for _, arg := range rest[1:] {
		key, value, _ := strings.Cut(arg, "=")
		switch key {
		case "batch":
			n, err := strconv.Atoi(value)
			if err != nil {
				return err
			}
			asks.Batch = n
		case "workers", "runs":
			n, err := strconv.Atoi(value)
			if err != nil {
				return err
			}
			*map[string]*int{"workers": &asks.Workers, "runs": &runs}[key] = n
		case "pair":
			asks.Pair = eval.Pair(value)
			if !slices.Contains([]eval.Pair{eval.Adjacent, eval.Later, eval.Users}, asks.Pair) {
				return fmt.Errorf("%s: want adjacent, later or users", arg)
			}
		case "state":
			state = value
		case "profile":
			profile = value
		case "keep":
			f, err := os.OpenFile(value, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			if err != nil {
				return err
			}
			defer f.Close()
			asks.Keep = f
		default:
			return fmt.Errorf("%s: no such setting", arg)
		}
	}
	return measured(func(d *desk.Desk) error {
		if state != "" {
			d.State = state
		}
		v, err := eval.Reproduce(data, asks, func(r bug.Report, name, older, newer string) (casefile.Case, error) {
			request := on(r, rest[0], name, older, newer)
			request.Runs, request.Yes, request.NoBisect, request.Profile = runs, true, true, profile
			return issue(context.Background(), d, request)
		}, os.Stdout)
		fmt.Printf("\n%v", v)
		return err
	})
}
