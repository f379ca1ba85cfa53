package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cli/deciding"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/applied"
	"github.com/scrub-dev/scrub/internal/mcp"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a *app) issue() *cobra.Command {
	var r desk.IssueRequest
	var modified string
	var post, short bool
	c := &cobra.Command{
		Use:   "issue SOURCE",
		Short: "Reproduce a bug report and give a verdict",
		Long: `Takes a report through every step: parses it, decides whether it is actionable,
picks the program to try, scans it for dangers, runs it several times in the
sandbox, and prints what happened as Markdown.

SOURCE is a Markdown file, the JSON of gh issue view, - for stdin, or an issue on
GitHub: OWNER/REPO#N or its URL. Public issues need no token. With --forge the
issue is read from a folder or another server.

A stranger's program runs only after a person has approved it. Without a
terminal the verdict is needs-decision, the exit code is 3, and a line on stderr
says how to decide. --approve-clean runs programs in which nothing dangerous was
found, in the sandbox, without asking.

Results are cached: running the same command again, even after a crash, repeats
no run. --fresh runs everything again.`,
		Example: `  scrub issue report.md
  gh issue view 123 -R pytorch/pytorch --json number,url,title,body,author,createdAt,comments,labels,assignees,state | scrub issue - --approve-clean
  scrub issue report.json --json --approve-clean | jq -r .verdict
  scrub issue report.md --yes --approve-clean                    # with the packages it needs, as reported and newest
  scrub issue report.md --python python3.9 --python python3.13   # fixed between the two?
  scrub issue report.md --approve-clean --minimize               # also find the smallest program that shows it
  scrub issue report.md --on reported,newest --approve-clean     # fixed between these releases of the package?`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runIssue(c.Context(), args[0], r, modified, post, short)
		},
	}
	flags.Issue(c, &r, &modified)
	c.Flags().BoolVar(&short, "for-agent", false,
		"print what scrub mcp answers: a few lines, with what strangers wrote marked as data")
	c.Flags().BoolVar(&post, "post", false, "ask about the proposed actions at the end, and apply those you approve")
	return c
}

func (a *app) runIssue(ctx context.Context, name string, r desk.IssueRequest, modified string, post, short bool) error {
	if err := a.complete(name, &r, modified); err != nil {
		return err
	}
	return a.With(func(d *desk.Desk) error {
		c, err := d.Issue(ctx, r)
		if err != nil {
			return err
		}
		tell := func() error { return a.Document(c, report.Markdown(c.Case)) }
		if short {
			tell = func() error { return a.Answer(c, mcp.Brief(c)) }
		}
		if err := tell(); err != nil {
			return err
		}
		a.Last(string(c.Verdict), c.Reason)
		if c.Triage != nil && !c.Triage.Off && len(c.Thread.Programs) > 0 && !c.Waits() {
			a.Note("to run it anyway: %s", d.HowToRun(c, r.Source))
		}
		if c.Waits() {
			return console.Ends(console.Undecided, fmt.Errorf("a person must decide: %s", d.HowToDecide(c, r.Source)))
		}
		if !post || c.Report.Ref.Repo == "" {
			return nil
		}
		return deciding.Post(ctx, a.Console, d, c.Report.Ref,
			applied.ApplyRequest{Forge: r.Source.Forge, Checkout: r.Checkout})
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
