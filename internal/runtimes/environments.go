package runtimes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Spec is an environment that somebody wants.
type Spec struct {
	Package string   `json:"package"`
	Version string   `json:"version"`
	With    []string `json:"with,omitempty"`   // other packages, as of the same time
	Python  string   `json:"python,omitempty"` // as in 3.9, to use if the version runs on it; empty for one of its time
}

func (s Spec) String() string { return s.Package + "==" + s.Version }

// Environments builds interpreters that have a version of a package, each in
// a folder of its own, and keeps them. Processes may share the folder.
type Environments struct {
	Dir     string
	UV      string        // the path of uv; empty to do with venv and pip
	Pythons []bug.Runtime // what there is to choose from
	Index   index.Index
	Source  bool // build what has no wheel, which runs the package's own code
	Places  Places
	Box     sandbox.Box               // in which they are built; nil for the native one
	Budget  int64                     // bytes that they may hold together; 0 for as many as they like
	Tell    func(event.State, string) // news; may be nil
}

// A CannotBuild says why there is no environment for a version. It is no
// failure of scrub's, and no answer about the version.
type CannotBuild struct {
	Spec   Spec
	Reason string
}

func (e CannotBuild) Error() string { return fmt.Sprintf("%v cannot be built: %s", e.Spec, e.Reason) }

// ready is the end of the name of a file beside an environment that is whole. It
// is written last: an environment without it was left half-built and is built
// anew. What is built cannot write there.
const ready = ".ready.json"

// Get returns the interpreter for spec, and builds it if there is none.
func (e *Environments) Get(ctx context.Context, spec Spec) (bug.Runtime, error) {
	r, err := e.get(ctx, spec)
	var cannot CannotBuild
	if errors.As(err, &cannot) && spec.Python != "" {
		spec.Python = ""
		return e.get(ctx, spec)
	}
	return r, err
}

// Alike asks for the Python of the oldest of some versions for all of them,
// so that what differs between them is theirs.
func (e *Environments) Alike(ctx context.Context, specs ...Spec) []Spec {
	specs = slices.Clone(specs)
	slices.SortStableFunc(specs, func(a, b Spec) int { return bug.CompareVersions(a.Version, b.Version) })
	for _, oldest := range specs {
		release, err := e.release(ctx, oldest)
		if err != nil {
			continue // it says so itself when it is built
		}
		python, err := e.python(oldest, release)
		if err != nil {
			continue
		}
		for i := range specs {
			specs[i].Python = minor(python.Version)
		}
		break
	}
	return specs
}

// dir is the folder of an environment.
func (e *Environments) dir(spec Spec) string {
	var pythons []string
	for _, p := range e.Pythons {
		pythons = append(pythons, p.Path+" "+p.Version)
	}
	made := []any{spec, pythons, e.Source}
	if len(e.Index.More) > 0 {
		made = append(made, e.Index.More) // what they have by the same name may be something else
	}
	return filepath.Join(e.Dir, fmt.Sprintf("%s-%s-%s", spec.Package, spec.Version, bug.Digest(made)[:8]))
}

func (e *Environments) get(ctx context.Context, spec Spec) (bug.Runtime, error) {
	dir := e.dir(spec)
	if r, ok := e.built(dir); ok {
		touch(dir + ready)
		return r, nil // without asking anybody
	}
	release, err := e.release(ctx, spec)
	if err != nil {
		return bug.Runtime{}, err
	}
	python, err := e.python(spec, release)
	if err != nil {
		return bug.Runtime{}, err
	}
	if err := os.MkdirAll(e.Dir, 0o755); err != nil {
		return bug.Runtime{}, err
	}
	unlock, err := lock(ctx, dir+".lock")
	if err != nil {
		return bug.Runtime{}, err
	}
	defer unlock()
	if r, ok := e.built(dir); ok { // while we waited
		return r, nil
	}
	e.tell(event.Going, fmt.Sprintf("building %v for Python %s", spec, python.Version))
	if err := errors.Join(os.RemoveAll(dir), e.build(ctx, dir, spec, python, release)); err != nil {
		if errors.Is(err, unix.ENOSPC) {
			err = CannotBuild{spec, "the disk is full"}
		}
		return bug.Runtime{}, errors.Join(err, os.RemoveAll(dir))
	}
	defer e.evict(dir)
	r, err := e.Places.ask(ctx, e.laidOut(dir, python), append([]string{spec.Package}, spec.With...))
	if err != nil {
		return r, err
	}
	e.tell(event.Found, fmt.Sprintf("built %v for Python %s", spec, python.Version))
	return r, writeReady(dir, mark{Python: python.Path, Version: r.Version, Packages: r.Packages})
}

