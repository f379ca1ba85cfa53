// Package fixing has the command that tries whether a change fixes a report.
package fixing

import (
	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/fixed"
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
The exit code is 4 if the change does not fix it.`,
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
				if answer.Fixed == bug.No {
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
