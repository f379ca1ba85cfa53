package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/report"
)

// source is where a report comes from: a file, - or an issue.
func (a *app) source(name string, from desk.Source) (desk.Source, error) {
	in := io.Reader(a.In)
	if name == "-" {
		if from.Name = "standard input"; a.InTTY {
			a.Note("reading a report from the terminal; Ctrl-D ends it")
		}
	} else {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			from.Issue = name
			return from, nil
		}
		if err != nil {
			return from, console.Usage("%w", err)
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			return from, console.Usage("%s is a folder; for all reports in it: %s", name, report.Shell("scrub", "sweep", name))
		}
		from.Name, in = name, f
	}
	r, err := desk.Parse(from.Name, in)
	from.Name, from.Report = name, &r
	return from, err
}

// program reads a file that is a program.
func program(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", console.Usage("%w", err)
	}
	defer f.Close()
	return desk.Text(name, f)
}

// each does something with every report that names say; one that cannot be read does
// not hold up the others. A folder is all reports in it.
func (a *app) each(names []string, do func(name string) error) error {
	all, err := inFolders(names)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range all {
		if err := do(name); err != nil {
			if len(all) == 1 {
				return err
			}
			a.Note("%v", err)
			errs = append(errs, err)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	rest := fmt.Errorf("%s of %d could not be read", bug.Count(len(errs), "report"), len(all))
	var first console.Exit
	var no refusal.Refusal
	switch {
	case errors.As(errs[0], &first):
		return console.Ends(first.Code, rest)
	case errors.As(errs[0], &no):
		return refusal.Refusal{Kind: no.Kind, Err: rest}
	}
	return rest
}

// inFolders are names, and in the place of a folder the reports in it.
func inFolders(names []string) (all []string, err error) {
	for _, name := range names {
		st, err := os.Stat(name)
		if err != nil || !st.IsDir() {
			all = append(all, name)
			continue
		}
		var found []string
		for _, form := range []string{"*.md", "*.json", "*.py"} {
			some, err := filepath.Glob(filepath.Join(name, form))
			if err != nil {
				return nil, console.Usage("%s: %w", name, err)
			}
			found = append(found, some...)
		}
		if len(found) == 0 {
			return nil, console.Usage("%s: there is no .md, .json or .py file in this folder", name)
		}
		slices.Sort(found)
		all = append(all, found...)
	}
	return all, nil
}

// atLeast checks that a command has arguments.
func atLeast(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return console.Usage("%s needs at least one %s; see %s -h", c.CommandPath(), what, c.CommandPath())
		}
		return nil
	}
}

// writeFile writes what a person wants to have in a file.
func writeFile(name, text string) error {
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		return console.Usage("%w", err)
	}
	return nil
}
