package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/intake"
	"scrub/internal/profile"
	"scrub/internal/runtimes"
)

// versionFlags say which versions of the project's package to run with.
type versionFlags struct {
	on, install  []string
	pkg          string
	source       bool
	environments string
	disk         int64
}

func (f *versionFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.on, "on", nil, "versions of the package to run it with, each in an environment of its own: 1.2, reported, newest")
	c.Flags().StringVar(&f.pkg, "package", "", "the package that versions are of (default: the profile's, or the repository's name)")
	c.Flags().StringSliceVar(&f.install, "install", nil, "other packages to put into these environments; nothing is installed unasked")
	c.Flags().BoolVar(&f.source, "allow-source", false, "build versions that have no wheel, which runs their own code, in a box that reaches the package index alone")
	c.Flags().Int64Var(&f.disk, "disk", 20, "GiB that environments may hold together; those used least recently go first")
	c.Flags().StringVar(&f.environments, "environments", "", "folder to keep environments in (default: the user's cache)")
}

// A shop is where the versions that were asked for come from.
type shop struct {
	a    *app
	f    versionFlags
	box  console.BoxFlags
	name string // of the package
	r    bug.Report
	prof profile.Profile
	envs *runtimes.Environments
	all  []bug.Runtime
}

// shop returns where to get the versions that were asked for, or nil if none
// were.
func (f versionFlags) shop(a *app, box console.BoxFlags, r bug.Report, prof profile.Profile) (*shop, error) {
	if len(f.on) == 0 && len(f.install) == 0 {
		return nil, nil
	}
	s := &shop{a: a, f: f, box: box, name: cmp.Or(f.pkg, prof.PackageOf(r.Ref.Repo)), r: r, prof: prof}
	if len(f.on) == 0 {
		s.f.on = []string{"newest"}
		if s.name == "" {
			s.name = f.install[0] // it is about nothing but that
		}
	}
	if s.name == "" {
		return nil, console.Usage("--on wants to know the package: say --package NAME")
	}
	return s, nil
}

// open finds out what there is to build with.
func (s *shop) open(ctx context.Context) (err error) {
	if s.envs == nil {
		s.envs, err = s.a.environments(ctx, s.box, s.f)
	}
	return err
}

// newest is the newest release of the package.
func (s *shop) newest(ctx context.Context) (string, error) {
	if err := s.open(ctx); err != nil {
		return "", err
	}
	r, err := s.envs.Index.Newest(ctx, s.name)
	return r.Version, err
}

// runtimes builds what was asked for, once.
func (s *shop) runtimes(ctx context.Context, _ []string) ([]bug.Runtime, error) {
	if s.all != nil {
		return s.all, nil // what they have does not change while we look
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	versions, err := resolve(ctx, s.envs.Index, s.name, s.f.on, s.r, s.prof)
	if err != nil {
		return nil, err
	}
	var specs []runtimes.Spec
	for _, v := range versions {
		specs = append(specs, runtimes.Spec{Package: s.name, Version: v, With: s.f.install})
	}
	if specs, err = s.envs.Alike(ctx, specs...); err != nil {
		return nil, err
	}
	for _, spec := range specs {
		env, err := s.envs.Get(ctx, spec)
		var cannot runtimes.CannotBuild
		if errors.As(err, &cannot) && len(versions) > 1 {
			fmt.Fprintf(s.a.Err, "scrub: %v; nothing is known about it\n", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		s.all = append(s.all, env)
	}
	if len(s.all) == 0 {
		return nil, errors.New("none of these versions could be built")
	}
	return s.all, nil
}

// mayInstall asks a person which of the packages that a program lacks may be
// installed.
func (a *app) mayInstall(ctx context.Context, c casefile.Case, f issueFlags) ([]string, error) {
	if c.Reading == nil || len(c.Reading.Missing) == 0 || !a.InTTY || !a.ErrTTY || f.box.Own() || len(f.versions.install)+len(f.pythons) > 0 {
		return nil, nil
	}
	prof, err := console.ProfileFor(f.profile, c.Report.Ref.Repo)
	if err != nil {
		return nil, err
	}
	envs, err := a.environments(ctx, f.box, f.versions)
	if err != nil {
		return nil, err
	}
	return a.MayInstall(ctx, a.Lacks(ctx, c.Reading.Missing, prof, prof.PackageOf(c.Report.Ref.Repo), envs))
}

// resolve turns what was asked for into versions, oldest first.
func resolve(ctx context.Context, index runtimes.Index, name string, on []string, r bug.Report, prof profile.Profile) ([]string, error) {
	var all []string
	for _, v := range on {
		switch v {
		case "newest":
			newest, err := index.Newest(ctx, name)
			if err != nil {
				return nil, err
			}
			v = newest.Version
		case "reported":
			var ok bool
			if v, ok = intake.Read(r).VersionOf(name, prof.Title); !ok {
				return nil, fmt.Errorf("the report does not say which version of %s it is about: say --on VERSION", name)
			}
		}
		all = append(all, v)
	}
	slices.SortFunc(all, bug.CompareVersions)
	return slices.Compact(all), nil
}

// environments is where environments are built, with what there is to build them.
func (a *app) environments(ctx context.Context, box console.BoxFlags, f versionFlags) (*runtimes.Environments, error) {
	if box.Own() {
		return nil, console.Usage("--box %s runs the Python of its image: versions of a package can be built for the native box only", box.Name)
	}
	places, err := a.Places(ctx, box, nil)
	if err != nil {
		return nil, err
	}
	pythons := places.All(ctx)
	if len(pythons) == 0 {
		return nil, runtimes.ErrNone
	}
	named := a.Getenv("UV_INDEX_URL")
	if named == "" {
		named = a.Getenv("PIP_INDEX_URL")
	}
	index, err := places.FindIndex(ctx, named, pythons[len(pythons)-1])
	if err != nil {
		return nil, err
	}
	dir := f.environments
	if dir == "" {
		dir = a.CacheDir("environments")
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	uv, _ := exec.LookPath("uv") // pip does it too
	return &runtimes.Environments{Dir: dir, UV: uv, Pythons: pythons, Index: index, Source: f.source, Places: places, Budget: f.disk << 30,
		Tell: func(s string) { fmt.Fprintf(a.Err, "scrub: %s\n", s) }}, nil
}
