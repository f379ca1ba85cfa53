package cli

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/pipeline"
	"scrub/internal/reduce"
	"scrub/internal/report"
	"scrub/internal/sandbox"
)

// minimizeFlags are the flags of scrub minimize.
type minimizeFlags struct {
	expect, python, profile string
	passesOn, out, cmd      string
	keep                    []string
	timeout, deadline       time.Duration
	jobs, budget, enough    int
	box                     boxFlags
}

func (a *app) minimize() *cobra.Command {
	var f minimizeFlags
	c := &cobra.Command{
		Use:   "minimize FILE…",
		Short: "Make a program as small as it gets while it still shows its bug",
		Long: `Makes a Python program smaller as long as it shows the same symptom, out of
the same operation, and says why each part that is left must stay.

Without --expect the symptom is taken from the first run and shown. It looks
before it cuts: one run under observation tells which lines run, which values
never vary, and what the failing call was called with.

With --cmd it makes files of any language smaller by a command of your own,
which says with exit code 0 that they are still interesting, as for C-Vise and
Shrink Ray. It runs in a new folder with the files in it, outside the box.

Ctrl-C prints the best so far. What was asked is remembered: the same command
again goes on where it stopped.`,
		Example: `  scrub minimize repro.py
  scrub minimize repro.py --expect 'RuntimeError: mat1 and mat2 shapes cannot be multiplied' -o small.py
  scrub minimize repro.py --python ./old/bin/python --passes-on ./new/bin/python   # keep what is a regression
  scrub minimize repro.py --json | jq -r .program
  scrub minimize crash.c --cmd './interesting.sh {}' -j 8 -o small.c`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f.cmd != "" {
				return a.minimizeBy(c.Context(), args, f)
			}
			if len(args) > 1 {
				return usage("several files need --cmd")
			}
			return a.runMinimize(c.Context(), args[0], f)
		},
	}
	c.Flags().StringVar(&f.expect, "expect", "", "the symptom to keep: 'ValueError: text', SIGSEGV, crash, hang, 'prints: text' or 'lacks: text'")
	c.Flags().StringVar(&f.python, "python", "", "interpreter to run it with")
	c.Flags().StringVar(&f.passesOn, "passes-on", "", "another interpreter, on which the program must end normally")
	c.Flags().StringVar(&f.profile, "profile", "", "what is known about the project: a name or a folder")
	c.Flags().StringArrayVar(&f.keep, "keep", nil, "a pattern: lines that match it stay")
	c.Flags().StringVar(&f.cmd, "cmd", "", "a command that answers with exit code 0 if a file, {}, is still interesting")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write the small program to this file, too")
	c.Flags().DurationVar(&f.timeout, "timeout", 120*time.Second, "time for one run")
	c.Flags().DurationVar(&f.deadline, "deadline", 0, "time for everything; the best so far is kept (default: as long as it takes)")
	c.Flags().IntVar(&f.budget, "budget", 0, "questions to ask at most (default: as many as it takes)")
	c.Flags().IntVar(&f.enough, "good-enough", 0, "stop at so many lines (default: go on to the end)")
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "runs at once (default: one for each processor)")
	f.box.add(c)
	return c
}

