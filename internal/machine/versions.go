package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
	"github.com/scrub-dev/scrub/internal/triage"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// Versions say which versions of the project's package to run with.
type Versions struct {
	On           []string `json:"on,omitempty"`           // as in 1.2, reported, newest or nightly
	Install      []string `json:"install,omitempty"`      // other packages to put into their environments
	Package      string   `json:"package,omitempty"`      // the profile's, or the repository's name
	Index        []string `json:"index,omitempty"`        // further package indexes, of nightly builds
	AllowSource  bool     `json:"allow_source,omitempty"` // build versions that have no wheel
	Environments string   `json:"environments,omitempty"` // the folder for environments
	Disk         int64    `json:"disk_gib,omitempty"`     // that environments may hold together; 20
	Lenient      bool     `json:"lenient,omitempty"`      // go on with the others where a report does not say which it is about
}

// A Shop is where the versions that were asked for come from.
type Shop struct {
	m    *Machine
	v    Versions
	box  Box
	name string // of the package
	r    bug.Report
	prof profile.Profile
	envs *runtimes.Environments
	all  []bug.Runtime
}

// Shop returns where to get the versions that were asked for, or nil if none
// were.
func (m *Machine) Shop(v Versions, box Box, r bug.Report, prof profile.Profile) (*Shop, error) {
	if len(v.On) == 0 && len(v.Install) == 0 {
		return nil, nil
	}
	s := &Shop{m: m, v: v, box: box, r: r, prof: prof,
		name: cmp.Or(v.Package, triage.PackageOf(prof, r, intake.Read(r)))}
	if len(v.On) == 0 {
		s.v.On = []string{"newest"}
		if s.name == "" {
			s.name = v.Install[0] // it is about nothing but that
		}
	}
	if s.name == "" {
		return nil, refusal.Bad("--on needs a package: use --package NAME")
	}
	return s, nil
}

// open finds out what there is to build with.
func (s *Shop) open(ctx context.Context) (err error) {
	if s.envs == nil {
		s.envs, err = s.m.Environments(ctx, s.box, s.v)
	}
	return err
}

// Newest is the newest release of the package.
func (s *Shop) Newest(ctx context.Context) (string, error) {
	if err := s.open(ctx); err != nil {
		return "", err
	}
	r, err := s.envs.Index.Newest(ctx, s.name)
	return r.Version, err
}

