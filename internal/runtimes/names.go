package runtimes

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A module's name is no package's name: anybody can publish a package that is
// called like somebody else's module.

// DistributionOf is the package that a module is from, as a distribution says
// that is installed for one of some interpreters; empty if none does.
func DistributionOf(module string, pythons []bug.Runtime) string {
	for _, r := range pythons {
		for _, site := range sites(r.Folders) {
			lists, _ := filepath.Glob(filepath.Join(site, "*.dist-info", "top_level.txt")) // the pattern is good
			for _, list := range lists {
				text, err := readFile(list)
				if err == nil && slices.Contains(strings.Fields(text), module) {
					name, _, _ := strings.Cut(filepath.Base(filepath.Dir(list)), "-")
					return name
				}
			}
		}
	}
	return ""
}

// module is how a program names what it imports.
var module = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// wanted is what may be asked of an installer: a package, parts of it, versions
// of it. No address, no path and no option.
var wanted = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(\[[\w, .-]+\])?( *[<>=!~]=?=? *[\w.*+!-]+( *, *[<>=!~]=?=? *[\w.*+!-]+)*)?$`)
