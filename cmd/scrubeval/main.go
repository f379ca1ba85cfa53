// Scrubeval measures scrub on labelled reports. It is for developers.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"scrub/internal/eval"
)

const usage = `usage: scrubeval intake DATA.jsonl

  intake  compare what scrub reads in reports with what another extractor read
          ("weak" in each row), list every difference, and count them by field
`

func main() {
	if len(os.Args) != 3 || os.Args[1] != "intake" {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := intake(os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "scrubeval: %v\n", err)
		os.Exit(1)
	}
}

func intake(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := eval.Intake(f, os.Stdout)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Printf("\n%d reports\n%-10s %6s %6s\n", t.Reports, "field", "agree", "differ")
	for _, name := range slices.Sorted(maps.Keys(t.Agree)) {
		fmt.Printf("%-10s %6d %6d\n", name, t.Agree[name], t.Differ[name])
	}
	return nil
}
