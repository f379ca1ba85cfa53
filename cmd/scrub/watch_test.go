//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
)

var update = flag.Bool("update", false, "rewrite what is compared with")

// watchedRepo is a GitHub with issues that a release of snail touches, each in its
// own way, and one that it does not touch.
func watchedRepo(t *testing.T) *githubtest.Server {
	s := githubtest.New()
	s.Now = time.Now
	t.Cleanup(s.Close)
	for n, when := range []string{"snail.speed < 3", "snail.speed < 9", "snail.speed < 2 or snail.speed >= 3",
		"snail.speed < 2"} {
		body := fmt.Sprintf("With snail 1.0:\n\n```python\nimport snail\nif %s:\n    raise ValueError(\"too slow %d\")\n```\n\n"+
			"```\nTraceback (most recent call last):\n  File \"x.py\", line 3, in <module>\nValueError: too slow %[2]d\n```\n", when,
			n+1)
		s.Put(githubtest.Issue{Report: bug.Report{Ref: bug.Ref{Repo: "octo/snail", Number: n + 1}, Author: "bob",
			Title: "Too slow, " + when, Created: time.Date(2026, 1, 1, 0, 0, n, 0, time.UTC), Body: body}})
	}
	s.Put(githubtest.Issue{Report: bug.Report{Ref: bug.Ref{Repo: "octo/snail", Number: 5}, Author: "bob",
		Title: "It is slow", Created: time.Date(2026, 1, 1, 0, 0, 9, 0, time.UTC), Body: "I think so."}})
	return s
}

// Builds of a night are watched if they are named, and searched among.
func TestWatchNightly(t *testing.T) {
	shelf, nightly := runtimestest.NewShelf("1.0", "2.0"), runtimestest.NewShelf("11.0.dev1")
	t.Cleanup(shelf.CloseClientConnections)
	t.Cleanup(nightly.CloseClientConnections)
	server := githubtest.New()
	server.Now = time.Now
	t.Cleanup(server.Close)
	for n, when := range []string{"snail.speed < 11 or snail.build < 4", "snail.speed < 12"} {
		body := fmt.Sprintf("With snail 1.0:\n\n```python\nimport snail\nif %s:\n    raise ValueError(\"too slow\")\n```\n\n"+
			"```\nValueError: too slow\n```\n", when)
		server.Put(githubtest.Issue{Report: bug.Report{Ref: bug.Ref{Repo: "octo/snail", Number: n + 1}, Author: "bob",
			Title: "Too slow, " + when, Created: time.Date(2026, 1, 1, 0, 0, n, 0, time.UTC), Body: body}})
	}
	home := t.TempDir()
	env := append(os.Environ(), "HOME="+home, "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=", "PIP_INDEX_URL="+shelf.Index(),
		"UV_INDEX_URL=", "GITHUB_API_URL="+server.URL)
	command, state := scrub(t), filepath.Join(home, "scrub.db")
	asks := []string{"--approve-clean", "--on", "reported,nightly", "--index", nightly.Index(), "--state", state, "--steps",
		"when"}
	output(t, env, nil, command, append([]string{"sweep", "octo/snail", "--json"}, asks...)...)
	watch := append([]string{"watch", "octo/snail", "--once"}, asks...)
	output(t, env, nil, command, watch...)
	for i := 2; i <= 6; i++ {
		nightly.Release(fmt.Sprintf("11.0.dev%d", i))
	}
	digest := string(output(t, env, nil, command, watch...))
	for _, want := range []string{"pre-release 11.0.dev6 came out", "octo/snail#1: fixed in 11.0.dev4 (",
		"octo/snail#2: still fails on 11.0.dev6 ("} {
		if !strings.Contains(digest, want) {
			t.Errorf("no %q in\n%s", want, digest)
		}
	}
}

var moment = regexp.MustCompile(`Since \d{4}-\d\d-\d\d \d\d:\d\d`)