// laidOut is the interpreter of an environment that was built here, with what
// it may read: its own folder, and what the Python reads that it was made with.
func (e *Environments) laidOut(dir string, python bug.Runtime) bug.Runtime {
	folders := append(slices.Clone(python.Folders), dir)
	return bug.Runtime{Path: inside(dir), Folders: folders, Content: contentOf([]string{dir}, nil), Box: e.Places.In}
}

func (e *Environments) release(ctx context.Context, spec Spec) (index.Release, error) {
	all, err := e.Index.Releases(ctx, spec.Package)
	var refused index.Refused
	if errors.As(err, &refused) && !refused.Passing() {
		return index.Release{}, CannotBuild{spec, err.Error()}
	}
	if err != nil {
		return index.Release{}, err // it says nothing of the version
	}
	at := slices.IndexFunc(all, func(r index.Release) bool { return bug.CompareVersions(r.Version, spec.Version) == 0 })
	switch {
	case at < 0:
		return index.Release{}, CannotBuild{spec, "the index has no such version"}
	case !all[at].Wheel && !e.Source:
		return index.Release{}, CannotBuild{spec,
			"it has no wheel, and building it runs its own code, in a sandbox; allow that with --allow-source"}
	}
	return all[at], nil
}

// When the minor versions of Python came out. A package cannot have been
// made for one that came after it.
var pythonDates = map[string]time.Time{
	"3.6": month(2016, 12), "3.7": month(2018, 6), "3.8": month(2019, 10), "3.9": month(2020, 10), "3.10": month(2021,
		10),
	"3.11": month(2022, 10), "3.12": month(2023, 10), "3.13": month(2024, 10), "3.14": month(2025, 10),
}

func month(year, m int) time.Time { return time.Date(year, time.Month(m), 1, 0, 0, 0, 0, time.UTC) }

// settled is how long it takes until packages come with wheels for a new Python.
const settled = 120 * 24 * time.Hour

// python chooses the newest Python that had been out for a while when the
// release came, or else the oldest there is.
func (e *Environments) python(spec Spec, release index.Release) (bug.Runtime, error) {
	known := slices.DeleteFunc(slices.Clone(e.Pythons),
		func(r bug.Runtime) bool { return pythonDates[minor(r.Version)].IsZero() })
	if len(known) == 0 {
		return bug.Runtime{}, CannotBuild{spec, "no Python found whose release date scrub knows"}
	}
	wheels := slices.DeleteFunc(slices.Clone(known), func(r bug.Runtime) bool { return !release.Fits(minor(r.Version)) })
	if len(wheels) > 0 {
		known = wheels
	} else if !e.Source {
		return bug.Runtime{}, CannotBuild{spec,
			"it has no wheel for a Python and platform available here; --allow-source builds it"}
	}
	slices.SortStableFunc(known, older)
	chosen := known[0]
	for _, r := range known {
		if spec.Python == minor(r.Version) && release.RunsOn(r.Version) {
			return r, nil
		}
	}
	for _, r := range known {
		if release.Date.IsZero() || pythonDates[minor(r.Version)].Add(settled).Before(release.Date) {
			chosen = r
		}
	}
	return chosen, nil
}

