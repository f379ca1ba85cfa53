package runtimes

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"scrub/internal/bug"
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

// required is how metadata names a package that is needed.
var required = regexp.MustCompile(`(?i)^Requires-Dist:\s*([a-z0-9][\w.-]*)`)

// Requires are the packages that the newest release of one says it works with,
// optional ones included; nothing if the index does not tell.
func (i Index) Requires(ctx context.Context, name string) ([]string, error) {
	files, err := i.files(ctx, name)
	if err != nil {
		return nil, err
	}
	newest, err := i.Newest(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if v, wheel, ok := versionOf(name, f.Name); ok && wheel && v == newest.Version && f.described() {
			at, _, _ := strings.Cut(f.URL, "#")
			if !i.mayHold(at) {
				return nil, nil
			}
			return i.requirements(ctx, at+".metadata")
		}
	}
	return nil, nil
}

func (i Index) requirements(ctx context.Context, address string) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := i.client().Do(req)
	if err != nil {
		return nil, fmt.Errorf("package index: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("package index: %s", resp.Status)
	}
	var all []string
	for s := bufio.NewScanner(io.LimitReader(resp.Body, smallFile)); s.Scan(); {
		if m := required.FindStringSubmatch(s.Text()); m != nil {
			all = append(all, normalized(m[1]))
		}
	}
	return all, nil
}

// SamePackage reports whether two names are one package's.
func SamePackage(a, b string) bool { return normalized(a) == normalized(b) }

// wanted is what may be asked of an installer: a package, parts of it, versions
// of it. No address, no path and no option.
var wanted = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(\[[\w, .-]+\])?( *[<>=!~]=?=? *[\w.*+!-]+( *, *[<>=!~]=?=? *[\w.*+!-]+)*)?$`)