// Runtimes builds what was asked for, once.
func (s *Shop) Runtimes(ctx context.Context, _ []string) ([]bug.Runtime, error) {
	if s.all != nil {
		return s.all, nil // what they have does not change while we look
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	versions, err := resolve(ctx, s.envs.Index, s.name, s.v, s.r, s.prof)
	if err != nil {
		return nil, err
	}
	var specs []runtimes.Spec
	for _, v := range versions {
		specs = append(specs, runtimes.Spec{Package: s.name, Version: v, With: s.v.Install})
	}
	for _, spec := range s.envs.Alike(ctx, specs...) {
		env, err := s.envs.Get(ctx, spec)
		var cannot runtimes.CannotBuild
		if errors.As(err, &cannot) && len(versions) > 1 {
			s.m.tell("install", event.Warning, "%v; skipped", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		if env.Folders, err = s.box.sees(env.Folders); err != nil {
			return nil, err
		}
		s.all = append(s.all, env)
	}
	if len(s.all) == 0 {
		return nil, errors.New("none of these versions could be built")
	}
	return s.all, nil
}

// resolve turns what was asked for into versions, oldest first.
func resolve(ctx context.Context, index index.Index, name string, asked Versions, r bug.Report,
	prof profile.Profile) ([]string, error) {
	var all []string
	for _, v := range asked.On {
		switch v {
		case "newest":
			newest, err := index.Newest(ctx, name)
			if err != nil {
				return nil, err
			}
			v = newest.Version
		case Nightly:
			newest, err := index.Nightly(ctx, name)
			if err != nil {
				return nil, err
			}
			v = newest.Version
		case "reported":
			var ok bool
			v, ok = intake.Read(r).VersionOf(triage.NamesOf(prof, name)...)
			if !ok && asked.Lenient && len(asked.On) > 1 {
				continue
			}
			if !ok {
				return nil, fmt.Errorf("the report does not say which version of %s it is about: use --on VERSION",
					name)
			}
		}
		all = append(all, v)
	}
	slices.SortFunc(all, bug.CompareVersions)
	return slices.Compact(all), nil
}

// With is v with packages that may be installed. The one that a report is about
// comes as it was reported, and as it is now.
func (v Versions) With(packages []string, about, reported string) Versions {
	own := func(name string) bool { return index.SamePackage(name, about) }
	if slices.ContainsFunc(packages, own) && len(v.On) == 0 {
		v.Package, v.On = about, []string{"newest"}
		if reported != "" {
			v.On = []string{"reported", "newest"}
		}
		packages = slices.DeleteFunc(packages, own)
	}
	v.Install = append(slices.Clone(v.Install), packages...)
	return v
}

// Package is the one whose versions these are.
func (s *Shop) Package() string { return s.name }

// Built are the environments that are there, those used last first.
func (m *Machine) Built(v Versions) []runtimes.Kept { return runtimes.KeptIn(m.folder(v)) }

// folder is where environments are.
func (m *Machine) folder(v Versions) string {
	return cmp.Or(v.Environments, filepath.Join(m.Cache, "environments"))
}

// Environments is where environments are built, with what there is to build them.
func (m *Machine) Environments(ctx context.Context, box Box, v Versions) (*runtimes.Environments, error) {
	if box.Own() {
		return nil, refusal.Bad("--box %s runs the Python of its image: versions of a package can be built for the "+
			"native sandbox only", box.Name)
	}
	t, err := m.toolsFor(ctx, box)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(m.folder(v))
	if err != nil {
		return nil, err
	}
	for _, at := range v.Index {
		if u, err := url.Parse(at); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, refusal.Bad("--index %s: want the address of a package index, as in https://host/simple", at)
		}
	}
	all := t.index
	all.More = v.Index
	return &runtimes.Environments{
		Dir: dir, UV: uv(t.pythons), Pythons: t.pythons, Index: all, Source: v.AllowSource, Places: t.places,
		Budget: cmp.Or(v.Disk, 20) << 30,
		Tell:   func(how event.State, s string) { m.tell("install", how, "%s", s) },
	}, nil
}

// Nightly is the newest build of all, where a version is named.
const Nightly = "nightly"

// tools are what environments are built with. They do not change while scrub runs.
type tools struct {
	places  runtimes.Places
	pythons []bug.Runtime
	index   index.Index
}

// toolsFor finds what there is to build with, once: every interpreter is asked what it is.
func (m *Machine) toolsFor(ctx context.Context, box Box) (t tools, err error) {
	m.mu.Lock()
	t, ok := m.tools[box]
	m.mu.Unlock()
	if ok {
		return t, nil
	}
	if t.places, err = m.places(ctx, box, nil); err != nil {
		return t, err
	}
	if t.pythons = t.places.All(ctx); len(t.pythons) == 0 {
		return t, runtimes.ErrNone
	}
	if t.index, err = t.places.FindIndex(ctx, m.Index, t.pythons[len(t.pythons)-1]); err != nil {
		return t, err
	}
	t.index.Kept = &index.Kept{Now: m.Now}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tools == nil {
		m.tools = map[Box]tools{}
	}
	m.tools[box] = t
	return t, nil
}

// A CommitsFunc finds the commits between two versions.
type CommitsFunc = func(ctx context.Context, from, to string) (runtimes.Line, []bug.Commit, error)

// CommitsOf goes through the commits of a clone, with the environments of the shop.
func (s *Shop) CommitsOf(ctx context.Context, dir string, spec runtimes.Spec) (CommitsFunc, error) {
	return s.m.Commits(ctx, s.envs, dir, spec)
}

// History is the line of releases between two that were asked, or up to the last
// one if it is to be found out since when.
func (s *Shop) History(ctx context.Context, first, last bug.Runtime, since bool) (runtimes.Line, runtimes.Spec, error) {
	if err := s.open(ctx); err != nil {
		return runtimes.Line{}, runtimes.Spec{}, err
	}
	from, to := first.Packages[s.name], last.Packages[s.name]
	if from == "" || to == "" {
		return runtimes.Line{}, runtimes.Spec{}, errors.New("the versions that were asked do not say what they are")
	}
	alike := s.envs.Alike(ctx, runtimes.Spec{Package: s.name, Version: from, With: s.v.Install})
	if since {
		from = "" // it came in before that
	}
	line, err := s.envs.Line(ctx, alike[0], from, to)
	return line, alike[0], err
}

// Commits is how to go through the commits of a clone.
func (m *Machine) Commits(ctx context.Context, envs *runtimes.Environments, dir string,
	spec runtimes.Spec) (CommitsFunc, error) {
	clone, err := history.Open(ctx, dir, filepath.Join(envs.Dir, "clones"))
	if err != nil {
		return nil, refusal.Bad("--git: %w", err)
	}
	trees := history.Trees{Clone: clone, Dir: filepath.Join(envs.Dir, "trees"), Keep: 50, Now: m.Now}
	return func(ctx context.Context, from, to string) (runtimes.Line, []bug.Commit, error) {
		spec.Version = from
		base, err := envs.Get(ctx, spec)
		if err != nil {
			return runtimes.Line{}, nil, err
		}
		return trees.Commits(ctx, spec.Package, from, to, base)
	}, nil
}
