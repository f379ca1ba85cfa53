// Package cli is the scrub command: the only place where flags, the
// environment, the clock and the terminal are read.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cli/agents"
	"github.com/scrub-dev/scrub/internal/cli/deciding"
	"github.com/scrub-dev/scrub/internal/cli/fixing"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/cli/guiding"
	"github.com/scrub-dev/scrub/internal/cli/profiling"
	"github.com/scrub-dev/scrub/internal/cli/serving"
	"github.com/scrub-dev/scrub/internal/cli/sweeping"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/report"
)

// machineGroup is the title of the commands about scrub itself.
const machineGroup = "scrub and this machine"

// A group is commands that belong together, in the order in which they are met.
type group struct {
	title    string
	commands []*cobra.Command
}

func (a *app) groups(root *cobra.Command) []group {
	return []group{
		{"One report", []*cobra.Command{a.demo(), a.issue(), a.triage(), a.vet(), fixing.CheckFix(a.Console, a.complete)}},
		{"One program", []*cobra.Command{a.run(), a.minimize(), a.bisect(), a.ablate(), a.classify(), a.logs(),
			fixing.Regress(a.Console, a.complete)}},
		{"What was found", []*cobra.Command{a.cases(), a.show(), a.report(), serving.Command(a.Console)}},
		{"Decisions", deciding.Commands(a.Console)},
		{"A whole backlog", sweeping.Commands(a.Console)},
		{"Coding agents", []*cobra.Command{agents.MCP(a.Console, version()), agents.Skills(a.Console),
			agents.Guess(a.Console, a.complete),
			guiding.Command(a.Console)}},
		{"A project", profiling.Commands(a.Console)},
		{machineGroup, []*cobra.Command{a.doctor(), a.prune(), a.schema(), a.man(root)}},
	}
}

// An app has all commands as its methods.
type app struct{ *console.Console }

// Main runs the command that args name and returns its exit code.
func Main(ctx context.Context, args []string, in, out, errOut *os.File) int {
	a := &app{&console.Console{
		In: in, Out: out, Err: errOut, InTTY: console.IsTerminal(in), OutTTY: console.IsTerminal(out),
		ErrTTY: console.IsTerminal(errOut),
		Getenv: os.Getenv, Now: time.Now,
	}}
	root := a.root()
	root.SetArgs(flags.Extension(filepath.Base(os.Args[0]), args))
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	a.Close()
	code, err := a.exitCode(ctx, err)
	if err != nil {
		fmt.Fprintf(errOut, "scrub: %s\n", bug.Squeeze(report.Clean(err.Error())))
	}
	return code
}

// exitCode is how a command ends, and what is left to say.
func (a *app) exitCode(ctx context.Context, err error) (int, error) {
	codes := map[refusal.Kind]int{refusal.BadRequest: console.Misused, refusal.Undecided: console.Undecided,
		refusal.Nothing: console.No}
	var e console.Exit
	var no refusal.Refusal
	switch {
	case err == nil:
		return console.Done, nil
	case errors.As(err, &e):
		return e.Code, e.Err
	case errors.As(err, &no):
		return codes[no.Kind], err
	case strings.HasPrefix(err.Error(), "unknown command"):
		return console.Misused, err
	case ctx.Err() != nil && a.Saved() > 0:
		return console.Failed, fmt.Errorf("interrupted; %s saved: run the same command again to continue",
			bug.Count(int(a.Saved()), "result"))
	case ctx.Err() != nil:
		return console.Failed, errors.New("interrupted")
	}
	return console.Failed, err
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "scrub",
		Short: "Check bug reports by running them in a sandbox",
		Long: `scrub takes a bug report and answers what a careful maintainer would ask:
does it contain a program, is it safe to run, does it still fail in the same
way, and how often? It runs the program in a sandbox without network access and
reports what happened. Nothing is posted until you approve its exact text.

Start with:  scrub demo       ten sample reports, no network needed
             scrub doctor     what this machine has and what it lacks
             scrub issue FILE, or OWNER/REPO#N`,
		Version: version(),
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return console.Usage("unknown command %q; scrub -h lists them", args[0])
			}
			if !a.OutTTY || a.JSON {
				return c.Help()
			}
			return deciding.Next(c.Context(), a.Console)
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().StringVar(&a.State, "state", "",
		"state file or postgres:// address (default: scrub/scrub.db in $XDG_STATE_HOME or ~/.local/state)")
	root.PersistentFlags().StringVar(&a.Server, "server", "",
		"ask the page of this address in place of the state, with the token in SCRUB_TOKEN: cases, show, report, actions, "+
			"approve, deny")
	root.PersistentFlags().BoolVar(&a.JSON, "json", false,
		"print one JSON document on stdout; everything else goes to stderr")
	root.PersistentFlags().StringVar(&a.By, "by", "", "name to record decisions under (default: your login)")
	root.PersistentFlags().BoolVarP(&a.Quiet, "quiet", "q", false, "show no progress")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return console.Usage("%w; see %s -h", err,
			c.CommandPath())
	})
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if a.Server != "" && !slices.Contains([]string{"cases", "show", "report", "actions", "approve", "deny"}, c.Name()) {
			return console.Usage("--server: %s works with what is here; cases, show, report, actions, approve and deny can be "+
				"asked of a page", c.CommandPath())
		}
		return nil
	}
	for _, g := range a.groups(root) {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID(machineGroup)
	root.SetCompletionCommandGroupID(machineGroup)
	a.completions(root)
	return root
}
