// Package profiling has the commands that describe projects to scrub.
package profiling

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

type commands struct{ *console.Console }

// Commands are those that describe projects to scrub.
func Commands(on *console.Console) []*cobra.Command {
	a := commands{on}
	return []*cobra.Command{a.newProfile(), a.profile()}
}

func (a commands) profile() *cobra.Command {
	c := &cobra.Command{
		Use:   "profile",
		Short: "Check or list project profiles",
		Args:  console.Wants(0, "check or list"),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.profileCheck(), a.profileList())
	return c
}

func (a commands) profileCheck() *cobra.Command {
	return &cobra.Command{
		Use:     "check DIR",
		Short:   "Check a profile folder and report errors with file and line",
		Example: "  scrub profile check ./my-profile",
		Args:    console.Wants(1, "a folder or the name of a profile"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.With(func(d *desk.Desk) error {
				p, err := d.Profile(c.Context(), args[0])
				if err != nil {
					return err
				}
				return a.Answer(p, profileText(p))
			})
		},
	}
}

// profileText says that a profile is in order.
func profileText(p desk.Profile) string {
	if p.Extends == "" {
		return fmt.Sprintf("%s: ok, %d rules\n", p.Name, p.Rules)
	}
	return fmt.Sprintf("%s: ok, %d rules, including those of %s\n", p.Name, p.Rules, p.Extends)
}

func (a commands) profileList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the built-in profiles",
		Args:  console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.With(func(d *desk.Desk) error {
				all, err := d.Profiles(c.Context())
				if err != nil {
					return err
				}
				var text strings.Builder
				for _, p := range all {
					fmt.Fprintf(&text, "%-10s %s\n", p.Name, p.About)
				}
				return a.Answer(all, text.String())
			})
		},
	}
}
