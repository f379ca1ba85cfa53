package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/history"
	"scrub/internal/pipeline"
	"scrub/internal/report"
	"scrub/internal/runtimes"
	"scrub/internal/sandbox"
)

// bisectFlags are the flags of scrub bisect.
type bisectFlags struct {
	expect, profile   string
	good, bad, within string
	git, cmd          string
	folder, conda     string
	times, jobs       int
	timeout           time.Duration
	box               console.BoxFlags
	versions          versionFlags
}

func (a *app) bisect() *cobra.Command {
	var f bisectFlags
	c := &cobra.Command{
		Use:   "bisect FILE --package NAME",
		Short: "Find the release, and with a clone the pull request, that fixed or broke something",
		Long: `Finds where in the releases of a package a program began or ceased to show its
symptom. Both ends are seen before anything is said: one release must show it
and one must not. Releases that cannot be built or that do something else
stay in the range that is told. Without --bad and --good they are looked for
from the newest release backwards.

With --git DIR, a clone of the project, it goes on among the commits between the
two releases, each run from its tree, and names the pull request. That needs
a package that runs without being built; otherwise commits are only ranked.

With --cmd a command answers, as for git bisect run: exit code 0 is good, 125 means
that it cannot be tested, and others up to 127 are bad. It runs outside the box,
in the tree of each commit with --git, or with each of --versions in place of {}.

What was seen is remembered: the same command again, also after a crash, asks
no version twice.`,
		Example: `  scrub bisect repro.py --package sympy
  scrub bisect repro.py --package sympy --expect 'prints: 2*x' --bad 1.1 --good 1.9 --git ~/sympy
  scrub bisect repro.py --package xarray --versions 0.12..0.20 --json | jq -r .words
  scrub bisect --cmd 'make -s test' --git . --good v1.0 --bad HEAD
  scrub bisect --cmd './check.sh {}' --versions 1.0,1.1,1.2,2.0`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runBisect(c.Context(), args, f) },
	}
	c.Flags().StringVar(&f.expect, "expect", "", "the symptom: 'ValueError: text', SIGSEGV, crash, hang, 'prints: text' or 'lacks: text' (default: how it fails)")
	c.Flags().StringVar(&f.bad, "bad", "", "a version that shows it")
	c.Flags().StringVar(&f.good, "good", "", "a version that does not")
	c.Flags().StringVar(&f.within, "versions", "", "the versions to look through: A..B, A.. or ..B")
	c.Flags().StringVar(&f.git, "git", "", "a clone of the project, to find the commit")
	c.Flags().StringVar(&f.folder, "folder", "", "a folder of environments that have versions of the package, instead of releases from the index")
	c.Flags().StringVar(&f.conda, "conda", "", "conda environments that have them, by their names, as in pytorch-{version}")
	c.Flags().StringVar(&f.cmd, "cmd", "", "a command that answers for a version, with the exit codes of git bisect run")
	c.Flags().StringVar(&f.profile, "profile", "", "what is known about the project: a name or a folder")
	c.Flags().IntVarP(&f.times, "runs", "n", 3, "how often to run it on each end; once in between if it always does the same there")
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "versions to ask at once (default: one for each processor)")
	c.Flags().DurationVar(&f.timeout, "timeout", 120*time.Second, "time for one run")
	f.box.Add(c)
	f.versions.add(c)
	_ = c.Flags().MarkHidden("on") // it has a line of versions of its own
	return c
}

// found is what scrub bisect says.
type found struct {
	Words string `json:"words"`
	From  string `json:"from,omitempty"` // the neighbours between which it changed, if that is sure
	To    string `json:"to,omitempty"`
	Pull  int    `json:"pull_request,omitempty"` // if that is sure
	*casefile.When
}

func (a *app) runBisect(ctx context.Context, args []string, f bisectFlags) error {
	switch {
	case f.times < 1 || f.jobs < 0 || f.timeout <= 0:
		return console.Usage("--runs and --timeout must be more than nothing, and --jobs cannot be less")
	case f.cmd != "" && (len(args) > 0 || f.expect != ""):
		return console.Usage("with --cmd the command alone decides: no FILE and no --expect with it")
	case f.cmd == "" && len(args) != 1:
		return console.Usage("want one FILE, or --cmd")
	case f.folder != "" && f.conda != "", (f.folder != "" || f.conda != "") && f.git != "":
		return console.Usage("--folder, --conda and --git are different places to look for versions: say one")
	case f.cmd == "" && f.versions.pkg == "":
		return console.Usage("of which package? say --package NAME")
	}
	v := a.View()
	defer v.Close()
	var when *casefile.When
	var err error
	if f.cmd != "" {
		when, err = a.bisectBy(ctx, v, f)
	} else {
		when, err = a.bisectProgram(ctx, v, args[0], f)
	}
	if err != nil {
		return err
	}
	v.Pause()
	return a.sayWhen(when)
}

func (a *app) sayWhen(when *casefile.When) error {
	said := found{Words: when.Words(), When: when}
	if from, to, ok := when.Exact(); ok {
		said.From, said.To = from, to
	}
	if s, sure := when.Culprit(); sure {
		said.Pull = s.Pull
	}
	return a.Answer(said, "%s", report.Clean(report.When(*when)))
}

