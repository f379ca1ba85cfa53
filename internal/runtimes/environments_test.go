package runtimes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

func newShelf(t *testing.T, versions ...string) *runtimestest.Shelf {
	s := runtimestest.NewShelf(versions...)
	t.Cleanup(s.CloseClientConnections)
	return s
}

func newEnvironments(t *testing.T, s *runtimestest.Shelf, dir string) *Environments {
	all := Places{}.All(t.Context())
	if len(all) == 0 {
		t.Fatal(ErrNone)
	}
	python := all[len(all)-1]
	return &Environments{Dir: dir, Pythons: []bug.Runtime{python}, Index: index.Index{URL: s.Index()}}
}

func TestReleases(t *testing.T) {
	s := newShelf(t, "1.0", "1.10", "1.9")
	got, err := index.Index{URL: s.Index()}.Releases(t.Context(), "Snail")
	var versions []string
	for _, r := range got {
		versions = append(versions, fmt.Sprintf("%s wheel=%v yanked=%v pre=%v", r.Version, r.Wheel, r.Yanked, r.Pre))
	}
	want := "0.1 wheel=false yanked=false pre=false, 1.0 wheel=true yanked=false pre=false, 1.9 wheel=true " +
		"yanked=false pre=false, 1.10 wheel=true yanked=false pre=false, 9 wheel=false yanked=true pre=false, 10rc1 " +
		"wheel=true yanked=false pre=true"
	if err != nil || strings.Join(versions, ", ") != want || got[1].Date.Year() != 2021 {
		t.Errorf("%v, %v\nwant %s", strings.Join(versions, ", "), err, want)
	}
	if _, err := (index.Index{URL: s.Index()}).Releases(t.Context(), "newt"); err == nil {
		t.Error("there is no newt, and nobody says so")
	}
}

func TestEnvironmentsAreBuiltOnce(t *testing.T) {
	s := newShelf(t, "1.0", "2.0")
	e := newEnvironments(t, s, t.TempDir())
	for _, version := range []string{"1.0", "2.0", "1.0"} {
		r, err := e.Get(t.Context(), Spec{Package: "snail", Version: version})
		if err != nil || r.Packages["snail"] != version {
			t.Fatalf("%s: %+v, %v", version, r, err)
		}
		o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program("import snail; print(snail.speed)"),
			Runtime: r})
		if err != nil || strings.TrimSpace(o.Stdout) != version {
			t.Errorf("%s runs as %+v, %v", version, o, err)
		}
	}
	asked := s.Asked.Load()
	s.Close() // what was built needs nobody any more
	if _, err := e.Get(t.Context(), Spec{Package: "snail", Version: "2.0"}); err != nil || s.Asked.Load() != asked {
		t.Errorf("a second time: %v, index asked %d times", err, s.Asked.Load()-asked)
	}
}

// An index that does not answer now says nothing of the version.
func TestIndexThatIsAway(t *testing.T) {
	spec := Spec{Package: "snail", Version: "1.0"}
	for name, tt := range map[string]struct {
		ill  func(s *runtimestest.Shelf)
		says string
		good bool // for good
	}{
		"it is gone":        {func(s *runtimestest.Shelf) { s.Close() }, "package index", false},
		"it is overloaded":  {func(s *runtimestest.Shelf) { s.Ill = http.StatusServiceUnavailable }, "503", false},
		"it wants patience": {func(s *runtimestest.Shelf) { s.Ill = http.StatusTooManyRequests }, "429", false},
		"it has lost files": {func(s *runtimestest.Shelf) { s.Ill = http.StatusNotFound }, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t, "1.0")
			e := newEnvironments(t, s, t.TempDir())
			tt.ill(s)
			_, err := e.Get(t.Context(), spec)
			var cannot CannotBuild
			if err == nil || errors.As(err, &cannot) != tt.good || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Builds of a night come from an index of their own, beside that of the releases.
func TestNightly(t *testing.T) {
	s, nightly := newShelf(t, "1.0", "2.0"), newShelf(t, "11.0.dev1", "11.0.dev2", "11.0.dev3")
	e := newEnvironments(t, s, t.TempDir())
	if newest, err := e.Index.Nightly(t.Context(), "snail"); err != nil || newest.Version != "10rc1" {
		t.Errorf("without it %+v, %v", newest, err)
	}
	forbids := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no", http.StatusForbidden) // as some do for what they do not have
	}))
	t.Cleanup(forbids.Close)
	without := e.dir(Spec{Package: "snail", Version: "2.0"})
	e.Index.More = []string{forbids.URL, nightly.Index()}
	if with := e.dir(Spec{Package: "snail", Version: "2.0"}); with == without {
		t.Error("what comes from other indexes is taken for what does not")
	}
	newest, err := e.Index.Nightly(t.Context(), "snail")
	release, err2 := e.Index.Newest(t.Context(), "snail")
	if newest.Version != "11.0.dev3" || release.Version != "2.0" || err != nil || err2 != nil {
		t.Errorf("%+v, %+v, %v, %v", newest, release, err, err2)
	}
	r, err := e.Get(t.Context(), Spec{Package: "snail", Version: "11.0.dev2", With: []string{"leaf"}})
	if err != nil || r.Packages["snail"] != "11.0.dev2" || r.Packages["leaf"] == "" {
		t.Errorf("%+v, %v", r, err)
	}
	for to, want := range map[string]string{"2.0": "1.0 2.0", "11.0.dev2": "1.0 2.0 10rc1 11.0.dev1 11.0.dev2"} {
		line, err := e.Line(t.Context(), Spec{Package: "snail"}, "1.0", to)
		if got := strings.Join(line.Names, " "); err != nil || got != want {
			t.Errorf("1.0..%s: %s, %v", to, got, err)
		}
	}
}

