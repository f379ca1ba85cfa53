package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/reduce"
	"scrub/internal/report"
	"scrub/internal/sandbox"
	"scrub/internal/store"
)

// minimizeFlags are the flags of scrub minimize.
type minimizeFlags struct {
	expect, python, profile string
	passesOn, out, cmd      string
	issue, forge, history   string
	approveClean, fresh     bool
	minifier                bool
	keep                    []string
	timeout, deadline       time.Duration
	jobs, budget, enough    int
	box                     console.BoxFlags
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
	c.Flags().StringVar(&f.expect, "expect", "", "the symptom to keep: 'ValueError: text', SIGSEGV, crash, hang, 'prints: text' or 'lacks: text'")
	c.Flags().StringVar(&f.python, "python", "", "interpreter to run it with")
	c.Flags().StringVar(&f.passesOn, "passes-on", "", "another interpreter, on which the program must end normally")
	c.Flags().StringVar(&f.profile, "profile", "", "what is known about the project: a name or a folder")
	c.Flags().StringArrayVar(&f.keep, "keep", nil, "a pattern: lines that match it stay")
	c.Flags().StringVar(&f.issue, "issue", "", "take the program and the symptom from a report: what scrub issue takes")
	c.Flags().StringVar(&f.forge, "forge", "", "a folder to use as the forge, for --issue")
	c.Flags().BoolVar(&f.approveClean, "approve-clean", false, "run the program of a report without asking if nothing dangerous was found in it")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "look again instead of remembering what was seen")
	c.Flags().BoolVar(&f.minifier, "minifier", false, "try what the project's own minifier makes of it as well, and take the smaller (see scrub logs)")
	c.Flags().StringVar(&f.history, "history", "", "a folder for every step on the way, as a patch")
	c.Flags().StringVar(&f.cmd, "cmd", "", "a command that answers with exit code 0 if a file, {}, is still interesting")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write the small program to this file, too")
	c.Flags().DurationVar(&f.timeout, "timeout", 120*time.Second, "time for one run")
	c.Flags().DurationVar(&f.deadline, "deadline", 0, "time for everything; the best so far is kept (default: as long as it takes)")
	c.Flags().IntVar(&f.budget, "budget", 0, "questions to ask at most (default: as many as it takes)")
	c.Flags().IntVar(&f.enough, "good-enough", 0, "stop at so many lines (default: go on to the end)")
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "runs at once (default: one for each processor)")
	f.box.Add(c)
	return c
}

// A subject is a program to make small, where and how it fails, and what it imports.
type subject struct {
	text    string
	runtime bug.Runtime
	symptom bug.Symptom
	imports []string
}

func (a *app) runMinimize(ctx context.Context, args []string, f minimizeFlags) error {
	if err := f.check(args); err != nil {
		return err
	}
	s, err := a.Open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	if f.deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.deadline)
		defer cancel()
	}
	began := a.Now()
	var small casefile.Small
	if f.cmd != "" {
		small, err = a.minimizeBy(ctx, args, f)
	} else {
		small, err = a.minimizeProgram(ctx, s, args, f)
	}
	if err != nil {
		return err
	}
	small.Seconds = a.Now().Sub(began).Seconds()
	return a.saySmall(small, f)
}

// check looks for flags that make no sense, alone or together.
func (f minimizeFlags) check(args []string) error {
	switch {
	case f.timeout <= 0 || f.deadline < 0 || f.budget < 0 || f.enough < 0 || f.jobs < 0:
		return console.Usage("--timeout, --deadline, --budget, --good-enough and --jobs cannot be less than nothing")
	case f.issue != "" && (len(args) > 0 || f.cmd != ""):
		return console.Usage("--issue brings its own program: no FILE and no --cmd with it")
	case f.issue == "" && len(args) == 0:
		return console.Usage("want a FILE, or --issue SOURCE")
	case f.cmd != "" && (f.expect != "" || f.python != "" || f.passesOn != "" || f.fresh || len(f.keep) > 0):
		return console.Usage("with --cmd the command alone decides: no --expect, --python, --passes-on, --keep or --fresh with it")
	}
	return nil
}

// minimizeProgram makes a Python program small.
func (a *app) minimizeProgram(ctx context.Context, s *store.Store, args []string, f minimizeFlags) (casefile.Small, error) {
	box, err := a.Box(f.box)
	if err != nil {
		return casefile.Small{}, err
	}
	var sub subject
	if f.issue != "" {
		sub, err = a.reportedProgram(ctx, s, f)
	} else {
		sub, err = a.namedProgram(ctx, box, args, f)
	}
	if err != nil {
		return casefile.Small{}, err
	}
	v := a.View()
	defer v.Close()
	m, done, err := a.minimizer(ctx, f.box, s, sub, f.timeout)
	if err != nil {
		return casefile.Small{}, err
	}
	defer done()
	m.Workers, m.Budget, m.Enough, m.Saw = a.jobs(f.jobs), f.budget, f.enough, a.shrinking(v)
	if f.fresh {
		m.Log = new(journal.Mem)
	}
	if err := a.lockedBy(ctx, &m, f); err != nil {
		return casefile.Small{}, err
	}
	small, err := m.Minimize(ctx, sub.text)
	if err != nil || !f.minifier {
		return small, err
	}
	return a.orMinified(ctx, v, m, small, sub, f)
}