func minor(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// asOf is the day whose packages a release is put together with: what it
// needs was out by then, and what broke it was not.
func asOf(release index.Release) time.Time {
	if release.Date.IsZero() {
		return time.Time{}
	}
	return release.Date.Add(30 * 24 * time.Hour).Truncate(24 * time.Hour)
}

// build makes the environment in dir, with packages as of the release's time
// if there are any that fit, and else with those of today.
func (e *Environments) build(ctx context.Context, dir string, spec Spec, python bug.Runtime, release index.Release) error {
	err := e.buildAsOf(ctx, dir, spec, python, asOf(release))
	var cannot CannotBuild
	if !errors.As(err, &cannot) || asOf(release).IsZero() {
		return err
	}
	return errors.Join(os.RemoveAll(dir), e.buildAsOf(ctx, dir, spec, python, time.Time{}))
}

// asides are what pip says around what went wrong.
var asides = []string{"See above", "note: This", "hint: ", "╰─>", "│ exit code"}

// lastWords is what a tool said last, in one line.
func lastWords(said string) string {
	if inner, _, ok := strings.Cut(said, "[end of output]"); ok {
		said = inner // of what it had run
	}
	lines := strings.FieldsFunc(strings.TrimSpace(said), func(r rune) bool { return r == '\n' })
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return slices.ContainsFunc(asides, func(a string) bool { return strings.Contains(line, a) })
	})
	return bug.Short(strings.Join(lines[max(0, len(lines)-4):], " "), 400)
}

// A mark is what is remembered of an environment that is whole.
type mark struct {
	Python   string            `json:"python"` // the path of the one it was made with
	Version  string            `json:"version"`
	Packages map[string]string `json:"packages"`
}

// built is the interpreter of an environment that is whole.
func (e *Environments) built(dir string) (bug.Runtime, bool) {
	text, err := readFile(dir + ready)
	var m mark
	if err != nil || json.Unmarshal([]byte(text), &m) != nil {
		return bug.Runtime{}, false
	}
	at := slices.IndexFunc(e.Pythons, func(r bug.Runtime) bool { return r.Path == m.Python })
	if _, err := os.Lstat(inside(dir)); err != nil || at < 0 {
		return bug.Runtime{}, false
	}
	r := e.laidOut(dir, e.Pythons[at])
	r.Version, r.Packages = m.Version, m.Packages
	return r, true
}

func writeReady(dir string, m mark) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	half := dir + ready + ".new"
	return errors.Join(os.WriteFile(half, text, 0o644), os.Rename(half, dir+ready))
}

// touch says that a file was used just now.
func touch(path string) {
	_ = unix.Utimes(path, nil) // to now, and only for the order in which they go
}

// lock waits until nobody else builds there.
func lock(ctx context.Context, path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		select {
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), f.Close())
		case <-time.After(50 * time.Millisecond):
		}
	}
	return func() { _ = f.Close() }, nil // which unlocks it
}

// All finds every interpreter that a person has: by name on the path, and
// where the usual tools keep them.
func (p Places) All(ctx context.Context) []bug.Runtime {
	if p.Image != "" {
		all, _ := p.Find(ctx, nil) // without one there is none
		return all
	}
	var paths []string
	for m := 6; m < 20; m++ {
		if path, err := exec.LookPath(fmt.Sprintf("python3.%d", m)); err == nil {
			paths = append(paths, path)
		}
	}
	for _, pattern := range []string{".pyenv/versions/3.*/bin/python", ".local/share/uv/python/*/bin/python3"} {
		found, _ := filepath.Glob(filepath.Join(p.Home, pattern)) // the pattern is good
		paths = append(paths, found...)
	}
	if path, err := p.first(); err == nil {
		paths = append(paths, path)
	}
	found, errs := make([]bug.Runtime, len(paths)), make([]error, len(paths))
	var wg sync.WaitGroup
	for i, path := range paths {
		wg.Go(func() { found[i], errs[i] = p.Inspect(ctx, path, nil) })
	}
	wg.Wait()
	var all []bug.Runtime
	for i, r := range found {
		if errs[i] == nil && !slices.ContainsFunc(all,
			func(o bug.Runtime) bool { return minor(o.Version) == minor(r.Version) }) {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, older)
	return all
}
