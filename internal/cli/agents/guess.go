package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/guessed"
	"github.com/scrub-dev/scrub/internal/report"
)

// A CompleteFunc fills in what a source and the flags of a report say.
type CompleteFunc func(source string, r *desk.IssueRequest, modified string) error

// Guess is the command that measures what somebody made up.
func Guess(on *console.Console, complete CompleteFunc) *cobra.Command {
	var r guessed.Request
	var program, from string
	var files []string
	c := &cobra.Command{
		Use:   "guess SOURCE --quote TEXT",
		Short: "Measure a guess: a program, what goes wrong, which difference a report means",
		Long: `For a report that has no program, or says in prose what goes wrong, propose what
is missing: a program with what it shows (--program, --expect), what the report's own
program shows (--expect), a file that it reads (--file), the version that it is about
(--reported), or which of several observed differences it means (--statement). Quote
the report's own words that it rests on.

A guess is accepted only if it is borne out: it shows on one version and not on
another, or the report has the very words of what it shows. A program that somebody
made up must besides get it from the library that the report is about: it may not
raise or print it itself, ask which version it runs on, or take another way there.
The case then says that it was made up, and by whom; nothing of it is posted, and
the author is asked for a program. The exit code is 4 if it is not accepted.`,
		Example: `  scrub guess octo/snail#7 --program try.py --expect 'ValueError: too slow' --quote 'it says that it is too slow' --on reported,newest
  scrub guess report.md --expect 'prints: nan' --quote 'the result is nan instead of 0' --python old/bin/python --python new/bin/python
  scrub guess report.md --statement 'x.mean()' --quote 'mean() is off by one' --on 1.2,newest --json | jq .accepted`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := complete(args[0], &r.IssueRequest, ""); err != nil {
				return err
			}
			if err := read(&r, program, from, files); err != nil {
				return err
			}
			r.Guess.By = strings.TrimPrefix(r.Guess.By+" for "+on.Who(), " for ")
			r.Guess.Expect = cmp.Or(r.Expect, r.Guess.Expect)
			return on.With(func(d *desk.Desk) error { return measure(c.Context(), on, d, r) })
		},
	}
	modified := ""
	flags.Issue(c, &r.IssueRequest, &modified)
	for _, name := range []string{"modified", "test", "fixed", "checkout", "minimize", "why"} {
		c.Flags().Lookup(name).Hidden = true
	}
	c.Flags().StringVar(&r.Guess.Quote, "quote", "", "the report's own words that the guess rests on")
	c.Flags().StringVar(&program, "program", "", "a file with a program in the place of the report's")
	c.Flags().StringArrayVar(&files, "file", nil, "a file that the program reads, by the name that it has there; may be "+
		"given several times")
	c.Flags().StringVar(
		&from,
		"from",
		"",
		"a JSON file with all of it, as an agent writes it: by, quote, program, files, "+
			"expect, version, statement",
	)
	c.Flags().StringVar(&r.Guess.Version, "reported", "", "the version that the report is about")
	c.Flags().StringVar(
		&r.Guess.Statement,
		"statement",
		"",
		"the statement whose difference between two versions is meant",
	)
	return c
}

// read reads the files that the flags name.
func read(r *guessed.Request, program, from string, files []string) error {
	if from != "" {
		f, err := os.Open(from)
		if err != nil {
			return console.Usage("%w", err)
		}
		defer f.Close()
		said := r.Guess
		d := json.NewDecoder(io.LimitReader(f, 1<<20))
		d.DisallowUnknownFields()
		if err := d.Decode(&r.Guess); err != nil {
			return console.Usage("%s: %w", from, err)
		}
		// What the command says itself counts.
		r.Guess.Quote, r.Guess.Version = cmp.Or(said.Quote, r.Guess.Quote), cmp.Or(said.Version, r.Guess.Version)
		r.Guess.Statement = cmp.Or(said.Statement, r.Guess.Statement)
	}
	if program != "" {
		text, err := os.ReadFile(program)
		if err != nil {
			return console.Usage("%w", err)
		}
		r.Guess.Program = string(text)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return console.Usage("%w", err)
		}
		if r.Guess.Files == nil {
			r.Guess.Files = bug.Files{}
		}
		r.Guess.Files[filepath.Base(name)] = string(text)
	}
	return nil
}

func measure(ctx context.Context, on *console.Console, d *desk.Desk, r guessed.Request) error {
	got, err := guessed.Desk{Desk: d}.Guess(ctx, r)
	if err != nil {
		return err
	}
	if err := on.Answer(got, Told(got)); err != nil {
		return err
	}
	switch {
	case got.Waits():
		return console.Ends(console.Undecided, fmt.Errorf("a person must decide: %s", d.HowToDecide(got.Case, r.Source)))
	case !got.Accepted:
		return console.Ends(console.No, nil)
	}
	on.Last(string(got.Case.Verdict), got.Case.Reason)
	return nil
}

// Told says what came of a guess.
func Told(g guessed.Guessed) string {
	var b strings.Builder
	switch {
	case g.Accepted:
		fmt.Fprintf(&b, "Accepted: %s. %s\n", g.Case.Verdict, report.Clean(g.Case.Reason))
	case g.Waits():
		b.WriteString("Not measured: a person must agree to this program first.\n")
	default:
		b.WriteString("Not accepted.\n")
	}
	for _, why := range g.For {
		fmt.Fprintf(&b, "  + %s\n", report.Clean(why))
	}
	for _, o := range g.Against {
		fmt.Fprintf(&b, "  - %s: %s\n", o.Kind, report.Clean(o.Why))
	}
	if !g.Accepted && len(g.Seen) > 0 {
		b.WriteString("Statements that two versions do differently (--statement):\n")
		for _, s := range g.Seen {
			fmt.Fprintf(&b, "  %s\n", report.Clean(bug.Squeeze(s.Statement)))
		}
	}
	return b.String()
}