// lockedBy completes m with what flags say of interpreters and lines.
func (a *app) lockedBy(ctx context.Context, m *pipeline.Minimizer, f minimizeFlags) error {
	if f.passesOn != "" {
		found, err := a.Pythons(ctx, f.box, []string{f.passesOn})
		if err != nil {
			return err
		}
		m.PassesOn = &found[0]
	}
	for _, k := range f.keep {
		re, err := regexp.Compile(k)
		if err != nil {
			return console.Usage("--keep: %w", err)
		}
		m.Keep = append(m.Keep, re)
	}
	return nil
}

// namedProgram is a program that a person has named.
func (a *app) namedProgram(ctx context.Context, box sandbox.Box, files []string, f minimizeFlags) (subject, error) {
	text, err := a.wholeProgram(ctx, f.box, box, files, f.python)
	if err != nil {
		return subject{}, err
	}
	v := a.View()
	defer v.Close()
	q, c, err := a.question(ctx, v, box, text, runFlags{expect: f.expect, python: f.python, profile: f.profile, times: 1, timeout: f.timeout, box: f.box})
	if err != nil {
		return subject{}, err
	}
	return subject{text, q.Runtime, q.Symptom, pipeline.Preload(*c.Reading)}, nil
}

// reportedProgram is the program of an issue, if it shows here what the issue says.
func (a *app) reportedProgram(ctx context.Context, s *store.Store, f minimizeFlags) (subject, error) {
	flags := issueFlags{forge: f.forge, profile: f.profile, expect: f.expect, timeout: f.timeout, approveClean: f.approveClean, fresh: f.fresh, box: f.box}
	if f.python != "" {
		flags.pythons = []string{f.python}
	}
	c, err := a.take(ctx, s, f.issue, flags)
	if err != nil {
		return subject{}, err
	}
	switch verdict, why := c.Verdict(); verdict {
	case casefile.Reproduces, casefile.Flaky:
		return subject{c.Repro.Files[bug.Script], c.Asked[len(c.Asked)-1].Runtime, c.Symptom, pipeline.Preload(*c.Reading)}, nil
	case casefile.NeedsDecision:
		return subject{}, console.Ends(console.Undecided, fmt.Errorf("a person must decide: %s", howToDecide(c, f.issue)))
	default:
		return subject{}, console.Ends(console.No, fmt.Errorf("there is nothing to make small: %s: %s", verdict, why))
	}
}

// saySmall writes the result: the first file to where -o says, others beside it.
func (a *app) saySmall(small casefile.Small, f minimizeFlags) error {
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
		if err := writeHistory(f.history, small.First, small.Steps); err != nil {
			return err
		}
	}
	return a.Answer(small, "%s", report.Clean(smallText(small)))
}

func smallText(s casefile.Small) string {
	var b strings.Builder
	b.WriteString(s.Program)
	fmt.Fprintf(&b, "\n# %d lines became %d, %d tokens %d; %d runs, %.1f s\n", s.Before.Lines, s.After.Lines, s.Before.Tokens, s.After.Tokens, s.Runs, s.Seconds)
	if s.Symptom.Kind != bug.Unsaid {
		fmt.Fprintf(&b, "# shows %s\n", s.Symptom)
	}
	switch {
	case s.Symptom.Kind == bug.Unsaid: // a command has judged it, and nothing else
	case len(s.Steps) == 0 && s.Minimal:
		b.WriteString("# it was as small as it gets already:\n")
	case !s.Verified:
		b.WriteString("# not confirmed by a cold run")
		if !s.Minimal {
			b.WriteString(": it was stopped; the same command again goes on")
		}
		b.WriteString("\n")
	case !s.Minimal:
		b.WriteString("# confirmed by a cold run; it can perhaps get smaller\n")
	default:
		b.WriteString("# confirmed by a cold run; nothing more can go:\n")
	}
	if s.Weak {
		b.WriteString("# the program itself says that something is wrong, but not with which values: see that it is still the same bug, or hold it with --passes-on\n")
	}
	for _, n := range s.Needed {
		fmt.Fprintf(&b, "#   without `%s` %s\n", bug.Short(bug.Squeeze(n.Part), 60), bug.Short(n.Without, 120))
	}
	return b.String()
}

// shrinking shows a program as it shrinks.
func (a *app) shrinking(v *console.View) func(int, []reduce.Step) {
	began := a.Now()
	return func(asked int, steps []reduce.Step) {
		text := fmt.Sprintf("%d runs, %.0f a second", asked, float64(asked)/max(0.001, a.Now().Sub(began).Seconds()))
		if n := len(steps); n > 0 {
			last := steps[n-1]
			text = fmt.Sprintf("%s %d lines, %d tokens, %s; last: %s", curve(steps), last.Size.Lines, last.Size.Tokens, text, last.Pass)
		}
		v.Tell(pipeline.Event{Step: "cut", Text: text})
	}
}

// curve draws how sizes went down, in a few characters.
func curve(steps []reduce.Step) string {
	const width = 12
	bars := []rune("▁▂▃▄▅▆▇█")
	n := min(width, len(steps))
	var b strings.Builder
	for i := range n {
		share := steps[i*len(steps)/n].Size.Tokens * len(bars) / (steps[0].Size.Tokens + 1)
		b.WriteRune(bars[min(len(bars)-1, share)])
	}
	return b.String()
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
		return console.Usage("%w", err)
	}
	return nil
}
