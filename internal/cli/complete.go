package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/schema"
)

// completions has the shell offer what there is: cases, actions, profiles and the
// words that a flag takes.
func (a *app) completions(root *cobra.Command) {
	by := map[string]cobra.CompletionFunc{
		"show": a.offer(0, cases), "report": a.offer(0, cases), "decide": a.offer(0, cases, "proceed", "skip", "change"),
		"approve": a.offer(-1, actions), "deny": a.offer(-1, actions), "schema": fixed(schema.Names()...),
		"subscription": fixed("show", "save", "restore"),
	}
	words := map[string][]string{
		"box": strings.Split(desk.Boxes, ", "), "steps": {"triage", "run", "when", "small", "why", "test"},
		"on": {"reported", "newest", "nightly"}, "format": {"markdown", "html", "csv", "json"},
		"expect": {"crash", "hang", "prints: ", "lacks: "},
	}
	each(root, func(c *cobra.Command) {
		if f := by[c.Name()]; f != nil && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = f
		}
		for name, all := range words {
			if c.Flags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, fixed(all...)) // there is one of that name
			}
		}
		if c.Flags().Lookup("profile") != nil {
			_ = c.RegisterFlagCompletionFunc("profile", a.offer(-1, profiles))
		}
		if c.Flags().Lookup("package") != nil {
			_ = c.RegisterFlagCompletionFunc("package", a.offer(-1, packages))
		}
	})
}

func each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		each(sub, do)
	}
}

func fixed(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// offer asks the desk for what can stand in a place; behind that place come words.
// At -1 it can stand everywhere.
func (a *app) offer(place int, find func(c *cobra.Command, d *desk.Desk) ([]string, error),
	behind ...string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if place >= 0 && len(args) != place {
			return behind, cobra.ShellCompDirectiveNoFileComp
		}
		if _, err := os.Stat(a.Where()); err != nil && !strings.Contains(a.Where(), "://") {
			return nil, cobra.ShellCompDirectiveNoFileComp // a key that is pressed makes nothing
		}
		var all []string
		err := a.With(func(d *desk.Desk) (err error) {
			d.Tell, d.MayRun, d.MayInstall = nil, nil, nil
			all, err = find(c, d)
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// described is a word for the shell with what it is.
func described(word, what string) string {
	return word + "\t" + bug.Short(bug.Squeeze(report.Clean(what)), 60)
}

func cases(c *cobra.Command, d *desk.Desk) (all []string, err error) {
	rows, err := d.Cases(c.Context())
	for _, one := range rows {
		word := one.ID
		if one.Ref != "" {
			word = one.Ref
		}
		all = append(all, described(word, one.Verdict+": "+one.Title))
	}
	return all, err
}

func actions(c *cobra.Command, d *desk.Desk) (all []string, err error) {
	found, err := d.Actions(c.Context(), desk.ActionsRequest{})
	for _, one := range found {
		all = append(all, described(one.Action.Short(), string(one.Action.Kind)+" on "+one.Action.On.String()))
	}
	return all, err
}

func profiles(c *cobra.Command, d *desk.Desk) (all []string, err error) {
	found, err := d.Profiles(c.Context())
	for _, p := range found {
		all = append(all, described(p.Name, p.About))
	}
	return all, err
}

// packages are those of the built-in profiles and of the cases on record.
func packages(c *cobra.Command, d *desk.Desk) (all []string, err error) {
	found, err := d.Profiles(c.Context())
	for _, p := range found {
		if p.Package != "" {
			all = append(all, p.Package)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), err
}
