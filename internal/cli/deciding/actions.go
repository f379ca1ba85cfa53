// Package deciding has the commands with which people decide.
package deciding

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/applied"
	"github.com/scrub-dev/scrub/internal/report"
)

type commands struct{ *console.Console }

// Commands are those with which people decide: what may run, and what may be done
// in public.
func Commands(on *console.Console) []*cobra.Command {
	a := commands{on}
	return []*cobra.Command{a.decide(), a.decisions(), a.actions(), a.consent("approve", true), a.consent("deny", false),
		a.apply(), a.subscription()}
}

func atLeastOne(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return console.Usage("%s needs at least one ID; scrub actions lists them", c.CommandPath())
	}
	return nil
}

func (a commands) actions() *cobra.Command {
	var r desk.ActionsRequest
	c := &cobra.Command{
		Use:   "actions [OWNER/REPO#N]",
		Short: "List proposed public actions and their status",
		Long: `Lists every proposed comment, label change and closing by its id, which stands
for exactly these bytes on this issue. Nothing is done until it is approved,
with scrub approve ID or by the profile's rules, and scrub apply is run.`,
		Example: `  scrub actions
  scrub actions octo/snail#7 --json | jq -r '.[] | [.action.kind, .action.text] | @tsv'`,
		Args: console.AtMost(1, "one OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			r.On = strings.Join(args, "")
			return a.Asks(func(d console.Answerer) error {
				all, err := d.Actions(c.Context(), r)
				if err != nil {
					return err
				}
				return a.Answer(all, actionsText(all))
			})
		},
	}
	c.Flags().BoolVar(&r.All, "all", false, "include those that are done, denied or void")
	return c
}

func (a commands) consent(word string, yes bool) *cobra.Command {
	r := desk.ConsentRequest{Yes: yes}
	c := &cobra.Command{
		Use: word + " ID…",
		Short: map[bool]string{true: "Approve proposed actions",
			false: "Deny proposed actions; one denial outweighs any number of approvals"}[yes],
		Long: `Records your decision about actions, by the ids that scrub actions lists. An id
is a digest of the whole action: it stands for exactly this text on this issue.
Nothing is sent; scrub apply does that.`,
		Example: "  scrub " + word + " 347ee48fe5e9 --by ann",
		Args:    atLeastOne,
		RunE: func(c *cobra.Command, ids []string) error {
			r.IDs = ids
			return a.Asks(func(d console.Answerer) error {
				r.By = a.Who()
				all, err := d.Consent(c.Context(), r)
				if err != nil {
					return err
				}
				return a.Answer(all, actionsText(all))
			})
		},
	}
	c.Flags().StringVar(&r.Why, "why", "", "the reason")
	return c
}

func (a commands) apply() *cobra.Command {
	var r applied.ApplyRequest
	c := &cobra.Command{
		Use:   "apply [OWNER/REPO#N]",
		Short: "Carry out approved actions, each exactly once",
		Long: `Carries out the approved actions, on one issue or on all, one write at a time
with at least a second in between. The live issue is read before and after each
write: what is already there is not done twice, and what cannot be seen
afterwards is not marked as done. If the thread has changed since the proposal,
nothing is applied. The notification subscription is saved before the first
write and restored after the last one, unless the issue was closed. After a
crash, run it again.`,
		Example: `  scrub apply --dry-run
  scrub apply octo/snail#7`,
		Args: console.AtMost(1, "one OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			r.On = strings.Join(args, "")
			return a.With(func(d *desk.Desk) error { return a.runApply(c.Context(), d, r) })
		},
	}
	c.Flags().StringVar(&r.Forge, "forge", "", "a folder or the URL of a server's API to use instead of GitHub")
	c.Flags().BoolVar(&r.Suggest, "suggest", false,
		"suggest labels instead of setting them, for a maintainer to accept on GitHub")
	c.Flags().StringVar(&r.Checkout, "checkout", "",
		"a work tree of the project, whose .scrub/consent.toml may forbid what the profile allows")
	c.Flags().BoolVar(&r.DryRun, "dry-run", false, "print the requests without sending them")
	return c
}

