// Scrubeval measures scrub on labelled reports. It is for developers.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"scrub/internal/eval"
)

const usage = `usage: scrubeval intake|pick DATA.jsonl

  intake  compare what scrub reads in reports with what another extractor read
          ("weak" in each row), list every difference, and count them by field
  pick    count in how many reports the program that scrub would try holds the
          statement that is known to show the bug ("symptom" in each row)
`

func main() {
	if len(os.Args) != 3 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	measure := map[string]func(io.Reader, io.Writer) (eval.Tally, error){
		"intake": eval.Intake,
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
