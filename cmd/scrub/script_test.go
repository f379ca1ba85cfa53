//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	testscript.Main(m, map[string]func(){"scrub": main})
}

type serverKey struct{}

// canary is the token of every script. It must turn up nowhere.
const canary = "ghp_canary0123456789"

// newGitHub is a GitHub with one issue, on which ann may write and which she
// does not want to hear of.
func newGitHub() *githubtest.Server {
	s := githubtest.New()
	s.Token, s.Me = canary, "ann"
	s.Writers("octo/snail", "ann")
	s.Put(githubtest.Issue{Subscription: forge.Ignored, Report: bug.Report{
		Ref: bug.Ref{Repo: "octo/snail", Number: 7}, Title: "It divides by nothing", Author: "bob",
		Labels: []string{"bug"}, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Body: "```python\nx = 0\nprint(1 / x)\n```\n\n```\nTraceback (most recent call last):\n  File \"x.py\", line " +
			"2, in <module>\n    print(1 / x)\nZeroDivisionError: division by zero\n```\n",
	}})
	s.Put(githubtest.Issue{Subscription: forge.Unsubscribed, Report: bug.Report{
		Ref: bug.Ref{Repo: "octo/snail", Number: 8}, Title: "The snail is too slow", Author: "bob",
		Labels: []string{"bug"}, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Body: "With snail 1.0:\n\n```python\nimport snail\nif snail.speed < 2:\n    raise ValueError(\"too " +
			"slow\")\n```\n\n```\nTraceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    " +
			"raise ValueError(\"too slow\")\nValueError: too slow\n```\n",
	}})
	return s
}

// github shows an issue as it is now, or has somebody say something there.
func github(ts *testscript.TestScript, _ bool, args []string) {
	s, ref := ts.Value(serverKey{}).(*githubtest.Server), bug.Ref{Repo: "octo/snail", Number: 7}
	if len(args) == 3 && args[0] == "say" {
		s.Say(ref, args[1], args[2])
		return
	}
	if len(args) == 2 {
		ref.Number = int(args[1][0] - '0')
	}
	i := s.Issue(ref)
	fmt.Fprintf(ts.Stdout(), "%s, %q, %s\n", i.State, i.Labels, i.Subscription)
	for _, c := range i.Comments {
		fmt.Fprintf(ts.Stdout(), "%s: %s\n", c.Author, c.Body)
	}
}

// Each script has a home and a state file of its own, and the reports of
// testdata/reports under $REPORTS.
func TestScript(t *testing.T) {
	reports, err := filepath.Abs("../../testdata/reports")
	if err != nil {
		t.Fatal(err)
	}
	// Every script has an index with snail 1.0 and 2.0, and no other.
	shelf := runtimestest.NewShelf("1.0", "2.0")
	t.Cleanup(shelf.CloseClientConnections)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(cond string) (bool, error) {
			if cond != "venv" {
				return false, fmt.Errorf("unknown condition %s", cond)
			}
			return exec.Command("python3", "-c", "import ensurepip, venv").Run() == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"github": github},
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPORTS", reports)
			env.Setenv("EXTENSION", filepath.Join(reports, "../../extension/gh-scrub/gh-scrub"))
			env.Setenv("PIP_INDEX_URL", shelf.Index())
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			env.Setenv("USER", "ann")
			env.Setenv("GH_TOKEN", canary)
			server := newGitHub()
			env.Defer(server.Close)
			env.Values[serverKey{}] = server
			env.Setenv("GITHUB_API_URL", server.URL)
			return os.MkdirAll(env.WorkDir+"/home", 0o700)
		},
	})
}
