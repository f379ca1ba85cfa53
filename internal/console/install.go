package console

import (
	"bufio"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"scrub/internal/profile"
	"scrub/internal/report"
	"scrub/internal/runtimes"
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
func (a *Console) Lacks(ctx context.Context, missing []string, prof profile.Profile, pkg string, envs *runtimes.Environments) []Lack {
	needs, _ := envs.Index.Requires(ctx, pkg) // an index that does not tell has told nothing for it
	var all []Lack
	for _, m := range missing {
		if !module.MatchString(m) {
			continue
		}
		l := Lack{Module: m, Package: m}
		if p := prof.Modules[m]; p != "" {
			l.Package, l.Known = p, "as profile "+prof.Name+" knows"
		} else if p := runtimes.DistributionOf(m, envs.Pythons); p != "" {
			l.Package, l.Known = p, "as an installed distribution says"
		} else {
			l.Doubts = append(l.Doubts, fmt.Sprintf("%s is what the program imports; a package of the same name need not be the one it means", m))
		}
		releases, err := envs.Index.Releases(ctx, l.Package)
		if err != nil || len(releases) == 0 {
			l.Doubts, l.Absent = append(l.Doubts, fmt.Sprintf("the package index has no package %s", l.Package)), true
		} else if first := firstDay(releases); !first.IsZero() && a.Now().Sub(first) < young {
			l.Doubts = append(l.Doubts, fmt.Sprintf("it was first published only %d days ago", int(a.Now().Sub(first).Hours()/24)))
		}
		seen := prof.Modules[m] != "" || runtimes.SamePackage(l.Package, pkg) || slices.ContainsFunc(needs, func(n string) bool { return runtimes.SamePackage(n, l.Package) })
		if pkg != "" && !seen {
			l.Doubts = append(l.Doubts, fmt.Sprintf("%s does not name it among the packages it works with", pkg))
		}
		all = append(all, l)
	}
	return all
}

// firstDay is when the first release came out that has a day.
func firstDay(releases []runtimes.Release) time.Time {
	var first time.Time
	for _, r := range releases {
		if first.IsZero() || !r.Date.IsZero() && r.Date.Before(first) {
			first = r.Date
		}
	}
	return first
}

// MayInstall asks a person which of the packages may be installed. What it
// returns are their names.
func (a *Console) MayInstall(ctx context.Context, lacks []Lack) ([]string, error) {
	if len(lacks) == 0 || !a.InTTY || !a.ErrTTY {
		return nil, nil
	}
	fmt.Fprint(a.Err, "\nThe program needs packages that are not installed here. Installing one means that it and what it\nneeds are taken from the package index into an environment of its own, in a box; their code then\nruns beside the program, in the box, and never outside it.\n")
	in := bufio.NewReader(a.In)
	var agreed []string
	for _, l := range lacks {
		fmt.Fprintf(a.Err, "\n  %s", report.Clean(l.Package))
		if l.Package != l.Module || l.Known != "" {
			fmt.Fprintf(a.Err, ", for the module %s, %s", l.Module, l.Known)
		}
		fmt.Fprintln(a.Err)
		for _, d := range l.Doubts {
			fmt.Fprintf(a.Err, "  ! %s\n", report.Clean(d))
		}
		if l.Absent {
			continue
		}
		fmt.Fprintf(a.Err, "Install the package %s? [y/N]: ", report.Clean(l.Package))
		reply, err := a.Reply(ctx, in)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			return nil, nil // nobody is there any more
		}
		if strings.HasPrefix(reply, "y") {
			agreed = append(agreed, l.Package)
		}
	}
	return agreed, nil
}
