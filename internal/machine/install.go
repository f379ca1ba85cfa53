package machine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
)

// young is the age below which a package is worth a second thought: names that
// are free are taken by people who wait for somebody to install them.
const young = 90 * 24 * time.Hour

// module is how a program names what it imports.
var module = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// A Lack is a module that a program needs, and the package that would bring it.
type Lack struct {
	Module, Package string
	Known           string   // how the package is known; empty if it only has the same name
	Doubts          []string // what a person should know before they agree
	Absent          bool     // the index has no such package
}

// Lacks finds out which packages the missing modules are from, and what the
// index says of these.
func (m *Machine) Lacks(ctx context.Context, missing []string, prof profile.Profile, pkg string,
	envs *runtimes.Environments) ([]Lack, error) {
	needs, _ := envs.Index.Requires(ctx, pkg) // an index that does not tell has told nothing for it
	var all []Lack
	for _, name := range missing {
		if !module.MatchString(name) {
			continue
		}
		l := Lack{Module: name, Package: name}
		if p := prof.Modules[name]; p != "" {
			l.Package, l.Known = p, "according to profile "+prof.Name
		} else if p := runtimes.DistributionOf(name, envs.Pythons); p != "" {
			l.Package, l.Known = p, "according to an installed distribution"
		} else {
			l.Doubts = append(l.Doubts, fmt.Sprintf("the program imports %s; the package of the same name may be a "+
				"different one", name))
		}
		releases, err := envs.Index.Releases(ctx, l.Package)
		var refused index.Refused
		if err != nil && (!errors.As(err, &refused) || refused.Passing()) {
			return nil, err // it says nothing of the package
		}
		if err != nil || len(releases) == 0 {
			l.Doubts, l.Absent = append(l.Doubts, fmt.Sprintf("the package index has no package %s", l.Package)), true
		} else if first := firstDay(releases); !first.IsZero() && m.Now().Sub(first) < young {
			l.Doubts = append(l.Doubts, fmt.Sprintf("it was first published only %d days ago",
				int(m.Now().Sub(first).Hours()/24)))
		}
		seen := prof.Modules[name] != "" || index.SamePackage(l.Package, pkg) ||
			slices.ContainsFunc(needs, func(n string) bool { return index.SamePackage(n, l.Package) })
		if pkg != "" && !seen {
			l.Doubts = append(l.Doubts, fmt.Sprintf("%s does not list it among its dependencies", pkg))
		}
		all = append(all, l)
	}
	return all, nil
}

// MostInstalls is how often more is installed for a report: what was missing may have hidden more.
const MostInstalls = 3

// Had are the packages of lacks that there are. What speaks against them is told.
func Had(lacks []Lack, warn func(form string, args ...any)) []string {
	var all []string
	for _, l := range lacks {
		for _, doubt := range l.Doubts {
			warn("%s: %s", l.Package, doubt)
		}
		if !l.Absent {
			all = append(all, l.Package)
		}
	}
	return all
}

// firstDay is when the first release came out that has a day.
func firstDay(releases []index.Release) time.Time {
	var first time.Time
	for _, r := range releases {
		if first.IsZero() || !r.Date.IsZero() && r.Date.Before(first) {
			first = r.Date
		}
	}
	return first
}
