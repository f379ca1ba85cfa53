package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/probe"
	"scrub/internal/profile"
	"scrub/internal/report"
	"scrub/internal/sandbox"
	"scrub/internal/syntax"
	"scrub/internal/triage"
	"scrub/internal/vet"
)

// runFlags are the flags of scrub run.
type runFlags struct {
	expect, python, profile string
	times                   int
	timeout                 time.Duration
	warm, cold              bool
	box                     console.BoxFlags
}

func (a *app) run() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program in the box and say what it did: the one question",
		Long: `Runs a Python file in the box, several times, and says how each run ended and
what it cost. With --expect it answers whether the program shows that
symptom: the exit code is 0 for yes and 4 for no.

You name the program, so it runs, unless something dangerous is found in it:
then you are asked, or without a terminal the exit code is 3. Nothing is
remembered; every run is made.

--warm runs it as a fork of an interpreter that has already imported what it
imports, which is many times faster, and confirms the answer with a cold run.`,
		Example: `  scrub run repro.py
  scrub run repro.py -n 20 --expect 'RuntimeError: mat1 and mat2 shapes cannot be multiplied'
  scrub run repro.py --warm -n 500 --json | jq .tally.yes`,
		Args: console.Wants(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runFile(c.Context(), args[0], f) },
	}
	f.add(c, 1)
	c.Flags().BoolVar(&f.warm, "warm", false, "fork a warm interpreter for each run, and confirm with a cold one")
	c.Flags().BoolVar(&f.cold, "cold", false, "start a new interpreter for each run (the default)")
	return c
}

// add gives c the flags of a program that is run.
func (f *runFlags) add(c *cobra.Command, times int) {
	c.Flags().StringVar(&f.expect, "expect", "", "the symptom to look for: 'ValueError: text', SIGSEGV, crash, hang, 'prints: text' or 'lacks: text'")
	c.Flags().StringVar(&f.python, "python", "", "interpreter to run it with")
	c.Flags().StringVar(&f.profile, "profile", "", "what is known about the project: a name or a folder")
	c.Flags().IntVarP(&f.times, "runs", "n", times, "how often to run it")
	c.Flags().DurationVar(&f.timeout, "timeout", 120*time.Second, "time for one run")
	f.box.Add(c)
}

// A runAnswer is what scrub run says.
type runAnswer struct {
	Answer  *bug.Answer  `json:"answer,omitempty"` // if something was expected
	Symptom *bug.Symptom `json:"symptom,omitempty"`
	Program string       `json:"program"`
	Runtime bug.Runtime  `json:"runtime"`
	Tally   probe.Tally  `json:"tally"`
	Cold    *bug.Outcome `json:"confirmed_cold,omitempty"`
}

func (a *app) runFile(ctx context.Context, file string, f runFlags) error {
	switch {
	case f.times < 1 || f.timeout <= 0:
		return console.Usage("--runs and --timeout must be more than nothing")
	case f.warm && f.cold:
		return console.Usage("a run is warm or cold")
	case f.warm && (f.box.Name != "native" || f.box.Unsafe):
		return console.Usage("only the native box has warm interpreters")
	}
	ready, err := a.ready(ctx, file, f)
	if err != nil {
		return err
	}
	v, q, box := ready.view, ready.q, ready.box
	defer v.Close()
	if f.warm {
		warm := new(sandbox.Warm)
		defer warm.Close()
		q.Preload = pipeline.Preload(ready.reading)
		box = warm
	}
	answer, err := a.askOnce(ctx, v, box, q)
	if err != nil {
		return err
	}
	if f.warm {
		q.Times, q.Preload = 1, nil
		again, err := a.askOnce(ctx, v, sandbox.Native{}, q)
		if err != nil {
			return err
		}
		answer.Cold = &again.Tally.Outcomes[0]
	}
	v.Pause()
	return a.sayRun(answer, q.Symptom)
}

// A ready is a program that may run: in which box, with which interpreter, and
// what is known of it. Who has it closes its view.
type ready struct {
	text    string
	box     sandbox.Box
	view    *console.View
	q       probe.Question
	reading syntax.Reading
	prof    profile.Profile
}

// ready reads a file and makes sure that it may run.
func (a *app) ready(ctx context.Context, file string, f runFlags) (r ready, err error) {
	if r.text, err = console.ReadProgram(file); err != nil {
		return r, err
	}
	if r.prof, err = console.ProfileIn(f.profile, r.text); err != nil {
		return r, err
	}
	if r.box, err = a.Box(f.box); err != nil {
		return r, err
	}
	r.view = a.View()
	q, c, err := a.question(ctx, r.view, r.box, r.text, f)
	if err != nil {
		r.view.Close()
		return r, err
	}
	r.q, r.reading = q, *c.Reading
	return r, nil
}

