package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"scrub/internal/console"
	"scrub/internal/profile"
)

func (a *app) profile() *cobra.Command {
	c := &cobra.Command{
		Use:   "profile",
		Short: "Look at what is known about projects",
		Args:  console.Wants(0, "check or list"),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.profileCheck(), a.profileList())
	return c
}

// A profileFact is what list and check print as JSON.
type profileFact struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Extends string   `json:"extends,omitempty"`
	Repos   []string `json:"repos,omitempty"`
	Rules   int      `json:"rules"`
}

func factOf(p profile.Profile) profileFact {
	return profileFact{p.Name, p.About, p.Extends, p.Repos, len(p.Triage) + len(p.Symptoms) + len(p.Vet)}
}

func (a *app) profileCheck() *cobra.Command {
	return &cobra.Command{
		Use:     "check DIR",
		Short:   "Check a profile folder and say what is wrong with it, file and line",
		Example: "  scrub profile check ./my-profile",
		Args:    console.Wants(1, "a folder or the name of a profile"),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := console.Checked(profile.Load(args[0]))
			if err != nil {
				return err
			}
			f := factOf(p)
			return a.Answer(f, "%s: fine, %d rules with those of %s\n", f.Name, f.Rules, orNobody(f.Extends))
		},
	}
}

func orNobody(s string) string {
	if s == "" {
		return "nobody else"
	}
	return s
}

func (a *app) profileList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the profiles that scrub brings along",
		Args:  console.Wants(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			var all []profileFact
			var text strings.Builder
			for _, name := range profile.Names() {
				p, err := console.Checked(profile.Load(name))
				if err != nil {
					return err
				}
				all = append(all, factOf(p))
				fmt.Fprintf(&text, "%-10s %s\n", p.Name, p.About)
			}
			return a.Answer(all, "%s", text.String())
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
			now := a.Now()
			return doc.GenManTree(root, &doc.GenManHeader{Title: "SCRUB", Section: "1", Date: &now}, args[0])
		},
	}
}
