package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

// minimizeFlags are the flags of scrub minimize.
type minimizeFlags struct {
	screen       bool
	request      desk.MinimizeRequest
	report       desk.IssueRequest
	issue, stdin string
	inputs       []string
	out, history string
}

func (a *app) minimize() *cobra.Command {
	var f minimizeFlags
	r := &f.request
	c := &cobra.Command{
		Use:   "minimize FILE… [-- ARGUMENT…]",
		Short: "Find the smallest program that still shows a bug",
		Long: `Shrinks a Python program as long as the same operation shows the same symptom,
and says why each remaining part is needed.

Without --expect the symptom is taken from the first run and shown. The program
is first traced, to learn which lines run, which values never vary, what the
failing call was called with, and which library calls matter in the end.

With several files, the first is the program and the others are its modules,
which are merged into it.

Arguments of the program go after --, its standard input comes from --stdin,
and files that it reads, from its own folder, from --input. They become a part of
the program, are reduced with it, and the result stands on its own. A program that
fails only because the sandbox lacks one of these is refused.

With --cmd it shrinks files in any language: your command exits with code 0 if
they are still interesting, as for C-Vise and Shrink Ray. It runs in a new folder
with the files in it, outside the sandbox.

Ctrl-C prints the best result so far. Results are cached: the same command
continues where it stopped, and --fresh runs everything again. With --cmd
nothing is cached, since scrub cannot know what a command depends on.`,
		Example: `  scrub minimize repro.py
  scrub minimize repro.py --expect 'RuntimeError: mat1 and mat2 shapes cannot be multiplied' -o small.py
  scrub minimize repro.py --python ./old/bin/python --passes-on ./new/bin/python   # keep the regression
  scrub minimize repro.py --json | jq -r .program
  scrub minimize report.py --input sales.csv -- --year 2020
  scrub minimize main.py helpers.py model/net.py
  scrub minimize --issue report.md --approve-clean
  scrub minimize crash.c --cmd "$PWD/interesting.sh {}" -j 8 -o small.c`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if at := c.ArgsLenAtDash(); at >= 0 {
				args, f.request.Args = args[:at], args[at:]
			}
			return a.runMinimize(c.Context(), args, f)
		},
	}
	f.flags(c)
	flags.Duration(c, &r.Timeout, "timeout", "time limit for one run (default: the profile's, 120s)")
	flags.Duration(c, &r.Deadline, "deadline",
		"time limit for everything; the best result so far is kept (default: none)")
	c.Flags().IntVar(&r.Budget, "budget", 0, "maximum number of candidates to test (default: no limit)")
	c.Flags().IntVar(&r.Enough, "good-enough", 0, "stop at this many lines (default: continue to the end)")
	c.Flags().IntVarP(&r.Jobs, "jobs", "j", 0, "runs at once (default: one for each processor)")
	flags.Box(c, &r.Box)
	return c
}

// flags says what to minimize, and what must stay.
func (f *minimizeFlags) flags(c *cobra.Command) {
	r := &f.request
	c.Flags().StringVar(&r.Expect, "expect", "", "the symptom to keep: "+flags.Symptoms)
	c.Flags().StringVar(&r.Python, "python", "", "interpreter to run it with")
	c.Flags().StringVar(&r.PassesOn, "passes-on", "", "another interpreter, on which the program must succeed")
	c.Flags().StringVar(&r.Profile, "profile", "", "project profile, a name or a folder")
	c.Flags().BoolVar(&r.Exact, "exact", false, "for a failing assertion, keep exactly the same wrong values")
	c.Flags().BoolVar(&r.Both, "both", false, "also find the smallest program that keeps its own functions")
	c.Flags().StringVar(&f.stdin, "stdin", "", "a file to give the program as its standard input")
	c.Flags().StringArrayVar(&f.inputs, "input", nil, "a file beside the program that it reads (can be repeated)")
	c.Flags().StringArrayVar(&r.Keep, "keep", nil, "a regular expression: lines that match it are kept")
	c.Flags().StringVar(&f.issue, "issue", "", "take program and symptom from a report, named as for scrub issue")
	c.Flags().StringVar(&f.report.Source.Forge, "forge", "", "a folder or server to use instead of GitHub, for --issue")
	c.Flags().BoolVar(&f.report.ApproveClean, "approve-clean", false,
		"run the program of a report without asking if nothing dangerous was found in it")
	c.Flags().BoolVar(&r.Fresh, "fresh", false, "run everything again instead of using cached results")
	c.Flags().BoolVar(&r.Minifier, "minifier", false, "also try the project's own minifier (see scrub logs)")
	c.Flags().StringVar(&f.history, "history", "", "a folder to write every step to, as a patch")
	c.Flags().StringVar(&r.Command, "cmd", "",
		"a command that exits with code 0 if the file {} is still interesting")
	c.Flags().BoolVar(&f.screen, "screen", false, "show it on the whole terminal, with keys to pause and to stop")
	c.Flags().StringVarP(&f.out, "output", "o", "", "also write the result to this file, or into this folder under the name of the issue")
}

