package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/desk"
	"scrub/internal/report"
)

func (a *app) issue() *cobra.Command {
	var r desk.IssueRequest
	var modified string
	var post bool
	c := &cobra.Command{
		Use:   "issue SOURCE",
		Short: "Take a report from its text to a verdict",
		Long: `Takes a report through every step: read it, take it apart, see whether it can
be acted on, pick the program to try, read that before it runs, run it in the
box several times, and say what was seen. The report comes out as Markdown.

SOURCE is a Markdown file, the JSON of gh issue view, - for standard input,
or OWNER/REPO#N with --forge DIR.

Before a stranger's program runs, a person is asked. Without a terminal the
verdict is needs-decision, the exit code is 3, and the line on stderr says
how to answer. --approve-clean runs programs in which nothing dangerous was
found, in the box, without asking.

What was seen is remembered: the same command again, also after a crash,
repeats no run. --fresh looks again.`,
		Example: `  scrub issue report.md
  gh issue view 123 -R pytorch/pytorch --json number,url,title,body,author,createdAt,comments,labels,assignees,state | scrub issue - --approve-clean
  scrub issue report.json --json --approve-clean | jq -r .verdict
  scrub issue report.md --python python3.9 --python python3.13   # fixed between the two?
  scrub issue report.md --approve-clean --minimize               # and the smallest program that shows it
  scrub issue report.md --on reported,newest --approve-clean     # and between these releases of the package?`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runIssue(c.Context(), args[0], r, modified, post)
		},
	}
	issueFlags(c, &r, &modified)
	c.Flags().BoolVar(&post, "post", false, "ask at the end about what is proposed, and do what you agree to")
	return c
}

// issueFlags gives c the flags of a command that takes a report through the steps.
func issueFlags(c *cobra.Command, r *desk.IssueRequest, modified *string) {
	sourceFlags(c, &r.Source)
	c.Flags().BoolVar(&r.Source.Offline, "offline", false, "take the issue as it was last seen here")
	c.Flags().StringVar(&r.Profile, "profile", "",
		"what is known about the project: a name or a folder (default: by the issue's repository)")
	c.Flags().StringVar(&r.Expect, "expect", "",
		"what goes wrong, if the report does not say: 'ValueError: text', SIGSEGV, hang, 'prints: text' or 'lacks: "+
			"text'")
	c.Flags().StringVar(modified, "modified", "",
		"a file with a tamed version of the program, to run in its place; every report says so")
	c.Flags().StringSliceVar(&r.Ignore, "ignore-rule", nil, "triage rules that must not stop it, by name, or all")
	c.Flags().StringArrayVar(&r.Pythons, "python", nil,
		"interpreter to run it with; several are asked from the oldest to the newest")
	durationFlag(c, &r.Timeout, "timeout", "time for one run (default: the profile's, 120s)")
	c.Flags().IntVarP(&r.Runs, "runs", "n", 0, "how often to run it (default: the profile's, 3)")
	c.Flags().BoolVar(&r.ApproveClean, "approve-clean", false,
		"run a program in which nothing dangerous was found without asking")
	c.Flags().BoolVar(&r.Fresh, "fresh", false, "look again instead of remembering what was seen")
	c.Flags().BoolVar(&r.Minimize, "minimize", false, "make the program as small as it gets, if it shows the bug")
	c.Flags().BoolVar(&r.Why, "why", false,
		"turn the profile's knobs and say what the bug depends on and whose code it is")
	c.Flags().BoolVar(&r.Test, "test", false,
		"write a regression test, if one can be seen to fail with the bug and pass without it")
	c.Flags().StringVar(&r.Fixed, "fixed", "", "an interpreter in which the bug is fixed, for --test")
	c.Flags().StringVar(&r.Checkout, "checkout", "",
		"a work tree of the project: a bug that is fixed may have marks in it that expect it")
	c.Flags().BoolVar(&r.Since, "since", false, "find out, with --on, in which release a bug came that is still there")
	c.Flags().StringVar(&r.Git, "git", "", "a clone of the project: names the pull request that fixed it, with --on")
	renamed(c, "despite", "ignore-rule")
	boxFlags(c, &r.Box)
	versionFlags(c, &r.Versions)
}

func (a *app) runIssue(ctx context.Context, name string, r desk.IssueRequest, modified string, post bool) error {
	if err := a.complete(name, &r, modified); err != nil {
		return err
	}
	return a.with(func(d *desk.Desk) error {
		c, err := d.Issue(ctx, r)
		if err != nil {
			return err
		}
		if err := a.Answer(c, report.Markdown(c.Case)); err != nil {
			return err
		}
		if c.Triage != nil && !c.Triage.Off && len(c.Thread.Programs) > 0 && !c.Waits() {
			a.Note("to go on all the same: scrub issue %s --ignore-rule %s", name, c.Triage.Rule)
		}
		if c.Waits() {
			return console.Ends(console.Undecided, fmt.Errorf("a person must decide: %s", c.HowToDecide(name)))
		}
		if !post || c.Report.Ref.Repo == "" {
			return nil
		}
		return a.post(ctx, d, c.Report.Ref, desk.ApplyRequest{Forge: r.Source.Forge, Checkout: r.Checkout})
	})
}

// complete reads what the arguments of scrub issue name.
func (a *app) complete(name string, r *desk.IssueRequest, modified string) (err error) {
	if modified != "" {
		if r.Modified, err = program(modified); err != nil {
			return err
		}
	}
	r.Source, err = a.source(name, r.Source)
	return err
}
