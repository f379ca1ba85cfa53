package cochange

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Change is the files that were changed at once.
type Change []File

// A File is one of them.
type File struct {
	Path string
	Does []Deed
}

// A Deed is what a change does to a file or in a folder, if more is known than that it changes it.
type Deed string

// The deeds that are told apart.
const (
	NewFile     Deed = "new file"
	NewClass    Deed = "new class"
	NewFunction Deed = "new function"     // a public one
	NoFunction  Deed = "removed function" // likewise
)

// A Part is what a change can be about: a file, anything in a folder, or something that is done there.
type Part struct {
	Path string `json:"path"` // a folder ends in a slash
	Does Deed   `json:"does,omitempty"`
}

// Folder reports whether p is about a folder.
func (p Part) Folder() bool { return strings.HasSuffix(p.Path, "/") }

// within reports whether whoever touches p touches q as well, by the mere names.
func (p Part) within(q Part) bool {
	switch {
	case q.Does == "":
		return p.Path == q.Path || q.Folder() && strings.HasPrefix(p.Path, q.Path)
	case p.Does == q.Does:
		return p == q || path.Dir(p.Path)+"/" == q.Path
	}
	return false
}

// Less orders parts.
func Less(a, b Part) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Does, b.Does)) }

// Parts are all that a change is about, once each and in order.
type Parts []Part

func (p Parts) has(one Part) bool {
	_, ok := slices.BinarySearchFunc(p, one, Less)
	return ok
}

// Parts are all that c is about.
func (c Change) Parts() Parts {
	var all Parts
	for _, f := range c {
		if !slices.Contains(f.Does, NewFile) {
			all = append(all, Part{Path: f.Path})
		}
		for _, deed := range f.Does {
			if dir := path.Dir(f.Path); dir != "." {
				all = append(all, Part{Path: dir + "/", Does: deed})
			}
			if deed != NewFile {
				all = append(all, Part{Path: f.Path, Does: deed})
			}
		}
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			all = append(all, Part{Path: dir + "/"})
		}
	}
	slices.SortFunc(all, Less)
	return slices.Compact(all)
}

// A Role is what a file is for.
type Role string

// The roles that are told apart.
const (
	Source    Role = "source"
	Test      Role = "test"
	Doc       Role = "documentation"
	Changelog Role = "changelog"
	Stub      Role = "stub"
	Config    Role = "configuration"
)

var roles = []struct {
	role Role
	is   *regexp.Regexp
}{
	{Changelog, regexp.MustCompile(`(?i)(^|/)(changelog|changes|news|newsfragments|history|release[-_]?notes|whats_?new)([./]|$)`)},
	{Test, regexp.MustCompile(`(?i)(^|/)(\w+_tests?|tests?|testing|__tests__|specs?|e2e(_tests?)?|testdata|fixtures)/|(^|/)test_[^/]*$|[._-](test|spec)\.\w+$`)},
	{Stub, regexp.MustCompile(`\.(pyi|d\.ts)$`)},
	{Doc, regexp.MustCompile(`(?i)(^|/)docs?/|\.(md|rst|adoc|txt)$|(?-i:(^|/)[A-Z]+$)`)},
	{Config, regexp.MustCompile(`(?i)\.(ya?ml|toml|json|cfg|ini|lock|sum|mod)$|(^|/)(makefile|dockerfile|justfile)$|(^|/)\.[^/]+$`)},
}

// RoleOf is what a file is for, by its name. A folder has the role of what is in it as far as its name tells.
func RoleOf(name string) Role {
	for _, r := range roles {
		if r.is.MatchString(name) {
			return r.role
		}
	}
	return Source
}
