package profiling

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/surveyed"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a commands) newProfile() *cobra.Command {
	var r surveyed.Request
	var out string
	c := &cobra.Command{
		Use:   "init [CLONE]",
		Short: "Make a profile for a project from its repository",
		Long: `Reads the files of a clone's newest commit and writes a profile: what the package
is called and imported by, which labels its issue forms use, where its tests are
and how they are written, and what names mean in its own examples, so that
programs which leave their imports out can be run. Nothing of the project is run.

The profile is a folder of TOML files to read and to change; scrub profile check
checks it.`,
		Example: `  scrub init .                                     # in a clone of your project
  scrub init ~/src/snail --repo octo/snail --out snail-profile
  scrub issue octo/snail#7 --profile snail-profile`,
		Args: console.AtMost(1, "one CLONE"),
		RunE: func(c *cobra.Command, args []string) error {
			r.Clone = strings.Join(args, "")
			if r.Clone == "" {
				r.Clone = "."
			}
			return a.With(func(d *desk.Desk) error {
				s, err := surveyed.Desk{Desk: d}.Survey(c.Context(), r)
				if err != nil {
					return err
				}
				if out == "" {
					out = strings.ToLower(filepath.Base(s.Package)) + "-profile"
				}
				if err := s.Write(out); err != nil {
					return err
				}
				if _, err := d.Profile(c.Context(), out); err != nil {
					return fmt.Errorf("the profile is in %s, but it cannot be used yet: %w", out, err)
				}
				return a.Answer(s, surveyText(s, out))
			})
		},
	}
	c.Flags().StringVar(&r.Repo, "repo", "", "where its issues are, OWNER/REPO (default: as the clone says)")
	c.Flags().StringVar(&out, "out", "", "folder for the profile (default: PACKAGE-profile)")
	return c
}

// surveyText says what was found, and how to use it.
func surveyText(s surveyed.Survey, out string) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-10s %s\n", name, value)
		}
	}
	line("package", s.Package)
	line("imported", strings.Join(s.Modules, ", "))
	line("issues", s.Repo)
	line("labels", strings.Join(s.Labels, ", "))
	line("tests", s.Tests)
	line("examples", fmt.Sprintf("give a meaning to %s", bug.Count(len(s.Names), "name")))
	about := s.Repo + "#N"
	if s.Repo == "" {
		about = "report.md"
	}
	fmt.Fprintf(&b, "\nThe profile is in %s. Try it: %s\n", out, report.Shell("scrub", "issue", about, "--profile", out))
	return b.String()
}
