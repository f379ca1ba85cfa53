package index

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

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
	found := ""
	for _, f := range files {
		v, wheel, ok := versionOf(name, f.Name)
		if !ok || !wheel || v != newest.Version {
			continue
		}
		if found, _, _ = strings.Cut(f.URL, "#"); f.described() {
			break // an index in between may not pass on what the one behind it says of the others
		}
	}
	if found == "" || !i.MayHold(found) {
		return nil, nil
	}
	return i.requirements(ctx, found+".metadata")
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
	for s := bufio.NewScanner(io.LimitReader(resp.Body, pageSize)); s.Scan(); {
		if m := required.FindStringSubmatch(s.Text()); m != nil {
			all = append(all, Normalized(m[1]))
		}
	}
	return all, nil
}

// SamePackage reports whether two names are one package's.
func SamePackage(a, b string) bool { return Normalized(a) == Normalized(b) }
