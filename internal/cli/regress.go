package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

func (a *app) regress() *cobra.Command {
	var r desk.RegressRequest
	var modified, out string
	c := &cobra.Command{
		Use:   "regress SOURCE",
		Short: "Write a regression test, verified to fail with the bug and to pass without it",
		Long: `Takes a report as scrub issue does, writes a test in the project's own style
from its program (the smallest one with --minimize), and verifies it: it must
fail on the last affected version, for the same reason, and pass on the first
fixed one or on the interpreter given with --fixed. The test is printed, written
to a file with --out, or added to a work tree, uncommitted, with --into. If it
cannot be verified, the reason is given and the exit code is 4.

With --expected-failure a bug that is still there gets a test as well: it fails
for the reported reason, and is marked in the project's style as expected to fail,
so that it complains as soon as the bug is fixed.`,
		Example: `  scrub regress report.md --on 1.4,1.5 --approve-clean
  scrub regress report.md --python .venv/bin/python --fixed patched/bin/python --into ~/src/project`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.complete(args[0], &r.IssueRequest, modified); err != nil {
				return err
			}
			return a.With(func(d *desk.Desk) error { return a.runRegress(c.Context(), d, r, out) })
		},
	}
	flags.Issue(c, &r.IssueRequest, &modified)
	c.Flags().BoolVar(&r.Expected, "expected-failure", false, "also write a test for a bug that is still there, marked so")
	c.Flags().StringVar(&r.Into, "into", "", "a work tree of the project to put the test into")
	c.Flags().StringVarP(&out, "out", "o", "", "a file to write the test to")
	return c
}

func (a *app) runRegress(ctx context.Context, d *desk.Desk, r desk.RegressRequest, out string) error {
	test, err := d.Regress(ctx, r)
	if err != nil && a.JSON && test.Why != "" {
		return errors.Join(a.Answer(test, ""), err)
	}
	if err != nil {
		return err
	}
	for _, m := range test.Marks {
		a.Note("this mark can be removed: %s", m)
	}
	if test.Expected {
		a.Note("the test fails on %s (it %s), and is marked as expected to", test.Bad, test.Fails)
	} else {
		a.Note("the test fails on %s (it %s) and passes on %s, %d times each", test.Bad, test.Fails, test.Good, test.Runs)
	}
	if test.File != "" {
		a.Note("the test is in %s; nothing was committed", test.File)
	}
	if out != "" {
		if err := writeFile(out, test.Test.Text); err != nil {
			return err
		}
	}
	if a.JSON || out == "" && r.Into == "" {
		return a.Answer(test, test.Test.Text)
	}
	return nil
}