// whole is a command line whose program is named by its whole path, if it is named
// from here: it runs in a folder of its own.
func whole(line string) string {
	program, rest, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(program, "./") && !strings.HasPrefix(program, "../") {
		return line
	}
	full, err := filepath.Abs(program)
	if _, missing := os.Stat(full); err != nil || missing != nil {
		return line
	}
	return report.Shell(full) + " " + rest
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
	if err := f.read(&r, names); err != nil {
		return err
	}
	r.Command = whole(r.Command)
	return a.With(func(d *desk.Desk) error {
		minimize := func() (desk.Minimized, error) {
			if !f.screen {
				return d.Minimize(ctx, r)
			}
			ctx, done := a.OnScreen(ctx, d, "scrub minimize "+strings.Join(names, " "))
			defer done()
			return d.Minimize(ctx, r)
		}
		small, err := minimize()
		var poor interface{ Wants() string }
		for errors.As(err, &poor) && len(names) > 0 && exists(filepath.Dir(names[0]), poor.Wants()) {
			if err = a.takeAlong(ctx, names[0], poor.Wants(), &r); err == nil {
				small, err = minimize()
			}
		}
		if err != nil {
			return err
		}
		return a.saySmall(small, f)
	})
}

// takeAlong asks whether a file that a program was seen to read may go into the sandbox with it.
func (a *app) takeAlong(ctx context.Context, program, wants string, r *desk.MinimizeRequest) error {
	path := filepath.Join(filepath.Dir(program), wants)
	yes, err := a.Yes(ctx, fmt.Sprintf("%s reads %s, which is beside it. Copy it into the sandbox?", program, path))
	if err == nil && !yes {
		err = console.Usage("%s reads %s, which is beside it: add it with --input %s", program, wants, path)
	}
	if err != nil {
		return err
	}
	file, err := beside(program, path, true)
	r.Inputs[filepath.ToSlash(file.Name)] = file.Text
	return err
}

// read reads what the program is started with.
func (f minimizeFlags) read(r *desk.MinimizeRequest, names []string) error {
	if f.stdin != "" {
		text, err := os.ReadFile(f.stdin)
		if err != nil {
			return console.Usage("--stdin: %w", err)
		}
		given := string(text)
		r.Stdin = &given
	}
	r.Inputs = map[string]string{}
	for _, name := range f.inputs {
		if len(names) == 0 {
			return console.Usage("--input needs a FILE")
		}
		file, err := beside(names[0], name, true)
		if err != nil {
			return err
		}
		if !filepath.IsLocal(file.Name) {
			return console.Usage("--input %s: it must be in the folder of %s", name, names[0])
		}
		r.Inputs[filepath.ToSlash(file.Name)] = file.Text
	}
	return nil
}

// exists reports whether a file is in a folder, and not above it.
func exists(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular() && filepath.IsLocal(name)
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

// nameless is what has no place in the name of a file.
var nameless = regexp.MustCompile(`\.(?:md|json)$|^.*/|[^A-Za-z0-9]+`)

// saySmall writes the result: the first file to where -o says, others beside it.
func (a *app) saySmall(small desk.Minimized, f minimizeFlags) error {
	if f.out != "" {
		if st, err := os.Stat(f.out); err == nil && st.IsDir() && f.issue != "" {
			f.out = filepath.Join(f.out, strings.Trim(nameless.ReplaceAllString(f.issue, "_"), "_")+".py")
		}
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
