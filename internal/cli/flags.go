package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

// source is where a report comes from: a file, - or an issue.
func (a *app) source(name string, from desk.Source) (desk.Source, error) {
	in := io.Reader(a.In)
	if name == "-" {
		from.Name = "standard input"
	} else {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			from.Issue = name
			return from, nil
		}
		if err != nil {
			return from, err
		}
		defer f.Close()
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
