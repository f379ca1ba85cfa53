package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/profile"
	"scrub/internal/sandbox"
)

func (a *app) regress() *cobra.Command {
	var f issueFlags
	var into, out string
	c := &cobra.Command{
		Use:   "regress SOURCE",
		Short: "Write a regression test that is seen to fail with the bug and to pass without it",
		Long: `Takes a report as scrub issue does, writes a test in the project's own style
from its program (from the smallest with --minimize), and measures it: it must
fail on the last version with the bug, for the same reason, and pass on the
first without it or on the interpreter given with --fixed. Then it is printed,
or written to a file with --out, or put where it belongs in a work tree with
--into, as a change that nobody has committed. Otherwise the reason is given
and the exit code is 4.`,
		Example: `  scrub regress report.md --on 1.4,1.5 --approve-clean
  scrub regress report.md --python .venv/bin/python --fixed patched/bin/python --into ~/src/project`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			f.test = true
			return a.runRegress(c.Context(), args[0], f, into, out)
		},
	}
	a.issueFlagsOn(c, &f)
	c.Flags().StringVar(&into, "into", "", "a work tree of the project to put the test into")
	c.Flags().StringVarP(&out, "out", "o", "", "a file to write the test to")
	return c
}

func (a *app) runRegress(ctx context.Context, source string, f issueFlags, into, out string) error {
	if into != "" {
		if st, err := os.Stat(into); err != nil || !st.IsDir() {
			return console.Usage("--into %s: want the folder of a work tree", into)
		}
		f.checkout = into
	}
	s, err := a.Open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	c, err := a.take(ctx, s, source, f)
	if err != nil {
		return err
	}
	verdict, reason := c.Verdict()
	r := c.Regression
	switch {
	case verdict == casefile.NeedsDecision:
		return console.Ends(console.Undecided, fmt.Errorf("a person must decide: %s", howToDecide(c, source)))
	case r == nil:
		return console.Ends(console.No, fmt.Errorf("no test: %s", reason))
	case !r.Proven:
		return errors.Join(a.jsonOnly(r), console.Ends(console.No, fmt.Errorf("no test: %s", r.Why)))
	}
	for _, m := range c.Marks {
		fmt.Fprintf(a.Err, "scrub: this mark can go: %s\n", m)
	}
	fmt.Fprintf(a.Err, "scrub: it fails on %s (it %s) and passes on %s, %d times each\n", r.Bad, r.Fails, r.Good, r.Runs)
	if out != "" {
		if err := writeFile(out, r.Test.Text); err != nil {
			return err
		}
	}
	if into != "" {
		if err := a.putInto(ctx, into, c, f); err != nil {
			return err
		}
	}
	if a.JSON || out == "" && into == "" {
		return a.Answer(r, "%s", r.Test.Text)
	}
	return nil
}

// jsonOnly answers v where JSON was asked for, and says nothing otherwise.
func (a *app) jsonOnly(v any) error {
	if !a.JSON {
		return nil
	}
	return a.Answer(v, "")
}

// putInto puts the test of c where it belongs in a work tree. What is there
// already stays.
func (a *app) putInto(ctx context.Context, dir string, c casefile.Case, f issueFlags) error {
	prof, err := console.ProfileFor(f.profile, c.Report.Ref.Repo)
	if err != nil {
		return err
	}
	var place profile.Place
	if c.Why != nil {
		place = prof.Test.PlaceFor(c.Why.Component)
	} else {
		place = prof.Test.PlaceFor("")
	}
	name := c.Regression.Test.At(place)
	file := filepath.Join(dir, filepath.FromSlash(name))
	tree, err := os.OpenRoot(dir) // a link in it does not lead out of it
	if err != nil {
		return console.Usage("%w", err)
	}
	defer tree.Close()
	before, err := tree.ReadFile(filepath.FromSlash(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	box, err := a.Box(f.box)
	if err != nil {
		return err
	}
	parser, err := a.Parser(ctx, f.box, c.Asked[len(c.Asked)-1].Runtime)
	if err != nil {
		return err
	}
	after, err := c.Regression.Test.Into(ctx, place, string(before), func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		return box.Run(ctx, sandbox.Job{Repro: repro, Runtime: parser, Limits: sandbox.Limits{Output: 64 << 20}})
	})
	if err != nil {
		return err
	}
	if err := tree.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o755); err != nil {
		return err
	}
	if err := tree.WriteFile(filepath.FromSlash(name), []byte(after), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "scrub: the test is in %s; nothing was committed\n", file)
	return nil
}
