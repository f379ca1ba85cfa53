package runtimes

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
)

// A Line is versions in a row that can be asked.
type Line struct {
	Of    string   // what they are of
	Names []string // oldest first
	Bad   int      // one that is said to show the bug
	Good  int      // one that is said not to
	Note  string   // what else to know of it
	// Get makes a version ready; why says that it cannot be, which is no failure.
	Get func(ctx context.Context, i int) (r bug.Runtime, s bug.Setting, why string, err error)
	// Ready makes versions ready ahead, while others run; nil if that takes no time.
	Ready func(ctx context.Context, versions []int)
	// Also are versions to ask when a change has been found, so that what returns is seen.
	Also func(found bisect.Change) []int
}

// early is how a version says that it is no release yet; night, the day of a build in it.
var (
	early = regexp.MustCompile(`\d(?:a|b|rc|\.?dev)\d*`)
	night = regexp.MustCompile(`dev(\d{8})`)
)

// Early reports whether a version says that it is no release yet.
func Early(version string) bool { return early.MatchString(version) }

// OfDay is the last build of a package up to a day, where there are builds of nights, or else the last release.
func (e *Environments) OfDay(ctx context.Context, pkg string, day time.Time) (version string, err error) {
	all, err := e.Index.Releases(ctx, pkg)
	if err != nil {
		return "", err
	}
	for _, builds := range []bool{true, false} {
		var last time.Time
		for _, r := range all {
			at := r.Date
			if m := night.FindStringSubmatch(r.Version); m != nil {
				at, _ = time.Parse("20060102", m[1]) // one that is no day is none
			}
			at = at.Truncate(24 * time.Hour)
			if r.Pre == builds && !r.Yanked && !at.IsZero() && !at.After(day) && !at.Before(last) {
				last, version = at, r.Version
			}
		}
		if version != "" {
			return version, nil
		}
	}
	return "", fmt.Errorf("the index has no build of %s up to %s", pkg, day.Format(time.DateOnly))
}

// Line is the line of the releases of a package from one version to another,
// each in an environment of its own. Empty ends are the oldest and the newest.
// What is yanked is left out, and so are pre-releases, unless one of the ends is
// one: then every build in between is there, as for a search among nightly ones.
func (e *Environments) Line(ctx context.Context, spec Spec, from, to string) (Line, error) {
	all, err := e.Index.Releases(ctx, spec.Package)
	if err != nil {
		return Line{}, err
	}
	builds := Early(from) || Early(to)
	var left []string
	all = slices.DeleteFunc(all, func(r index.Release) bool {
		if r.Pre && !builds || r.Yanked || from != "" && bug.CompareVersions(r.Version, from) < 0 || to != "" &&
			bug.CompareVersions(r.Version, to) > 0 {
			return true
		}
		if !r.Wheel && !e.Source {
			left = append(left, r.Version)
		}
		return !r.Wheel && !e.Source
	})
	line := Line{Of: spec.Package, Bad: 0, Good: len(all) - 1}
	if len(left) > 0 {
		line.Note = fmt.Sprintf("%s of %s without a wheel, %s to %s, were left out: --allow-source builds them.",
			bug.Count(len(left), "release"), spec.Package, left[0], left[len(left)-1])
	}
	if len(all) < 2 {
		return line, fmt.Errorf("the index has %s of %s that can be used here: too few to search. %s",
			bug.Count(len(all), "release"), spec.Package, line.Note)
	}
	dates := make([]time.Time, len(all))
	for i, r := range all {
		line.Names = append(line.Names, r.Version)
		dates[i] = r.Date
	}
	line.Get = func(ctx context.Context, i int) (bug.Runtime, bug.Setting, string, error) {
		s := spec
		s.Version = line.Names[i]
		r, err := e.Get(ctx, s)
		var cannot CannotBuild
		if errors.As(err, &cannot) {
			return r, bug.Setting{}, cannot.Reason, nil
		}
		return r, bug.Setting{}, "", err
	}
	line.Ready = func(ctx context.Context, versions []int) {
		for _, i := range versions {
			_, _, _, _ = line.Get(ctx, i) // whoever asks for it is told why not
		}
	}
	line.Also = func(c bisect.Change) []int { return others(line.Names, dates, c) }
	return line, nil
}

// Interpreters is a line of environments that are there already, each with
// its version of a package.
func Interpreters(name string, all []bug.Runtime) (Line, error) {
	if len(all) < 2 {
		return Line{}, fmt.Errorf("found %s with %s: too few to search", bug.Count(len(all), "environment"), name)
	}
	line := Line{Of: name, Bad: 0, Good: len(all) - 1}
	for _, r := range all {
		line.Names = append(line.Names, r.Packages[name])
	}
	line.Get = func(_ context.Context, i int) (bug.Runtime, bug.Setting, string, error) {
		return all[i], bug.Setting{}, "", nil
	}
	return line, nil
}

// others are releases to look at besides those on both sides of a change: the
// last of older branches that came out after it, where it may have been
// carried back to, and the first of branches behind it, where it may be back.
func others(names []string, dates []time.Time, c bisect.Change) []int {
	var all, behind []int
	for i, name := range names {
		first := i == 0 || branch(names[i-1]) != branch(name)
		last := i == len(names)-1 || branch(names[i+1]) != branch(name)
		switch {
		case i < c.From && last && dates[i].After(dates[c.To]):
			all = append(all, i)
		case i > c.To && first:
			behind = append(behind, i)
		}
	}
	return append(all, bisect.Spread(behind, samples)...)
}

// samples is how many branches behind a change are looked at.
const samples = 4

// branch is the line of releases that a version belongs to.
func branch(version string) string {
	parts := strings.Split(version, ".")
	return strings.Join(parts[:min(2, len(parts))], ".")
}