// bisectProgram looks through the releases of a package with a program.
func (a *app) bisectProgram(ctx context.Context, v *console.View, file string, f bisectFlags) (*casefile.When, error) {
	text, err := console.ReadProgram(file)
	if err != nil {
		return nil, err
	}
	box, err := a.Box(f.box)
	if err != nil {
		return nil, err
	}
	q, c, err := a.question(ctx, v, box, text, runFlags{expect: f.expect, profile: f.profile, times: f.times, timeout: f.timeout})
	if err != nil {
		return nil, err
	}
	s, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	prof, err := console.ProfileFor(f.profile, "")
	if err != nil {
		return nil, err
	}
	envs, err := a.environments(ctx, f.box, f.versions)
	if err != nil {
		return nil, err
	}
	c.Symptom, c.Package, c.Project = q.Symptom, f.versions.pkg, f.versions.pkg
	c.Consent = casefile.Consent{Said: casefile.Proceed, By: "whoever named the program"}
	p := &pipeline.Pipeline{Profile: prof, Box: box, Log: s, Tell: v.Tell, Now: a.Now, Times: f.times, Workers: a.jobs(f.jobs), Limits: sandbox.Limits{Time: f.timeout},
		Decide: func(context.Context, casefile.Case) (casefile.Consent, error) { return c.Consent, nil }}
	spec, line, err := a.releases(ctx, envs, f)
	if err != nil {
		return nil, err
	}
	if f.git != "" {
		if p.Commits, err = a.commits(ctx, envs, f.git, spec); err != nil {
			return nil, err
		}
	}
	return p.Since(ctx, *c, line, pipeline.Said{Bad: f.bad != "", Good: f.good != ""})
}

// releases is the line of releases that flags ask for.
func (a *app) releases(ctx context.Context, envs *runtimes.Environments, f bisectFlags) (runtimes.Spec, pipeline.Line, error) {
	from, to, ok := strings.Cut(f.within, "..")
	if f.within != "" && !ok {
		return runtimes.Spec{}, pipeline.Line{}, console.Usage("--versions is A..B, A.. or ..B")
	}
	spec := runtimes.Spec{Package: f.versions.pkg, With: f.versions.install}
	line, err := a.line(ctx, envs, spec, f, from, to)
	if err != nil {
		return spec, line, err
	}
	oldest := 0
	for _, end := range []struct {
		said string
		at   *int
	}{{f.bad, &line.Bad}, {f.good, &line.Good}} {
		if end.said == "" {
			continue
		}
		if *end.at = slices.IndexFunc(line.Names, func(n string) bool { return bug.CompareVersions(n, end.said) == 0 }); *end.at < 0 {
			return spec, line, console.Usage("%s is no release of %s that can be built here; there are %s", end.said, spec.Package, report.Row(line.Names))
		}
	}
	if f.bad != "" && f.good != "" {
		oldest = min(line.Bad, line.Good)
	}
	if f.folder != "" || f.conda != "" {
		return spec, line, nil
	}
	// All on one Python, as far as they run on it: what differs is then theirs.
	spec.Version = line.Names[oldest]
	alike, err := envs.Alike(ctx, spec)
	if err != nil {
		return spec, line, err
	}
	said := [2]int{line.Bad, line.Good}
	line, err = pipeline.Releases(ctx, envs, alike[0], from, to)
	line.Bad, line.Good = said[0], said[1]
	return alike[0], line, err
}

// line is the versions to look through.
func (a *app) line(ctx context.Context, envs *runtimes.Environments, spec runtimes.Spec, f bisectFlags, from, to string) (pipeline.Line, error) {
	var all []bug.Runtime
	var err error
	switch {
	case f.folder != "":
		all, err = envs.Places.InFolder(ctx, f.folder, spec.Package)
	case f.conda != "":
		all, err = envs.Places.OfConda(ctx, f.conda, spec.Package)
	default:
		return pipeline.Releases(ctx, envs, spec, from, to)
	}
	if err != nil {
		return pipeline.Line{}, err
	}
	return pipeline.Interpreters(spec.Package, all)
}

// commits is how to go through the commits of a clone.
func (a *app) commits(ctx context.Context, envs *runtimes.Environments, dir string, spec runtimes.Spec) (func(context.Context, string, string) (pipeline.Line, []bug.Commit, error), error) {
	clone, err := history.Open(ctx, dir, filepath.Join(envs.Dir, "clones"))
	if err != nil {
		return nil, console.Usage("--git: %w", err)
	}
	trees := history.Trees{Clone: clone, Dir: filepath.Join(envs.Dir, "trees"), Keep: 50, Now: a.Now}
	return func(ctx context.Context, from, to string) (pipeline.Line, []bug.Commit, error) {
		spec := spec
		spec.Version = from
		base, err := envs.Get(ctx, spec)
		if err != nil {
			return pipeline.Line{}, nil, err
		}
		return pipeline.Commits(ctx, trees, spec.Package, from, to, base)
	}, nil
}

// issueHistory lets scrub issue find out since when something is fixed.
func (a *app) issueHistory(p *pipeline.Pipeline, s *shop, f issueFlags) {
	p.Workers, p.Still = a.jobs(0), f.since
	git := f.git
	p.History = func(ctx context.Context, c casefile.Case) (pipeline.Line, error) {
		if err := s.open(ctx); err != nil {
			return pipeline.Line{}, err
		}
		first, last := c.Asked[0].Runtime.Packages[s.name], c.Asked[len(c.Asked)-1].Runtime.Packages[s.name]
		if first == "" || last == "" {
			return pipeline.Line{}, errors.New("the versions that were asked do not say what they are")
		}
		alike, err := s.envs.Alike(ctx, runtimes.Spec{Package: s.name, Version: first, With: s.f.install})
		if err != nil {
			return pipeline.Line{}, err
		}
		spec := alike[0]
		if verdict, _ := c.Verdict(); verdict == casefile.Reproduces || verdict == casefile.Flaky {
			first = "" // it came in before that
		}
		if git != "" {
			if p.Commits, err = a.commits(ctx, s.envs, git, spec); err != nil {
				return pipeline.Line{}, err
			}
		}
		return pipeline.Releases(ctx, s.envs, spec, first, last)
	}
}
