package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/desk"
	"scrub/internal/report"
)

// minimizeFlags are the flags of scrub minimize.
type minimizeFlags struct {
	request      desk.MinimizeRequest
	report       desk.IssueRequest
	issue        string
	out, history string
}

func (a *app) minimize() *cobra.Command {
	var f minimizeFlags
	r := &f.request
	c := &cobra.Command{
		Use:   "minimize FILE…",
		Short: "Make a program as small as it gets while it still shows its bug",
		Long: `Makes a Python program smaller as long as it shows the same symptom, out of
the same operation, and says why each part that is left must stay.

Without --expect the symptom is taken from the first run and shown. It looks
before it cuts: one run under observation tells which lines run, which values
never vary, what the failing call was called with, and what the program asks
of its libraries in the end.

Of several files the first is the program and the others are modules of its
own, which are put into it.

With --cmd it makes files of any language smaller by a command of your own,
which says with exit code 0 that they are still interesting, as for C-Vise and
Shrink Ray. It runs in a new folder with the files in it, outside the box.

Ctrl-C prints the best so far. What was asked is remembered: the same command
again goes on where it stopped, and --fresh looks again. With --cmd nothing is
remembered, since nobody knows what a command depends on.`,
		Example: `  scrub minimize repro.py
  scrub minimize repro.py --expect 'RuntimeError: mat1 and mat2 shapes cannot be multiplied' -o small.py
  scrub minimize repro.py --python ./old/bin/python --passes-on ./new/bin/python   # keep what is a regression
  scrub minimize repro.py --json | jq -r .program
  scrub minimize main.py helpers.py model/net.py
  scrub minimize --issue report.md --approve-clean
  scrub minimize crash.c --cmd './interesting.sh {}' -j 8 -o small.c`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return a.runMinimize(c.Context(), args, f) },
	}
	c.Flags().StringVar(&r.Expect, "expect", "", "the symptom to keep: "+symptoms)
	c.Flags().StringVar(&r.Python, "python", "", "interpreter to run it with")
	c.Flags().StringVar(&r.PassesOn, "passes-on", "", "another interpreter, on which the program must end normally")
	c.Flags().StringVar(&r.Profile, "profile", "", "what is known about the project: a name or a folder")
	c.Flags().StringArrayVar(&r.Keep, "keep", nil, "a pattern: lines that match it stay")
	c.Flags().StringVar(&f.issue, "issue", "", "take the program and the symptom from a report: what scrub issue takes")
	c.Flags().StringVar(&f.report.Source.Forge, "forge", "", "a folder to use as the forge, for --issue")
	c.Flags().BoolVar(&f.report.ApproveClean, "approve-clean", false,
		"run the program of a report without asking if nothing dangerous was found in it")
	c.Flags().BoolVar(&r.Fresh, "fresh", false, "look again instead of remembering what was seen")
	c.Flags().BoolVar(&r.Minifier, "minifier", false,
		"try what the project's own minifier makes of it as well, and take the smaller (see scrub logs)")
	c.Flags().StringVar(&f.history, "history", "", "a folder for every step on the way, as a patch")
	c.Flags().StringVar(&r.Command, "cmd", "",
		"a command that answers with exit code 0 if a file, {}, is still interesting")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write the small program to this file, too")
	durationFlag(c, &r.Timeout, "timeout", "time for one run (default: the profile's, 120s)")
	durationFlag(c, &r.Deadline, "deadline",
		"time for everything; the best so far is kept (default: as long as it takes)")
	c.Flags().IntVar(&r.Budget, "budget", 0, "questions to ask at most (default: as many as it takes)")
	c.Flags().IntVar(&r.Enough, "good-enough", 0, "stop at so many lines (default: go on to the end)")
	c.Flags().IntVarP(&r.Jobs, "jobs", "j", 0, "runs at once (default: one for each processor)")
	boxFlags(c, &r.Box)
	return c
}

func (a *app) runMinimize(ctx context.Context, names []string, f minimizeFlags) error {
	r := f.request
	if f.issue != "" {
		var err error
		if f.report.Source, err = a.source(f.issue, f.report.Source); err != nil {
			return err
		}
		r.Issue = &f.report
	}
	for _, name := range names {
		file, err := beside(names[0], name, r.Command != "")
		if err != nil {
			return err
		}
		r.Files = append(r.Files, file)
	}
	return a.with(func(d *desk.Desk) error {
		small, err := d.Minimize(ctx, r)
		if err != nil {
			return err
		}
		return a.saySmall(small, f)
	})
}

// beside reads a file that belongs to a program. What a command judges may be
// anything.
func beside(first, name string, anything bool) (f desk.File, err error) {
	if f.Name, err = filepath.Rel(filepath.Dir(first), name); err != nil {
		f.Name = name
	}
	if !anything {
		f.Text, err = program(name)
		return f, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return f, console.Usage("%w", err)
	}
	f.Text = string(text)
	return f, nil
}

// saySmall writes the result: the first file to where -o says, others beside it.
func (a *app) saySmall(small desk.Minimized, f minimizeFlags) error {
	if f.out != "" {
		if err := writeFile(f.out, small.Program); err != nil {
			return err
		}
		for name, text := range small.Others {
			if err := writeFile(filepath.Join(filepath.Dir(f.out), name), text); err != nil {
				return err
			}
		}
	}
	if f.history != "" {
		if err := writeHistory(f.history, small); err != nil {
			return err
		}
	}
	return a.Answer(small, report.Minimized(small.Small))
}

// writeHistory writes every program on the way as a patch of the one before.
func writeHistory(dir string, small desk.Minimized) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return console.Usage("%w", err)
	}
	for _, patch := range small.Patches() {
		if err := writeFile(filepath.Join(dir, patch.Name), patch.Text); err != nil {
			return err
		}
	}
	return nil
}
