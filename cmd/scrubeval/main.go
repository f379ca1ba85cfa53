// Scrubeval measures scrub on labelled reports. It is for developers.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"scrub/internal/bug"
	"scrub/internal/eval"
	"scrub/internal/runtimes"
	"scrub/internal/sandbox"
	"scrub/internal/syntax"
)

const usage = `usage: scrubeval intake|pick DATA.jsonl

  intake  compare what scrub reads in reports with what another extractor read
          ("weak" in each row), list every difference, and count them by field
  pick    count in how many reports the program that scrub would try holds the
          statement that is known to show the bug ("symptom" in each row)
`

func main() {
	sandbox.Main()
	if len(os.Args) != 3 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	measure := map[string]func(io.Reader, io.Writer) (eval.Tally, error){
		"intake": func(data io.Reader, out io.Writer) (eval.Tally, error) {
			parses, err := parser(context.Background())
			if err != nil {
				return eval.Tally{}, err
			}
			return eval.Intake(data, parses, out)
		},
		"pick": func(data io.Reader, out io.Writer) (eval.Tally, error) {
			return eval.Picks(data, []string{"gold", "silver"}, out)
		},
	}[os.Args[1]]
	if measure == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := run(os.Args[2], measure); err != nil {
		fmt.Fprintf(os.Stderr, "scrubeval: %v\n", err)
		os.Exit(1)
	}
}

// parser asks the first Python of this machine, in the box.
func parser(ctx context.Context) (eval.Parses, error) {
	found, err := runtimes.Places{}.Find(ctx, nil)
	if err != nil {
		return nil, err
	}
	var box sandbox.Native
	return func(text string) (bool, error) {
		r, err := syntax.Read(ctx, text, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
			return box.Run(ctx, sandbox.Job{Repro: repro, Runtime: found[0], Limits: sandbox.Limits{Time: 20 * time.Second, Output: 8 << 20}})
		})
		return err == nil && r.Broken == nil, err
	}, nil
}

func run(file string, measure func(io.Reader, io.Writer) (eval.Tally, error)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := measure(f, os.Stdout)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Printf("\n%d reports\n%-10s %6s %6s\n", t.Reports, "", "agree", "differ")
	for _, name := range slices.Sorted(maps.Keys(t.Agree)) {
		fmt.Printf("%-10s %6d %6d\n", name, t.Agree[name], t.Differ[name])
	}
	return nil
}