// question finds the interpreter, reads the program and makes sure that it
// may run.
func (a *app) question(ctx context.Context, v *console.View, box sandbox.Box, text string, f runFlags) (probe.Question, *casefile.Case, error) {
	q := probe.Question{Repro: bug.Program(text), Times: f.times, Limits: sandbox.Limits{Time: f.timeout}}
	if f.expect != "" {
		s, err := bug.ParseSymptom(f.expect)
		if err != nil {
			return q, nil, console.Usage("--expect: %w", err)
		}
		q.Symptom = s
	}
	prof, err := console.ProfileIn(f.profile, text)
	if err != nil {
		return q, nil, err
	}
	q.Limits.Memory = int64(prof.Run.Memory)
	var named []string
	if f.python != "" {
		named = []string{f.python}
	}
	found, err := a.Pythons(ctx, f.box, named)
	if err != nil {
		return q, nil, err
	}
	q.Runtime = found[0]
	if q.Runtime.Folders, err = f.box.Sees(q.Runtime.Folders); err != nil {
		return q, nil, err
	}
	p := pipeline.Pipeline{Box: box, Log: new(journal.Mem)}
	reading, err := p.Read(ctx, text, q.Runtime)
	if err != nil {
		return q, nil, err
	}
	c := &casefile.Case{Repro: q.Repro, Reading: &reading, Findings: vet.Review(text, reading, prof), Candidates: make([]triage.Candidate, 1)}
	if !vet.Asks(c.Findings) {
		return q, c, nil
	}
	s, err := a.Open(ctx)
	if err != nil {
		return q, nil, err
	}
	defer s.Close()
	consent, err := a.Consent(ctx, s, v, *c, false)
	switch {
	case err != nil:
		return q, nil, err
	case consent.Said == casefile.Proceed:
		return q, c, nil
	case consent.Said == casefile.Skip, consent.Said == casefile.Change:
		return q, nil, console.Ends(console.Undecided, fmt.Errorf("%s decided that this program does not run", consent.By))
	}
	c.Consent = consent
	_, why := c.Verdict()
	return q, nil, console.Ends(console.Undecided, fmt.Errorf("%s scrub decide %s proceed answers", why, q.Repro.Digest()))
}

func (a *app) askOnce(ctx context.Context, v *console.View, box sandbox.Box, q probe.Question) (runAnswer, error) {
	v.Tell(pipeline.Event{Step: "run", Text: fmt.Sprintf("run 1 of %d", q.Times)})
	yes := 0
	prober := probe.Prober{Box: box, Log: new(journal.Mem), Saw: func(q probe.Question, n int, o bug.Outcome) {
		if q.Symptom.In(o) == bug.Yes {
			yes++
		}
		if n < q.Times {
			v.Tell(pipeline.Event{Step: "run", Text: fmt.Sprintf("run %d of %d, %d yes; the last one %s", n+1, q.Times, yes, o.Words())})
		}
	}}
	t, err := prober.Ask(ctx, q)
	r := runAnswer{Program: q.Repro.Digest(), Runtime: q.Runtime, Tally: t}
	if q.Symptom.Kind != bug.Unsaid {
		answer := t.Answer()
		r.Answer, r.Symptom = &answer, &q.Symptom
	}
	return r, err
}

// sayRun writes the answer; a "no" is an exit code of its own.
func (a *app) sayRun(r runAnswer, s bug.Symptom) error {
	if err := a.Answer(r, "%s", report.Clean(runText(r, s))); err != nil {
		return err
	}
	if r.Answer != nil && *r.Answer == bug.No {
		return console.Ends(console.No, nil)
	}
	return nil
}

func runText(r runAnswer, s bug.Symptom) string {
	var b strings.Builder
	all := r.Tally.Outcomes
	if r.Answer != nil {
		fmt.Fprintf(&b, "%s: %d of %d runs show %s\n", *r.Answer, r.Tally.Yes, r.Tally.Runs(), s)
	}
	b.WriteString(report.Runs("Python "+r.Runtime.Version, all))
	if r.Cold != nil {
		fmt.Fprintf(&b, "confirmed cold: the program %s\n", r.Cold.Words())
	}
	last := all[len(all)-1]
	if out := strings.TrimRight(last.Stdout, "\n"); out != "" {
		fmt.Fprintf(&b, "\nit printed:\n%s\n", out)
	}
	if out := strings.TrimRight(last.Stderr, "\n"); out != "" {
		fmt.Fprintf(&b, "\nit complained:\n%s\n", out)
	}
	return b.String()
}
