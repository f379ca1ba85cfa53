// Package flags has the flags that several commands share.
package flags

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/profile"
)

// Box gives c the flags that say which box to use.
func Box(c *cobra.Command, b *desk.Box) {
	c.Flags().StringVar(&b.Name, "box", "native", "sandbox to use: "+desk.Boxes)
	c.Flags().StringVar(&b.Image, "image", "python:3", "image for --box docker or podman")
	c.Flags().BoolVar(&b.GPU, "gpus", false,
		"let the program use the GPUs of this machine; GPU drivers are outside the sandbox")
	c.Flags().BoolVar(&b.Unsafe, "unsafe-no-sandbox", false,
		"run without any sandbox, as yourself; only for programs you would run by hand")
}

// Program gives c the flags of a program that is run.
func Program(c *cobra.Command, p *desk.Program, runs int) {
	c.Flags().StringVar(&p.Expect, "expect", "", "the symptom to look for: "+Symptoms)
	c.Flags().StringVar(&p.Python, "python", "", "interpreter to run it with")
	c.Flags().StringVar(&p.Profile, "profile", "", "project profile, a name or a folder")
	c.Flags().IntVarP(&p.Runs, "runs", "n", runs, "how often to run it")
	Duration(c, &p.Timeout, "timeout", "time limit for one run (default: the profile's, 120s)")
	Box(c, &p.Box)
}

// Symptoms are the ways to write one.
const Symptoms = "'ValueError: text', SIGSEGV, crash, hang, 'prints: text' or 'lacks: text'"

// Versions gives c the flags for versions of the project's package.
func Versions(c *cobra.Command, v *desk.Versions) {
	c.Flags().StringSliceVar(&v.On, "on", nil,
		"versions of the package to run it with, each in its own environment: 1.2, reported, newest, nightly")
	c.Flags().StringVar(&v.Package, "package", "",
		"the package to test versions of (default: the profile's, or the repository's name)")
	c.Flags().StringSliceVar(&v.Install, "install", nil,
		"other packages to install into these environments; none is installed unasked")
	c.Flags().StringArrayVar(&v.Index, "index", nil,
		"address of a further package index to look in, such as one of nightly builds; may be given several times")
	c.Flags().BoolVar(&v.AllowSource, "allow-source", false,
		"build versions that have no wheel; their code runs in a sandbox that reaches only the package index")
	c.Flags().Int64Var(&v.Disk, "disk", 20, "GiB for all environments; the least recently used are deleted first")
	c.Flags().StringVar(&v.Environments, "environments", "",
		"folder to keep environments in (default: the user's cache)")
}

// Source gives c the flags that say where reports are read from.
func Source(c *cobra.Command, s *desk.Source) {
	c.Flags().StringVar(&s.Forge, "forge", "",
		"instead of GitHub: a folder in which issue 7 of a/b is a/b/7.md or a/b/7.json, or the URL of a server's API")
}

// Duration gives c a flag for a time.
func Duration(c *cobra.Command, d *profile.Duration, name, usage string) {
	c.Flags().DurationVar((*time.Duration)(d), name, 0, usage)
}

// Renamed keeps an old name of a flag, hidden.
func Renamed(c *cobra.Command, old, now string) {
	f := *c.Flags().Lookup(now)
	f.Name, f.Shorthand, f.Hidden = old, "", true
	c.Flags().AddFlag(&f)
}

// Issue gives c the flags of a command that takes a report through the steps.
func Issue(c *cobra.Command, r *desk.IssueRequest, modified *string) {
	Source(c, &r.Source)
	c.Flags().BoolVar(&r.Source.Offline, "offline", false, "use the issue as it was last read here")
	c.Flags().StringVar(&r.Profile, "profile", "",
		"project profile, a name or a folder (default: by the issue's repository)")
	c.Flags().StringVar(&r.Expect, "expect", "",
		"what goes wrong, if the report does not say: 'ValueError: text', SIGSEGV, hang, 'prints: text' or 'lacks: "+
			"text'")
	c.Flags().StringVar(modified, "modified", "",
		"a file with a modified version of the program to run instead; every report says so")
	c.Flags().StringSliceVar(&r.Ignore, "ignore-rule", nil, "triage rules to ignore, by name, or all")
	c.Flags().StringArrayVar(&r.Pythons, "python", nil,
		"interpreter to run it with; several are tested from the oldest to the newest")
	Duration(c, &r.Timeout, "timeout", "time limit for one run (default: the profile's, 120s)")
	c.Flags().IntVarP(&r.Runs, "runs", "n", 0, "how often to run it (default: the profile's, 3)")
	c.Flags().BoolVar(&r.ApproveClean, "approve-clean", false,
		"run the program without asking if nothing dangerous was found in it")
	c.Flags().BoolVar(&r.Yes, "yes", false,
		"install the packages that the program needs, in separate environments, without asking; the package under test both "+
			"as reported and in its newest release")
	c.Flags().BoolVar(&r.Fresh, "fresh", false, "run everything again instead of using cached results")
	c.Flags().BoolVar(&r.Minimize, "minimize", false, "minimize the program, if it shows the bug")
	c.Flags().BoolVar(&r.Why, "why", false,
		"vary the profile's knobs to find what the bug depends on and which component it is in")
	c.Flags().BoolVar(&r.Test, "test", false,
		"write a regression test, if one can be verified to fail with the bug and pass without it")
	c.Flags().StringVar(&r.Fixed, "fixed", "", "an interpreter in which the bug is fixed, for --test")
	c.Flags().StringVar(&r.Checkout, "checkout", "",
		"a work tree of the project, searched for expected-failure marks of a bug that is fixed")
	c.Flags().BoolVar(&r.Since, "since", false, "with --on, find the release that introduced a bug still present")
	c.Flags().BoolVar(&r.NoBisect, "no-bisect", false, "with --on, do not search for the release that fixed the bug")
	c.Flags().StringVar(&r.Git, "git", "", "a clone of the project; with --on, finds the pull request responsible")
	Renamed(c, "despite", "ignore-rule")
	Box(c, &r.Box)
	Versions(c, &r.Versions)
}
