package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/report"
	"scrub/internal/sandbox"
	"scrub/internal/syntax"
)

// ablateFlags are the flags of scrub ablate.
type ablateFlags struct {
	runFlags
	jobs    int
	shallow bool
	only    []string
}

func (a *app) ablate() *cobra.Command {
	var f ablateFlags
	c := &cobra.Command{
		Use:   "ablate FILE",
		Short: "Turn one knob at a time and say what a bug depends on and whose code it is",
		Long: `Runs a program as it is, and then again with each of the profile's knobs
turned: for PyTorch the compiler's backends from none to all of it, its modes,
dynamic shapes, device and dtype; for any Python hash seed, threads, checks
and assertions. Nothing in the file is edited by hand: variables, a shim
around the compiler's entry points, or a rewrite shown in the table turn them.

The first stage that shows the bug names the component; the knobs that make
it go away are what it depends on; the plainest setting that still shows it is
tried as a whole. Where the compiler has a bisector, it is driven to the pass
or lowering. The exit code is 4 if the program, as it is, shows nothing.`,
		Example: `  scrub ablate repro.py --python venv/bin/python
  scrub ablate repro.py --expect 'AssertionError: Tensor-likes are not close' --json | jq .component`,
		Args: console.Wants(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runAblate(c.Context(), args[0], f) },
	}
	f.add(c, 1)
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "runs at once (default: one for each processor)")
	c.Flags().BoolVar(&f.shallow, "shallow", false, "do not look into the component with its own bisector")
	c.Flags().StringSliceVar(&f.only, "knob", nil, "only these knobs")
	return c
}

func (a *app) runAblate(ctx context.Context, file string, f ablateFlags) error {
	if f.times < 1 || f.timeout <= 0 {
		return console.Usage("--runs and --timeout must be more than nothing")
	}
	r, err := a.ready(ctx, file, f.runFlags)
	if err != nil {
		return err
	}
	v, q, prof := r.view, r.q, r.prof
	defer v.Close()
	ab := pipeline.Ablation{Box: r.box, Log: new(journal.Mem), Profile: prof, Repro: q.Repro, Runtime: q.Runtime, Symptom: q.Symptom,
		Limits: sandbox.Limits{Time: f.timeout, Memory: int64(prof.Run.Memory)}, Times: f.times, Workers: a.jobs(f.jobs), Deeper: !f.shallow, Only: f.only, Tell: v.Tell}
	why, err := ablated(ctx, &ab, f.box, r.reading)
	v.Pause()
	if errors.Is(err, pipeline.ErrNothingWrong) {
		return console.Ends(console.No, err)
	}
	if err != nil {
		return err
	}
	return a.Answer(whyAnswer{ab.Symptom, q.Runtime, why}, "%s: %s\n\n%s\n", file, report.Clean(bug.Squeeze(ab.Symptom.String())), report.Clean(strings.TrimSpace(report.Why(why))))
}

// ablated runs ab, warm where the box can be.
func ablated(ctx context.Context, ab *pipeline.Ablation, f console.BoxFlags, r syntax.Reading) (casefile.Why, error) {
	if f.Name == "native" && !f.Unsafe {
		warm := new(sandbox.Warm)
		defer warm.Close()
		ab.Warm, ab.Preload = warm, append(pipeline.Preload(r), ab.Profile.Knobs.Preload...)
	}
	return ab.Run(ctx)
}

// ablates turns the knobs of the program of a case, for scrub issue.
func (a *app) ablates(f issueFlags, p *pipeline.Pipeline) func(context.Context, casefile.Case, bug.Runtime) (casefile.Why, error) {
	return func(ctx context.Context, c casefile.Case, on bug.Runtime) (casefile.Why, error) {
		ab := pipeline.Ablation{Box: p.Box, Log: p.Log, Profile: p.Profile, Repro: c.Repro, Runtime: on, Symptom: c.Symptom,
			Limits: p.Limits, Workers: a.jobs(0), Deeper: true, Round: p.Round, Tell: p.Tell}
		for _, asked := range c.Asked {
			if asked.Tally.Yes > 0 && asked.Tally.No > 0 {
				ab.Times = asked.Tally.Runs() // the first question finds out how many the others need
			}
		}
		return ablated(ctx, &ab, f.box, *c.Reading)
	}
}

// A whyAnswer is what scrub ablate says.
type whyAnswer struct {
	Symptom bug.Symptom `json:"symptom"`
	Runtime bug.Runtime `json:"runtime"`
	casefile.Why
}
