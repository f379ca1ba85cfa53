package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/mcp"
)

// measureTokens compares what an agent is told of reports and programs with what it would have to paste for the same
// facts: the thread, and what the runs printed that these facts were measured by. A token is taken for four bytes.
func measureTokens(args []string) error {
	if len(args) < 2 {
		return errors.New("want a folder of reports and a Python")
	}
	files, err := filepath.Glob(filepath.Join(args[0], "*.md"))
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f string) bool { return filepath.Base(f) == "README.md" })
	return measured(func(d *desk.Desk) error {
		var shares []float64
		for _, f := range files {
			told, raw, err := tokensOf(context.Background(), d, f, args[1:])
			if err != nil {
				fmt.Printf("%s\tERROR\t%v\n", filepath.Base(f), err)
				continue
			}
			shares = append(shares, float64(raw)/float64(told))
			fmt.Printf("%s\t%d tokens told\t%d raw\t%.1f times\n", filepath.Base(f), told/4, raw/4, shares[len(shares)-1])
		}
		slices.Sort(shares)
		if n := len(shares); n > 0 {
			fmt.Printf("%d cases: median %.1f times less, from %.1f to %.1f\n", n, shares[n/2], shares[0], shares[n-1])
		}
		return nil
	})
}

// tokensOf is how many bytes an agent is told of a report, and how many the thread and all runs have.
func tokensOf(ctx context.Context, d *desk.Desk, file string, pythons []string) (told, raw int, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	report, err := desk.Parse(filepath.Base(file), strings.NewReader(string(text)))
	if err != nil {
		return 0, 0, err
	}
	raw = len(report.Title) + len(strings.Join(report.Posts(), "\n"))
	printed := 0
	d.Machine.Ran = func(o bug.Outcome) { printed += len(o.Stdout) + len(o.Stderr) }
	c, err := d.Issue(ctx, desk.IssueRequest{Source: desk.Source{Report: &report, Name: report.Title, Offline: true},
		Pythons: pythons, ApproveClean: true, Why: true})
	return len(mcp.Brief(c)), raw + printed, err
}