// runApply carries out what was agreed to, and says what was dealt with also if
// something failed.
func (a commands) runApply(ctx context.Context, d *desk.Desk, r applied.ApplyRequest) error {
	shown := a.Out
	if a.JSON {
		shown = a.Err
	}
	r.Request = func(text string) { fmt.Fprint(shown, report.Clean(text)) }
	dealt, failed := applied.Desk{Desk: d}.Apply(ctx, r)
	if r.DryRun && !a.JSON || len(dealt) == 0 && failed != nil {
		return failed
	}
	text := actionsText(dealt)
	if len(dealt) == 0 {
		waiting, err := d.Actions(ctx, desk.ActionsRequest{On: r.On})
		if err != nil {
			return err
		}
		text = "nothing to do: no action is approved\n"
		if n := len(waiting); n > 0 {
			text = fmt.Sprintf("nothing to do: %s proposed and none approved; scrub actions lists them\n",
				bug.Count(n, "action"))
		}
	}
	return errors.Join(a.Answer(dealt, text), failed)
}

func (a commands) subscription() *cobra.Command {
	var r applied.SubscriptionRequest
	c := &cobra.Command{
		Use:   "subscription show|save|restore OWNER/REPO#N",
		Short: "Show, save or restore your notification subscription to an issue",
		Long: `Writing on an issue subscribes you to it. scrub apply restores the previous
subscription by itself; this command does it by hand: save before you write,
restore afterwards. The saved state is kept until the restore is confirmed.`,
		Example: "  scrub subscription save octo/snail#7",
		Args:    console.Wants(2, "show, save or restore, and OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			r.Do, r.On = args[0], args[1]
			return a.With(func(d *desk.Desk) error {
				s, err := applied.Desk{Desk: d}.Subscription(c.Context(), r)
				if err != nil {
					return err
				}
				state := strings.ToLower(string(s.State))
				if state == "" {
					state = "unknown, nothing saved"
				}
				return a.Answer(s, fmt.Sprintf("%v: %s\n", s.Ref, state))
			})
		},
	}
	c.Flags().StringVar(&r.Forge, "forge", "", "a folder or the URL of a server's API to use instead of GitHub")
	return c
}

// Post asks about what is proposed on an issue, and does what was agreed to.
func Post(ctx context.Context, on *console.Console, d *desk.Desk, ref bug.Ref,
	r applied.ApplyRequest) error {
	a := commands{on}
	r.On = ref.String()
	all, err := d.Actions(ctx, desk.ActionsRequest{On: r.On})
	if err != nil {
		return err
	}
	in := bufio.NewReader(a.In)
	for _, e := range all {
		if !e.Waits() {
			continue
		}
		if !a.InTTY || !a.ErrTTY {
			a.Note("%s needs approval: scrub approve %s", actionLine(e), e.Action.Short())
			continue
		}
		word, err := a.Ask(ctx, in, fmt.Sprintf("\n%s\n%s\nApply it? [y]es, [n]o, [l]ater: ",
			report.Clean(actionLine(e)), report.Clean(indented(e.Action.Text))))
		if ctx.Err() != nil {
			return err // nobody there is later
		}
		if word != "y" && word != "yes" && word != "n" && word != "no" {
			continue
		}
		if _, err := d.Consent(ctx, desk.ConsentRequest{IDs: []string{e.ID}, Yes: word[0] == 'y',
			By: d.User}); err != nil {
			return err
		}
	}
	return a.runApply(ctx, d, r)
}

func indented(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
}

// actionLine is an action in one line.
func actionLine(e desk.Action) string {
	text := bug.Short(bug.Squeeze(e.Action.Text), 60)
	return fmt.Sprintf("%s  %-8s  %s on %v: %s", e.Action.Short(), e.Status, e.Action.Kind, e.Action.On, text)
}

// actionsText is a list of actions.
func actionsText(all []desk.Action) string {
	if len(all) == 0 {
		return "no actions\n"
	}
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintln(&b, actionLine(e))
		if why := e.Void + e.Failed; why != "" {
			fmt.Fprintf(&b, "              %s\n", why)
		}
	}
	return b.String()
}