// A release comes out: what still failed and what was fixed is run on it, nothing
// else, and a digest says what has changed.
func TestWatchRelease(t *testing.T) {
	shelf := runtimestest.NewShelf("1.0", "2.0")
	t.Cleanup(shelf.CloseClientConnections)
	server := watchedRepo(t)
	home := t.TempDir()
	env := append(os.Environ(), "HOME="+home, "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=", "PIP_INDEX_URL="+shelf.Index(),
		"UV_INDEX_URL=", "GITHUB_API_URL="+server.URL)
	command, state := scrub(t), filepath.Join(home, "scrub.db")
	asks := []string{"--approve-clean", "--on", "reported,newest", "--state", state, "--steps", "when"}
	output(t, env, nil, command, append([]string{"sweep", "octo/snail", "--json"}, asks...)...)
	watch := append([]string{"watch", "octo/snail", "--once"}, asks...)
	digests := [][]byte{output(t, env, nil, command, watch...)}
	before := asked(t, state)
	shelf.Release("3.0")
	digests = append(digests, output(t, env, nil, command, watch...))
	if n := asked(t, state) - before; n == 0 || n > 40 {
		t.Errorf("%d questions for four reports", n)
	}
	again := asked(t, state)
	server.Say(bug.Ref{Repo: "octo/snail", Number: 2}, "ann", "I see it too.")
	server.Put(githubtest.Issue{Report: bug.Report{Ref: bug.Ref{Repo: "octo/snail", Number: 6}, Author: "bob",
		Title:   "Wrong shell",
		Created: time.Now(), Body: "With snail 3.0:\n\n```python\nimport snail\nsnail.shell\n```\n\n```\nAttributeError: module " +
			"'snail' has no attribute 'shell'\n```\n"}})
	digests = append(digests, output(t, env, nil, command, watch...))
	if asked(t, state) == again {
		t.Error("the new issue was not looked at")
	}
	var got strings.Builder
	for _, d := range digests {
		got.WriteString(moment.ReplaceAllString(string(d), "Since NOW"))
		got.WriteString("----\n")
	}
	golden := "testdata/digest.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != got.String() {
		t.Errorf("%v\n%s", err, got.String())
	}
}

// The first build of a night that shows a bug is found in an index of such builds alone, with the commits that it
// and the one before it were made from.
func TestNightliesAreBisected(t *testing.T) {
	var builds []string
	for i := range 9 {
		builds = append(builds, fmt.Sprintf("11.0.dev2026010%d", i+1))
	}
	shelf, nightly := runtimestest.NewShelf("1.0"), runtimestest.NewShelf(builds...)
	t.Cleanup(shelf.CloseClientConnections)
	t.Cleanup(nightly.CloseClientConnections)
	home := t.TempDir()
	profile, program := filepath.Join(home, "snails"), filepath.Join(home, "late.py")
	for name, text := range map[string]string{
		filepath.Join(profile, "profile.toml"): "name = 'snails'\nextends = 'python'\nabout = 'Snails.'\n" +
			"package = 'snail'\ncommit = '\"%07x\" % snail.build'\n",
		program: "import snail\nif snail.build >= 20260106:\n    raise ValueError('too late')\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "HOME="+home, "USER=ann", "PIP_INDEX_URL="+shelf.Index(), "UV_INDEX_URL=")
	for _, ends := range [][]string{{"--good", builds[0], "--bad", builds[8]}, // by name, and by day
		{"--good", "2026-01-01", "--bad", "2026-01-31"}, {"--versions", "2026-01-02..2026-01-08"}} {
		args := append([]string{"bisect", program, "--package", "snail", "--profile", profile, "--index", nightly.Index(),
			"--state", filepath.Join(home, "scrub.db")}, ends...)
		got := string(output(t, env, nil, scrub(t), args...))
		for _, want := range []string{"First affected release: snail 11.0.dev20260106;", "release: snail 11.0.dev20260105.",
			fmt.Sprintf("built from the commits %07x and %07x", 20260105, 20260106)} {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in\n%s", ends, want, got)
			}
		}
	}
}
