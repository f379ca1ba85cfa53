package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

func (a *app) profile() *cobra.Command {
	c := &cobra.Command{
		Use:   "profile",
		Short: "Check or list project profiles",
		Args:  console.Wants(0, "check or list"),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.profileCheck(), a.profileList())
	return c
}

func (a *app) profileCheck() *cobra.Command {
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

func (a *app) profileList() *cobra.Command {
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

func (a *app) man(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a folder",
		Hidden: true,
		Args:   console.Wants(1, "a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			root.DisableAutoGenTag = true
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return console.Usage("%w", err)
			}
			now := a.Now()
			return doc.GenManTree(root, &doc.GenManHeader{Title: "SCRUB", Section: "1", Date: &now}, args[0])
		},
	}
}
