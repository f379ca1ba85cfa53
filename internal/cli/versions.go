package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
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
}

func (f *versionFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.on, "on", nil, "versions of the package to run it with, each in an environment of its own: 1.2, reported, newest")
	c.Flags().StringVar(&f.pkg, "package", "", "the package that --on is about (default: the profile's, or the repository's name)")
	c.Flags().StringSliceVar(&f.install, "install", nil, "other packages to put into these environments; nothing is installed unasked")
	c.Flags().BoolVar(&f.source, "allow-source", false, "build versions that have no wheel, which runs their own code outside the box")
	c.Flags().StringVar(&f.environments, "environments", "", "folder to keep environments in (default: the user's cache)")
}

// runtimes returns what gives the interpreters for the versions that were
// asked for, or nil if none were.
func (f versionFlags) runtimes(a *app, r bug.Report, prof profile.Profile) (func(context.Context, []string) ([]bug.Runtime, error), error) {
	if len(f.on) == 0 && len(f.install) == 0 {
		return nil, nil
	}
	name := f.pkg
	if name == "" {
		name = prof.PackageOf(r.Ref.Repo)
	}
	if name == "" {
		return nil, usage("--on and --install want to know the package: say --package NAME")
	}
	on := f.on
	if len(on) == 0 {
		on = []string{"newest"}
	}
	var all []bug.Runtime
	return func(ctx context.Context, _ []string) ([]bug.Runtime, error) {
		if all != nil {
			return all, nil // what they have does not change while we look
		}
		envs, err := a.environments(ctx, f)
		if err != nil {
			return nil, err
		}
		versions, err := resolve(ctx, envs.Index, name, on, r, prof)
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			env, err := envs.Get(ctx, runtimes.Spec{Package: name, Version: v, With: f.install})
			var cannot runtimes.CannotBuild
			if errors.As(err, &cannot) && len(versions) > 1 {
				fmt.Fprintf(a.err, "scrub: %v; nothing is known about it\n", err)
				continue
			}
			if err != nil {
				return nil, err
			}
			all = append(all, env)
		}
		if len(all) == 0 {
			return nil, errors.New("none of these versions could be built")
		}
		return all, nil
	}, nil
}

// resolve turns what was asked for into versions, oldest first.
func resolve(ctx context.Context, index runtimes.Index, name string, on []string, r bug.Report, prof profile.Profile) ([]string, error) {
	var all []string
	for _, v := range on {
		switch v {
		case "newest":
			released, err := index.Releases(ctx, name)
			if err != nil {
				return nil, err
			}
			released = slices.DeleteFunc(released, func(r runtimes.Release) bool { return r.Pre || r.Yanked })
			if len(released) == 0 {
				return nil, fmt.Errorf("the index has no release of %s", name)
			}
			v = released[len(released)-1].Version
		case "reported":
			var ok bool
			if v, ok = reported(r, name, prof); !ok {
				return nil, fmt.Errorf("the report does not say which version of %s it is about: say --on VERSION", name)
			}
		}
		all = append(all, v)
	}
	slices.SortFunc(all, bug.CompareVersions)
	return slices.Compact(all), nil
}

// reported is the version of a package that a report says it is about.
func reported(r bug.Report, name string, prof profile.Profile) (string, bool) {
	for _, v := range intake.Read(r).Versions {
		if v.Post == 0 && (strings.EqualFold(v.Of, name) || strings.EqualFold(v.Of, prof.Title)) {
			number, _, _ := strings.Cut(v.Is, "+") // how it was built is nobody's version
			return number, true
		}
	}
	return "", false
}

// environments is where environments are built, with what there is to build them.
func (a *app) environments(ctx context.Context, f versionFlags) (*runtimes.Environments, error) {
	places := a.places(nil)
	pythons := places.All(ctx)
	if len(pythons) == 0 {
		return nil, runtimes.ErrNone
	}
	named := a.getenv("UV_INDEX_URL")
	if named == "" {
		named = a.getenv("PIP_INDEX_URL")
	}
	index, err := runtimes.FindIndex(ctx, named, pythons[len(pythons)-1].Path)
	if err != nil {
		return nil, err
	}
	dir := f.environments
	if dir == "" {
		cache := a.getenv("XDG_CACHE_HOME")
		if cache == "" {
			cache = filepath.Join(a.getenv("HOME"), ".cache")
		}
		dir = filepath.Join(cache, "scrub", "environments")
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	uv, _ := exec.LookPath("uv") // pip does it too
	return &runtimes.Environments{Dir: dir, UV: uv, Pythons: pythons, Index: index, Source: f.source, Places: places,
		Tell: func(s string) { fmt.Fprintf(a.err, "scrub: %s\n", s) }}, nil
}
