package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/desk"
	"scrub/internal/profile"
)

// boxFlags gives c the flags that say which box to use.
func boxFlags(c *cobra.Command, b *desk.Box) {
	c.Flags().StringVar(&b.Name, "box", "native", "sandbox to use: "+desk.Boxes)
	c.Flags().StringVar(&b.Image, "image", "python:3", "image for --box docker or podman")
	c.Flags().BoolVar(&b.GPU, "gpus", false,
		"let the program use the GPUs of this machine; GPU drivers are outside the sandbox")
	c.Flags().BoolVar(&b.Unsafe, "unsafe-no-sandbox", false,
		"run without any sandbox, as yourself; only for programs you would run by hand")
}

// programFlags gives c the flags of a program that is run.
func programFlags(c *cobra.Command, p *desk.Program, runs int) {
	c.Flags().StringVar(&p.Expect, "expect", "", "the symptom to look for: "+symptoms)
	c.Flags().StringVar(&p.Python, "python", "", "interpreter to run it with")
	c.Flags().StringVar(&p.Profile, "profile", "", "project profile, a name or a folder")
	c.Flags().IntVarP(&p.Runs, "runs", "n", runs, "how often to run it")
	durationFlag(c, &p.Timeout, "timeout", "time limit for one run (default: the profile's, 120s)")
	boxFlags(c, &p.Box)
}

// symptoms are the ways to write one.
const symptoms = "'ValueError: text', SIGSEGV, crash, hang, 'prints: text' or 'lacks: text'"

// versionFlags gives c the flags for versions of the project's package.
func versionFlags(c *cobra.Command, v *desk.Versions) {
	c.Flags().StringSliceVar(&v.On, "on", nil,
		"versions of the package to run it with, each in its own environment: 1.2, reported, newest")
	c.Flags().StringVar(&v.Package, "package", "",
		"the package to test versions of (default: the profile's, or the repository's name)")
	c.Flags().StringSliceVar(&v.Install, "install", nil,
		"other packages to install into these environments; none is installed unasked")
	c.Flags().BoolVar(&v.AllowSource, "allow-source", false,
		"build versions that have no wheel; their code runs in a sandbox that reaches only the package index")
	c.Flags().Int64Var(&v.Disk, "disk", 20, "GiB for all environments; the least recently used are deleted first")
	c.Flags().StringVar(&v.Environments, "environments", "",
		"folder to keep environments in (default: the user's cache)")
}

// sourceFlags gives c the flags that say where reports are read from.
func sourceFlags(c *cobra.Command, s *desk.Source) {
	c.Flags().StringVar(&s.Forge, "forge", "",
		"instead of GitHub: a folder in which issue 7 of a/b is a/b/7.md or a/b/7.json, or the URL of a server's API")
}

// durationFlag gives c a flag for a time.
func durationFlag(c *cobra.Command, d *profile.Duration, name, usage string) {
	c.Flags().DurationVar((*time.Duration)(d), name, 0, usage)
}

// renamed keeps an old name of a flag, hidden.
func renamed(c *cobra.Command, old, now string) {
	f := *c.Flags().Lookup(now)
	f.Name, f.Shorthand, f.Hidden = old, "", true
	c.Flags().AddFlag(&f)
}

// source is where a report comes from: a file, - or an issue.
func (a *app) source(name string, from desk.Source) (desk.Source, error) {
	in := io.Reader(a.In)
	if name == "-" {
		from.Name = "standard input"
	} else {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			from.Issue = name
			return from, nil
		}
		if err != nil {
			return from, err
		}
		defer f.Close()
		from.Name, in = name, f
	}
	r, err := desk.Parse(from.Name, in)
	from.Name, from.Report = name, &r
	return from, err
}

// program reads a file that is a program.
func program(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", console.Usage("%w", err)
	}
	defer f.Close()
	return desk.Text(name, f)
}

// atLeast checks that a command has arguments.
func atLeast(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return console.Usage("%s needs at least one %s; see %s -h", c.CommandPath(), what, c.CommandPath())
		}
		return nil
	}
}

// writeFile writes what a person wants to have in a file.
func writeFile(name, text string) error {
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		return console.Usage("%w", err)
	}
	return nil
}