func (a *app) runMinimize(ctx context.Context, file string, f minimizeFlags) error {
	if f.timeout <= 0 || f.deadline < 0 || f.budget < 0 || f.enough < 0 || f.jobs < 0 {
		return usage("--timeout, --deadline, --budget, --good-enough and --jobs cannot be less than nothing")
	}
	text, err := readProgram(file)
	if err != nil {
		return err
	}
	box, err := a.box(f.box)
	if err != nil {
		return err
	}
	v := a.view()
	defer v.close()
	q, c, err := a.question(ctx, v, box, text, runFlags{expect: f.expect, python: f.python, profile: f.profile, times: 1, timeout: f.timeout})
	if err != nil {
		return err
	}
	m := pipeline.Minimizer{Box: box, Cold: box, Runtime: q.Runtime, Symptom: q.Symptom, Limits: q.Limits, Workers: a.jobs(f.jobs), Budget: f.budget, Enough: f.enough, Saw: a.shrinking(v)}
	if f.box.name == "native" && !f.box.unsafe {
		warm := new(sandbox.Warm)
		defer warm.Close()
		m.Box, m.Preload = warm, pipeline.Preload(*c.Reading)
	}
	if m.Parser, err = a.parser(ctx, q.Runtime); err != nil {
		return err
	}
	if f.passesOn != "" {
		found, err := a.places([]string{f.passesOn}).Find(ctx, nil)
		if err != nil {
			return err
		}
		m.PassesOn = &found[0]
	}
	for _, k := range f.keep {
		re, err := regexp.Compile(k)
		if err != nil {
			return usage("--keep: %w", err)
		}
		m.Keep = append(m.Keep, re)
	}
	s, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	m.Log = s
	if f.deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.deadline)
		defer cancel()
	}
	began := a.now()
	small, err := m.Minimize(ctx, text)
	if err != nil {
		return err
	}
	small.Seconds = a.now().Sub(began).Seconds()
	v.pause()
	return a.saySmall(small, f.out)
}

// saySmall writes the result.
func (a *app) saySmall(small pipeline.Small, out string) error {
	if out != "" {
		if err := writeFile(out, small.Program); err != nil {
			return err
		}
	}
	return a.answer(small, "%s", report.Clean(smallText(small)))
}

func smallText(s pipeline.Small) string {
	var b strings.Builder
	b.WriteString(s.Program)
	fmt.Fprintf(&b, "\n# %d lines became %d, %d tokens %d; %d runs, %.1f s\n", s.Before.Lines, s.After.Lines, s.Before.Tokens, s.After.Tokens, s.Runs, s.Seconds)
	fmt.Fprintf(&b, "# shows %s\n", s.Symptom)
	switch {
	case !s.Verified:
		b.WriteString("# NOT confirmed by a cold run\n")
	case !s.Minimal:
		b.WriteString("# confirmed by a cold run; it can perhaps get smaller\n")
	default:
		b.WriteString("# confirmed by a cold run; nothing more can go:\n")
	}
	for _, n := range s.Needed {
		fmt.Fprintf(&b, "#   without `%s` %s\n", bug.Short(strings.Join(strings.Fields(n.Part), " "), 60), bug.Short(n.Without, 120))
	}
	return b.String()
}

// shrinking shows a program as it shrinks.
func (a *app) shrinking(v *view) func(reduce.Step) {
	pass := "looking"
	return func(s reduce.Step) {
		if s.Kept {
			pass = s.Pass
		}
		v.tell(pipeline.Event{Step: "cut", Text: fmt.Sprintf("%d lines, %d tokens after %d runs; last: %s", s.Size.Lines, s.Size.Tokens, s.Asked, pass)})
	}
}

// parser is the interpreter that reads programs: the one that runs them if
// its parser says where everything stands, which began with 3.10, or else the
// newest there is. One of 3.8 does, too, but keeps some imports.
func (a *app) parser(ctx context.Context, r bug.Runtime) (bug.Runtime, error) {
	if bug.CompareVersions(r.Version, "3.10") >= 0 {
		return r, nil
	}
	if all := a.places(nil).All(ctx); len(all) > 0 && bug.CompareVersions(all[len(all)-1].Version, r.Version) > 0 {
		r = all[len(all)-1]
	}
	if bug.CompareVersions(r.Version, "3.8") < 0 {
		return r, fmt.Errorf("to read programs a Python of at least 3.8 is needed, and there is none here but %s", r.Version)
	}
	return r, nil
}

// jobs is how many runs are made at once.
func (a *app) jobs(said int) int {
	if said > 0 {
		return said
	}
	return runtime.NumCPU()
}

func writeFile(name, text string) error {
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		return usage("%w", err)
	}
	return nil
}
