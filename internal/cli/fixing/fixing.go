// Package fixing has the commands for those who fix a bug: does a change do it, and which test guards it?
package fixing

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/fixed"
	"github.com/scrub-dev/scrub/internal/desk/tested"
)

// A CompleteFunc fills in what a source and the flags of a report say.
type CompleteFunc func(source string, r *desk.IssueRequest, modified string) error

// CheckFix is the command.
func CheckFix(on *console.Console, complete CompleteFunc) *cobra.Command {
	var r fixed.Request
	var modified string
	c := &cobra.Command{
		Use:   "check-fix SOURCE --pr N | --branch NAME | --checkout DIR | --built PYTHON",
		Short: "Does this change fix it? Run the report's program without and with a change",
		Long: `Runs the program of a report on an interpreter as it is, and once more with a
change: a pull request or a branch of a clone (--git), or a work tree with edits in
it, committed or not. Modules in Python are put over the installed release while
the program runs, merged into it where it is another release than the change was
made for; nothing is installed. A change to files that must be compiled is refused:
build it and name its interpreter with --built.

A regression test is written and must fail without the change and pass with it.
With --checkout, tests of the work tree that use the same names as the program are
run without the change and with it. The exit code is 4 if the change does not fix
it, or breaks one of these.`,
		Example: `  scrub check-fix report.md --checkout ~/src/project --python .venv/bin/python --approve-clean
  scrub check-fix octo/snail#7 --pr 12 --git ~/src/snail --approve-clean --json | jq -r .fixed`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := complete(args[0], &r.IssueRequest, modified); err != nil {
				return err
			}
			r.Work, r.Checkout = r.Checkout, ""
			return on.With(func(d *desk.Desk) error {
				answer, err := fixed.Desk{Desk: d}.Check(c.Context(), r)
				if err != nil {
					return err
				}
				text := answer.Words + "\n"
				if test := answer.Regression; test != nil && test.Proven {
					text += "\n" + test.Test.Text
				}
				if err := on.Answer(answer, text); err != nil {
					return err
				}
				if answer.Fixed == bug.No || slices.ContainsFunc(answer.Nearby, fixed.Nearby.Broken) {
					return console.Ends(console.No, nil)
				}
				return nil
			})
		},
	}
	flags.Issue(c, &r.IssueRequest, &modified)
	c.Flags().IntVar(&r.Pull, "pr", 0, "the pull request of this number, in the clone that --git names")
	c.Flags().StringVar(&r.Branch, "branch", "", "a branch or commit of the clone that --git names")
	c.Flags().StringVar(&r.Base, "base", "", "the commit it builds on (default: where it left the main branch)")
	c.Flags().StringVar(&r.Built, "built", "", "an interpreter that has the change built in")
	return c
}

// Regress is the command that writes a regression test.
func Regress(on *console.Console, complete CompleteFunc) *cobra.Command {
	var r tested.Request
	var modified, out string
	var remove bool
	c := &cobra.Command{
		Use:   "regress SOURCE",
		Short: "Write a regression test, verified to fail with the bug and to pass without it",
		Long: `Takes a report as scrub issue does, writes a test in the project's own style
from its program (the smallest one with --minimize), and verifies it: it must
fail on the last affected version, for the same reason, and pass on the first
fixed one or on the interpreter given with --fixed. The test is printed, written
to a file with --out, or added to a work tree, uncommitted, with --into; tests of
the work tree that use the same names as the program are then run, too. If it
cannot be verified, the reason is given and the exit code is 4. Further failures
that the report tells of get a test each.

With --expected-failure a bug that is still there gets a test as well: it fails
for the reported reason, and is marked in the project's style as expected to fail,
so that it complains as soon as the bug is fixed.`,
		Example: `  scrub regress report.md --on 1.4,1.5 --approve-clean
  scrub regress report.md --python .venv/bin/python --fixed patched/bin/python --into ~/src/project`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := complete(args[0], &r.IssueRequest, modified); err != nil {
				return err
			}
			return on.With(func(d *desk.Desk) error { return regress(c.Context(), on, d, r, out, remove) })
		},
	}
	flags.Issue(c, &r.IssueRequest, &modified)
	c.Flags().BoolVar(&r.Expected, "expected-failure", false, "also write a test for a bug that is still there, marked so")
	c.Flags().StringVar(&r.Into, "into", "", "a work tree of the project to put the test into")
	c.Flags().BoolVar(&remove, "remove-marks", false, "with --into: remove marks that expected this bug, without asking")
	c.Flags().StringVarP(&out, "out", "o", "", "a file to write the test to")
	return c
}

// unmark removes marks that expect a bug which is gone, the last of a file first, where a person says so.
func unmark(ctx context.Context, a *console.Console, tree string, marks []tested.Mark, remove bool) error {
	for _, m := range slices.Backward(marks) {
		yes := remove && tree != ""
		if !yes && tree != "" {
			var err error
			if yes, err = a.Yes(ctx, "Remove "+m.String()+"?"); err != nil {
				return err
			}
		}
		if !yes {
			a.Note("this mark can be removed: %s", m)
			continue
		}
		if err := m.Remove(tree); err != nil {
			a.Note("not removed: %v", err)
			continue
		}
		a.Note("removed, not committed: %s", m)
	}
	return nil
}

func regress(ctx context.Context, a *console.Console, d *desk.Desk, r tested.Request, out string, remove bool) error {
	test, err := tested.Desk{Desk: d}.Regress(ctx, r)
	if err != nil && a.JSON && test.Why != "" {
		return errors.Join(a.Answer(test, ""), err)
	}
	if err != nil {
		return err
	}
	if err := unmark(ctx, a, r.Into, test.Marks, remove); err != nil {
		return err
	}
	if test.Expected {
		a.Note("the test fails on %s (it %s), and is marked as expected to", test.Bad, test.Fails)
	} else {
		a.Note("the test fails on %s (it %s) and passes on %s, %d times each", test.Bad, test.Fails, test.Good, test.Runs)
	}
	for _, m := range test.Others {
		a.Note("for another failure: %s fails on %s (it %s) and passes on %s", m.Test.Name, m.Bad, m.Fails, m.Good)
	}
	if len(test.Files) > 0 {
		a.Note("it is in %s; nothing was committed", strings.Join(test.Files, ", "))
	}
	for _, n := range test.Put {
		a.Note("run where it was put: %s", n)
	}
	for _, n := range test.Nearby {
		a.Note("nearby: %s", n)
	}
	text := test.Test.Text
	for _, m := range test.Others {
		text += "\n\n" + m.Test.Text
	}
	if out != "" {
		if err := os.WriteFile(out, []byte(text), 0o644); err != nil {
			return console.Usage("%w", err)
		}
	}
	if a.JSON || out == "" && r.Into == "" {
		return a.Answer(test, text)
	}
	return nil
}
