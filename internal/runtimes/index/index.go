// Package index reads a package index: the releases of a package and their files,
// and serves it to an installer in a box as it was on a day.
package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	pep440 "github.com/aquasecurity/go-pep440-version"

	"github.com/scrub-dev/scrub/internal/bug"
)

// An Index is where packages come from.
type Index struct {
	URL  string   // of the list of all packages; a package's own list is below it
	More []string // further ones, which need not have every package: of nightly builds, say
	Kept *Kept    // lists that were read a moment ago; nil to read them each time
}

// A Release is one version of a package in an index.
type Release struct {
	Version string    `json:"version"`
	Date    time.Time `json:"date,omitzero"`
	Wheel   bool      `json:"wheel"`            // it needs not be built
	Tags    []string  `json:"tags,omitempty"`   // what its wheels are for: Python, interface, system
	Python  string    `json:"python,omitempty"` // which versions of Python it says it runs on
	Yanked  bool      `json:"yanked,omitempty"`
	Pre     bool      `json:"pre,omitempty"`
}

// file is one file of a package, in an index that speaks JSON.
type file struct {
	Name     string            `json:"filename"`
	URL      string            `json:"url"`
	Hashes   map[string]string `json:"hashes"`
	Requires string            `json:"requires-python"`
	Date     time.Time         `json:"upload-time"`
	Yanked   json.RawMessage   `json:"yanked"` // true, or why
	Metadata json.RawMessage   `json:"core-metadata"`
}

// described reports whether what the file says of itself can be had alone.
func (f file) described() bool {
	return len(f.Metadata) > 0 && string(f.Metadata) != "false" && string(f.Metadata) != "null"
}

func (f file) yanked() bool {
	return len(f.Yanked) > 0 && string(f.Yanked) != "false" && string(f.Yanked) != "null"
}

const pageSize = 64 << 20

// Releases lists the versions of a package, oldest first.
func (i Index) Releases(ctx context.Context, name string) ([]Release, error) {
	files, err := i.files(ctx, name)
	return releases(name, files), err
}

// Newest is the newest version of a package that is meant for everybody.
func (i Index) Newest(ctx context.Context, name string) (Release, error) {
	return i.last(ctx, name, func(r Release) bool { return !r.Pre && !r.Yanked })
}

// Nightly is the newest build of a package, for everybody or not: of the last
// night, if the index has those.
func (i Index) Nightly(ctx context.Context, name string) (Release, error) {
	return i.last(ctx, name, func(r Release) bool { return !r.Yanked })
}

func (i Index) last(ctx context.Context, name string, fits func(Release) bool) (Release, error) {
	all, err := i.Releases(ctx, name)
	all = slices.DeleteFunc(all, func(r Release) bool { return !fits(r) })
	if err != nil || len(all) == 0 {
		return Release{}, cmp.Or(err, fmt.Errorf("the index has no release of %s", name))
	}
	return all[len(all)-1], nil
}

// Kept are the lists of files that were read, for a while.
type Kept struct {
	Now func() time.Time

	mu    sync.Mutex
	lists map[string]list
}

type list struct {
	files []file
	read  time.Time
}

// fresh is how long a list is good for.
const fresh = 10 * time.Minute

// files lists all files of a package. What a further index does not have is no failure.
func (i Index) files(ctx context.Context, name string) ([]file, error) {
	all, err := i.filesAt(ctx, i.URL, name)
	var refused Refused
	missing := errors.As(err, &refused) && refused.Code == http.StatusNotFound
	if err != nil && (!missing || len(i.More) == 0) {
		return nil, err
	}
	for _, at := range i.More {
		more, moreErr := i.filesAt(ctx, at, name)
		switch {
		case errors.As(moreErr, &refused) && !refused.Passing(): // some answer so for what they do not have
			continue
		case moreErr != nil:
			return nil, moreErr
		}
		err = nil
		for _, f := range more {
			if !slices.ContainsFunc(all, func(o file) bool { return o.Name == f.Name }) {
				all = append(all, f)
			}
		}
	}
	return all, err
}

// filesAt lists the files of a package in one index.
func (i Index) filesAt(ctx context.Context, at, name string) ([]file, error) {
	if i.Kept == nil {
		return i.read(ctx, at, name)
	}
	key := at + " " + name
	i.Kept.mu.Lock()
	l, ok := i.Kept.lists[key]
	i.Kept.mu.Unlock()
	if ok && i.Kept.Now().Sub(l.read) < fresh {
		return slices.Clone(l.files), nil
	}
	files, err := i.read(ctx, at, name)
	if err == nil {
		i.Kept.mu.Lock()
		defer i.Kept.mu.Unlock()
		if i.Kept.lists == nil {
			i.Kept.lists = map[string]list{}
		}
		i.Kept.lists[key] = list{slices.Clone(files), i.Kept.Now()}
	}
	return files, err
}