func TestWhatCannotBeBuilt(t *testing.T) {
	s := newShelf(t, "1.0")
	e := newEnvironments(t, s, t.TempDir())
	for version, reason := range map[string]string{"7.0": "no such version", "0.1": "--allow-source"} {
		var cannot CannotBuild
		if _, err := e.Get(t.Context(), Spec{Package: "snail", Version: version}); !errors.As(err, &cannot) ||
			!strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %q", version, err, reason)
		}
	}
}

// A build that is interrupted, by Ctrl-C or by kill -9, leaves nothing that
// a later one would use.
func TestHalfBuiltIsNotUsed(t *testing.T) {
	dir := t.TempDir()
	s := newShelf(t, "1.0")
	e := newEnvironments(t, s, dir)
	ctx, stop := context.WithCancel(t.Context())
	s.Stuck = stop
	if r, err := e.Get(ctx, Spec{Package: "snail", Version: "1.0"}); err == nil {
		t.Fatalf("a build that was stopped gave %+v", r)
	}
	s.Stuck = nil
	// kill -9 leaves the folder as it is: without its mark.
	names, _ := filepath.Glob(filepath.Join(dir, "snail-1.0-*"))
	half := strings.TrimSuffix(names[0], ".lock")
	if err := os.MkdirAll(filepath.Join(half, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(half, "bin", "python"), []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := e.Get(t.Context(), Spec{Package: "snail", Version: "1.0"})
	if err != nil || r.Packages["snail"] != "1.0" {
		t.Errorf("after a build that was killed: %+v, %v", r, err)
	}
}

func TestAnOldReleaseGetsAnOldPython(t *testing.T) {
	e := &Environments{Pythons: []bug.Runtime{{Version: "3.13.0"}, {Version: "3.7.16"}, {Version: "3.9.1"}}}
	for date, want := range map[string]string{"2019-01-02": "3.7.16", "2021-06-01": "3.9.1", "2020-11-01": "3.7.16",
		"2026-01-01": "3.13.0", "2010-01-01": "3.7.16"} {
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.python(Spec{}, index.Release{Date: day}); err != nil || got.Version != want {
			t.Errorf("%s: Python %s, %v, want %s", date, got.Version, err, want)
		}
	}
}

func BenchmarkSecondTime(b *testing.B) {
	dir := b.TempDir()
	r := bug.Runtime{Path: "/bin/sh", Version: "3.11"}
	e := &Environments{Dir: dir, Pythons: []bug.Runtime{r}}
	spec := Spec{Package: "snail", Version: "1.0"}
	made := e.dir(spec)
	err := errors.Join(os.MkdirAll(filepath.Dir(inside(made)), 0o755), os.WriteFile(inside(made), nil, 0o755),
		writeReady(made, mark{Python: r.Path}))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := e.Get(b.Context(), spec); err != nil {
			b.Fatal(err)
		}
	}
}

func TestOtherPackagesAreOfTheTime(t *testing.T) {
	s := newShelf(t, "1.0")
	defer s.Close()
	e := newEnvironments(t, s, t.TempDir())
	r, err := e.Get(t.Context(), Spec{Package: "snail", Version: "1.0", With: []string{"leaf"}})
	if err != nil || r.Packages["leaf"] != "1.0" {
		t.Errorf("snail of 2021 comes with leaf %s, %v", r.Packages["leaf"], err)
	}
}

// Old releases often do not say what they need: what they cannot be imported
// without is installed if the newest one lists it, and only then.
func TestWhatAReleaseDoesNotAskForIsInstalled(t *testing.T) {
	for needs, want := range map[string]string{"leaf": "1.0", "": ""} {
		s := newShelf(t, "1.0", "2.0")
		s.Plant, s.Needs = map[string]string{"snail_shell.py": "import leaf\n"}, needs
		e := newEnvironments(t, s, t.TempDir())
		r, err := e.Get(t.Context(), Spec{Package: "snail", Version: "1.0"})
		if err != nil {
			t.Fatal(err)
		}
		o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program("import leaf; print(leaf.speed)"), Runtime: r})
		if got := strings.TrimSpace(o.Stdout); err != nil || got != want {
			t.Errorf("the newest needs %q: leaf %q, want %q; %v %s", needs, got, want, err, o.Stderr)
		}
		s.Close()
	}
}

func TestVersionsShareAPython(t *testing.T) {
	s := newShelf(t, "1.0", "2.0")
	defer s.Close()
	e := &Environments{Index: index.Index{URL: s.Index()}, Pythons: []bug.Runtime{{Version: "3.13.1"}, {Version: "3.8.1"},
		{Version: "3.7.2"}}}
	specs := e.Alike(t.Context(), Spec{Package: "snail", Version: "2.0"}, Spec{Package: "snail", Version: "1.0"},
		Spec{Package: "snail", Version: "0.1"}) // of which there is no wheel
	specs = specs[1:]
	if specs[0].Version != "1.0" || specs[0].Python != "3.8" || specs[1].Python != "3.8" {
		t.Errorf("%+v", specs)
	}
	for _, tt := range []struct{ says, want string }{{"", "3.8.1"}, {">=3.7", "3.8.1"}, {">=3.9", "3.13.1"},
		{"~=garbage", "3.8.1"}} {
		r, err := e.python(specs[1], index.Release{Python: tt.says})
		if err != nil || r.Version != tt.want {
			t.Errorf("a release that runs on %q gets Python %s, want %s, %v", tt.says, r.Version, tt.want, err)
		}
	}
}
