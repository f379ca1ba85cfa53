package triage

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/profile"
)

// PackageOf is the package that a report is about: the project's; or that of its
// repository, by the name it is imported by where that is nearly the same; or,
// where there is no repository, the one among those it imports that it speaks of
// most. It is empty if nothing tells.
func PackageOf(p profile.Profile, r bug.Report, t intake.Thread) string {
	if p.Package != "" {
		return p.Package
	}
	imports := foreign(t)
	if r.Ref.Repo != "" {
		name := strings.ToLower(r.Ref.Repo[strings.LastIndexByte(r.Ref.Repo, '/')+1:])
		short := strings.TrimPrefix(strings.TrimSuffix(name, "-python"), "python-")
		if short != name && slices.Contains(imports, short) {
			return short
		}
		return name
	}
	best, most := "", 0
	for _, name := range imports {
		word := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b`)
		n := 1 + len(word.FindAllString(ends(r.Body), -1)) + 3*len(word.FindAllString(r.Title, -1))
		if n > most {
			best, most = name, n
		}
	}
	if pkg := p.Modules[best]; pkg != "" {
		return pkg
	}
	return best
}

// NamesOf are the names that reports have for a package.
func NamesOf(p profile.Profile, pkg string) []string {
	names := []string{pkg}
	if p.Package == pkg {
		names = append(names, p.Title)
	}
	for module, of := range p.Modules {
		if of == pkg {
			names = append(names, module)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// foreign are the modules that the report's programs import and that do not come with Python.
func foreign(t intake.Thread) []string {
	var all []string
	for _, p := range t.Programs {
		for _, name := range p.Imports() {
			name, _, _ = strings.Cut(name, ".")
			if name != "" && !standard[name] && p.Post == 0 && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}
