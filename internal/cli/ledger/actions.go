package ledger

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/action"
	"scrub/internal/bug"
	"scrub/internal/console"
	"scrub/internal/forge"
	"scrub/internal/report"
)

func (a Desk) actions() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "actions [OWNER/REPO#N]",
		Short: "List what scrub wants to do in public, and what became of it",
		Long: `Lists the ledger: every comment, label and closing that was proposed, by its
id, which stands for exactly these bytes on this issue. Nothing is done before
somebody says scrub approve ID, or the profile's rules do, and then scrub apply.`,
		Example: `  scrub actions
  scrub actions octo/snail#7 --json | jq -r '.[] | [.action.kind, .action.text] | @tsv'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.listActions(c.Context(), args, all) },
	}
	c.Flags().BoolVar(&all, "all", false, "those that are done, denied or void, too")
	return c
}

func (a Desk) listActions(ctx context.Context, args []string, all bool) error {
	on, err := refOf(args)
	if err != nil {
		return err
	}
	s, err := a.Open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	entries, err := a.Ledger(s, nil, nil).Entries(ctx)
	if err != nil {
		return err
	}
	shown := []action.Entry{}
	var text strings.Builder
	for _, e := range entries {
		over := e.Status() == "done" || e.Status() == "denied" || e.Status() == "void"
		if on != (bug.Ref{}) && e.Action.On != on || over && !all {
			continue
		}
		shown = append(shown, e)
		fmt.Fprintln(&text, entryLine(e))
		if why := e.Void + e.Failed; why != "" {
			fmt.Fprintf(&text, "              %s\n", why)
		}
	}
	if len(shown) == 0 {
		text.WriteString("nothing waits\n")
	}
	return a.Answer(shown, "%s", report.Clean(text.String()))
}

// refOf is the issue that an argument names, if there is one.
func refOf(args []string) (bug.Ref, error) {
	if len(args) == 0 {
		return bug.Ref{}, nil
	}
	ref, err := bug.ParseRef(args[0])
	if err != nil {
		return ref, console.Usage("%w", err)
	}
	return ref, nil
}

func (a Desk) decideOn(word string, yes bool) *cobra.Command {
	d := action.Decision{Yes: yes}
	c := &cobra.Command{
		Use:   word + " ID…",
		Short: map[bool]string{true: "Agree to exactly these actions", false: "Say no to actions; one no outweighs any number of yeses"}[yes],
		Long: `Puts on record what you decide about actions, by the ids that scrub actions
lists. An id is a digest of all of an action: it stands for these words on this
issue and no others. Nothing is sent; scrub apply does that.`,
		Example: "  scrub " + word + " 347ee48fe5e9 --by ann",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, ids []string) error {
			s, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			d.At = a.Now()
			var all []action.Entry
			var text strings.Builder
			for _, id := range ids {
				e, err := a.Ledger(s, nil, nil).Decide(c.Context(), id, d)
				if err != nil {
					return console.Usage("%w", err)
				}
				all = append(all, e)
				fmt.Fprintln(&text, entryLine(e))
			}
			return a.Answer(all, "%s", report.Clean(text.String()))
		},
	}
	c.Flags().StringVar(&d.By, "by", a.Getenv("USER"), "who decides")
	c.Flags().StringVar(&d.Why, "why", "", "the reason")
	return c
}

func (a Desk) apply() *cobra.Command {
	var at console.Place
	var checkout string
	var dry bool
	c := &cobra.Command{
		Use:   "apply [OWNER/REPO#N]",
		Short: "Do what was agreed to, exactly once, and leave no other trace",
		Long: `Carries out the approved actions, on one issue or on all, one write after the
other with at least a second between. Before each write the live issue is looked
at, and after it again: what is there already is not done twice, and what
cannot be seen is not called done. If the thread has moved on since, nothing is
applied. The notification subscription is saved before the first write and put
back after the last one, unless the issue was closed. After a crash, run it again.`,
		Example: `  scrub apply --dry-run
  scrub apply octo/snail#7`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			on, err := refOf(args)
			if err != nil {
				return err
			}
			s, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			return a.applyOn(c.Context(), s, at, on, checkout, dry)
		},
	}
	c.Flags().StringVar(&at.Where, "forge", "", "a folder or a server to use as the forge")
	c.Flags().BoolVar(&at.Suggest, "suggest", false, "leave labels as GitHub's own suggestions, for a maintainer to accept there")
	c.Flags().StringVar(&checkout, "checkout", "", "a work tree of the project, whose .scrub/consent.toml may forbid what the profile allows")
	c.Flags().BoolVar(&dry, "dry-run", false, "print the requests and send none of them")
	return c
}

func (a Desk) subscription() *cobra.Command {
	var where string
	c := &cobra.Command{
		Use:   "subscription show|save|restore OWNER/REPO#N",
		Short: "Show, save or put back whether you are told of an issue",
		Long: `Writing on an issue subscribes you to it. scrub apply puts that back by itself;
these do it by hand: save before you write, restore after. What was saved is
kept until it is seen to be back.`,
		Example: "  scrub subscription save octo/snail#7",
		Args:    console.Wants(2, "show, save or restore, and OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			ref, err := refOf(args[1:])
			if err != nil {
				return err
			}
			return a.runSubscription(c.Context(), args[0], ref, where)
		},
	}
	c.Flags().StringVar(&where, "forge", "", "a folder or a server to use as the forge")
	return c
}

func (a Desk) runSubscription(ctx context.Context, word string, ref bug.Ref, where string) error {
	s, err := a.Open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	w, err := a.ForgeFor(ctx, s, nil, console.Place{Where: where}, ref)
	if err != nil {
		return err
	}
	l := a.Ledger(s, w, nil)
	var state forge.Subscription
	switch word {
	case "show":
		state, err = w.Subscription(ctx, ref)
	case "save":
		state, err = l.SaveSubscription(ctx, ref)
	case "restore":
		state, err = l.RestoreSubscription(ctx, ref)
	default:
		return console.Usage("%q: say show, save or restore", word)
	}
	if err != nil {
		return err
	}
	name := strings.ToLower(string(state))
	if state == forge.Unknown {
		name = "nothing is known or saved"
	}
	return a.Answer(struct {
		Ref   bug.Ref            `json:"ref"`
		State forge.Subscription `json:"state"`
	}{ref, state}, "%v: %s\n", ref, name)
}
