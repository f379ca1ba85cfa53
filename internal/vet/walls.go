package vet

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// What Python says when a wall of the box stands in its way, and what was
// behind it. Files that are not there are no wall.
var walls = []struct {
	says  *regexp.Regexp
	class string
	tried string
}{
	{regexp.MustCompile(`Network is unreachable|Name or service not known|Temporary failure in name resolution|` +
		`nodename nor servname|Failed to (establish|resolve)|getaddrinfo failed|Cannot assign requested ` +
		`address`), "network", "it tried to reach the network"},
	{regexp.MustCompile(`Read-only file system`), "files", "it tried to write outside its own folder"},
	{regexp.MustCompile(`Operation not permitted|Permission denied`), "files",
		"it tried something without permission"},
}

// Stopped returns where a run was stopped at a wall that reading did not
// foresee: what a person must know too.
func Stopped(o bug.Outcome, foreseen []Finding) []Finding {
	if o.Reached != "" {
		return reached(o.Reached, foreseen)
	}
	e, ok := o.Exception()
	if !ok {
		return nil
	}
	line := 0
	for _, f := range e.Frames {
		if path.Base(f.File) == bug.Script {
			line = f.Line
		}
	}
	for _, w := range walls {
		if !w.says.MatchString(e.Message) {
			continue
		}
		if slices.ContainsFunc(foreseen, func(f Finding) bool { return f.Class == w.class && f.Severity != Note }) {
			return nil
		}
		return []Finding{{Line: line, Class: w.class, Severity: Warning, Name: bug.Short(e.String(), 60),
			Why: w.tried + ", which the scan did not foresee; the sandbox stopped it"}}
	}
	return nil
}

// reached is what was heard in a run that neither reading nor rehearsing had shown, once for each class.
func reached(all string, foreseen []Finding) []Finding {
	var found []Finding
	for one := range strings.Lines(all) {
		class, what, _ := strings.Cut(strings.TrimSpace(one), ": ")
		if !slices.ContainsFunc(slices.Concat(foreseen, found), func(f Finding) bool {
			return f.Class == class && f.Severity != Note
		}) {
			found = append(found, Finding{Class: class, Severity: Warning, Name: what,
				Why: "a run reached for this, which neither the scan nor the rehearsal had shown"})
		}
	}
	return found
}
