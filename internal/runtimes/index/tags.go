package index

import (
	"path"
	"runtime"
	"slices"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// tagOf is the end of the name of a wheel, which says what it is for.
func tagOf(file string) string {
	parts := strings.Split(strings.TrimSuffix(path.Base(file), ".whl"), "-")
	return strings.Join(parts[max(0, len(parts)-3):], "-")
}

// Fits reports whether one of the wheels is for a Python, as in 3.9, on this
// system.
func (r Release) Fits(python string) bool {
	if len(r.Tags) == 0 {
		return true // nobody says what it is for
	}
	major, minor, _ := strings.Cut(python, ".")
	return slices.ContainsFunc(r.Tags, func(tag string) bool {
		parts := strings.Split(tag, "-")
		if len(parts) != 3 || !forSystem(parts[2]) {
			return false
		}
		for _, p := range strings.Split(parts[0], ".") {
			stable := strings.Contains(parts[1], "abi3") && strings.HasPrefix(p, "cp"+major)
			if p == "py"+major || p == "py"+major+minor || p == "cp"+major+minor || stable &&
				!olderThan(minor, strings.TrimPrefix(p, "cp"+major)) {
				return true
			}
		}
		return false
	})
}

// olderThan compares minor versions of Python.
func olderThan(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }

// forSystem reports whether one of the platforms of a tag is this one.
func forSystem(platforms string) bool {
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	for _, p := range strings.Split(platforms, ".") {
		if p == "any" || strings.Contains(p, "linux") && strings.HasSuffix(p, machine) {
			return true
		}
	}
	return false
}

// RunsOn reports whether the release says nothing against a version of Python.
func (r Release) RunsOn(python string) bool {
	v, err := pep440.Parse(python)
	if err != nil {
		return false
	}
	want, err := pep440.NewSpecifiers(r.Python)
	return r.Python == "" || err != nil || want.Check(v)
}