// A Refused is an index that answered, but not with what was asked for.
type Refused struct {
	Code   int
	Status string
	Of     string // the package
}

func (r Refused) Error() string { return fmt.Sprintf("package index: %s for %s", r.Status, r.Of) }

// Passing reports whether it may answer in a while.
func (r Refused) Passing() bool { return r.Code >= 500 || r.Code == http.StatusTooManyRequests }

// read reads the list of files of a package in one index.
func (i Index) read(ctx context.Context, at, name string) ([]file, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(at, "/")+"/"+Normalized(name)+"/", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/vnd.pypi.simple.v1+json, text/html;q=0.5")
	resp, err := i.client().Do(req)
	if err != nil {
		return nil, fmt.Errorf("package index: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, Refused{resp.StatusCode, resp.Status, name}
	}
	page, err := io.ReadAll(io.LimitReader(resp.Body, pageSize))
	if err != nil {
		return nil, fmt.Errorf("package index: %w", err)
	}
	var list struct {
		Files []file `json:"files"`
	}
	if !strings.Contains(resp.Header.Get("Content-Type"), "json") {
		list.Files = filesIn(string(page))
	} else if err := json.Unmarshal(page, &list); err != nil {
		return nil, fmt.Errorf("package index: %w", err)
	}
	for n, f := range list.Files {
		if u, err := resp.Request.URL.Parse(f.URL); err == nil {
			list.Files[n].URL = u.String()
		}
	}
	return list.Files, nil
}

var (
	anchor  = regexp.MustCompile(`(?s)<a\b([^>]*)>\s*([^<]+?)\s*</a>`)
	dated   = regexp.MustCompile(`data-upload-time="([^"]*)"`)
	wants   = regexp.MustCompile(`data-requires-python="([^"]*)"`)
	located = regexp.MustCompile(`href="([^"]*)"`)
	runs    = regexp.MustCompile(`[-_.]+`)
	archive = regexp.MustCompile(`\.(tar\.gz|zip|tar\.bz2|tgz)$`)
)

// filesIn reads an index that speaks HTML.
func filesIn(page string) []file {
	var all []file
	for _, m := range anchor.FindAllStringSubmatch(page, -1) {
		f := file{Name: html.UnescapeString(m[2]), URL: attribute(located, m[1]), Requires: attribute(wants, m[1])}
		if d := dated.FindStringSubmatch(m[1]); d != nil {
			f.Date, _ = time.Parse(time.RFC3339, d[1]) // a date that cannot be read is none
		}
		if strings.Contains(m[1], "data-yanked") {
			f.Yanked = json.RawMessage("true")
		}
		if strings.Contains(m[1], "data-core-metadata") || strings.Contains(m[1], "data-dist-info-metadata") {
			f.Metadata = json.RawMessage("true")
		}
		all = append(all, f)
	}
	return all
}

func attribute(form *regexp.Regexp, tag string) string {
	if m := form.FindStringSubmatch(tag); m != nil {
		return html.UnescapeString(m[1])
	}
	return ""
}

// Normalized is the name of a package as an index spells it.
func Normalized(name string) string { return strings.ToLower(runs.ReplaceAllString(name, "-")) }

// releases puts the files of a package together by version.
func releases(name string, files []file) []Release {
	found := map[string]Release{}
	for _, f := range files {
		version, wheel, ok := versionOf(name, f.Name)
		if !ok {
			continue
		}
		parsed, err := pep440.Parse(version)
		if err != nil {
			continue
		}
		r, known := found[version]
		if !known || !f.Date.IsZero() && f.Date.Before(r.Date) {
			r.Date = f.Date
		}
		r.Version, r.Wheel, r.Pre = version, r.Wheel || wheel, parsed.IsPreRelease()
		if wheel {
			r.Tags = append(r.Tags, tagOf(f.Name))
		}
		r.Yanked, r.Python = f.yanked(), f.Requires
		found[version] = r
	}
	var all []Release
	for _, r := range found {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Release) int { return bug.CompareVersions(a.Version, b.Version) })
	return all
}

// versionOf reads a version off the name of a file.
func versionOf(name, file string) (version string, wheel, ok bool) {
	if base, isWheel := strings.CutSuffix(path.Base(file), ".whl"); isWheel {
		parts := strings.Split(base, "-")
		return at(parts, 1), true, len(parts) > 2
	}
	base := archive.ReplaceAllString(path.Base(file), "")
	if base == path.Base(file) || len(base) <= len(name) || Normalized(base[:len(name)]) != Normalized(name) {
		return "", false, false
	}
	return strings.TrimLeft(base[len(name):], "-_"), false, true
}

func at(parts []string, i int) string {
	if i < len(parts) {
		return parts[i]
	}
	return ""
}
