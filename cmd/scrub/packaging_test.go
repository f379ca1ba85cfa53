//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
)

// The wheel has the same bytes whoever makes it, and what pip installs of it takes a
// sample report to its verdict, without any index.
func TestWheel(t *testing.T) {
	dir := t.TempDir()
	must := func(name string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000", "HOME="+dir, "USER=ann")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return out
	}
	var made [2][]byte
	wheel := ""
	for i := range made {
		out := filepath.Join(dir, "dist", string(rune('a'+i)))
		must("python3", "packaging/wheel.py", scrub(t), "v1.2.3-rc.1", runtime.GOOS+"/"+runtime.GOARCH, out)
		found, err := filepath.Glob(filepath.Join(out, "scrub_dev-1.2.3rc1-*.whl"))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		wheel = found[0]
		if made[i], err = os.ReadFile(wheel); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("made twice, it is not the same")
	}
	venv := filepath.Join(dir, "venv")
	must("python3", "-m", "venv", venv)
	must(filepath.Join(venv, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel)
	installed := filepath.Join(venv, "bin", "scrub")
	report := string(must(installed, "issue", "examples/exception.md", "--approve-clean", "-q"))
	if !strings.Contains(report, "**reproduces**") {
		t.Error(report)
	}
}

// What the GitHub Action runs takes an issue to its verdict, and gives no token away.
func TestAction(t *testing.T) {
	server := githubtest.New()
	t.Cleanup(server.Close)
	body := "```python\nprint(1 / 0)\n```\n\n```\nZeroDivisionError: division by zero\n```\n"
	server.Put(githubtest.Issue{Report: bug.Report{Ref: bug.Ref{Repo: "octo/json", Number: 7}, Author: "bob",
		Title: "It divides $(touch pwned)", Body: body}})
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	server.Put(githubtest.Issue{Report: bug.Report{
		Ref:    bug.Ref{Repo: "octo/json", Number: 8},
		Author: "bob",
		Title:  "json.loads does not like commas",
		Body: "With `json.loads` it says Expecting value: line 1 column 4 (char 3) when " +
			"there is one too many.",
	}})
	guess := ""
	script := func(issue string) ([]byte, error) {
		cmd := exec.Command("bash", "packaging/action.sh")
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(scrub(t))+":"+os.Getenv("PATH"), "HOME="+dir,
			"GH_TOKEN=secret", "GITHUB_API_URL="+server.URL, "GITHUB_REPOSITORY=octo/json", "USER=runner",
			"GITHUB_OUTPUT="+file("out"), "GITHUB_STEP_SUMMARY="+file("summary"), "RUNNER_TEMP="+dir,
			"SCRUB_ISSUE="+issue, "SCRUB_GUESS="+guess, "SCRUB_FLAGS=--approve-clean -q")
		return cmd.CombinedOutput()
	}
	if out, err := script("7"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	outputs, err := os.ReadFile(file("out"))
	summary, err2 := os.ReadFile(file("summary"))
	if err != nil || err2 != nil || !strings.Contains(string(outputs), "verdict=reproduces\n") ||
		!strings.Contains(string(summary), "**reproduces**") || strings.Contains(string(summary), "secret") {
		t.Errorf("%s\n%s\n%v, %v", outputs, summary, err, err2)
	}
	// What an agent proposes is measured where the report says too little.
	guess = file("proposal.json")
	for program, accepted := range map[string]string{`import json\njson.loads('[1,]')\n`: "true",
		`raise ValueError('Expecting value: line 1 column 4 (char 3)')\n`: "false"} {
		class := map[string]string{"true": "JSONDecodeError", "false": "ValueError"}[accepted]
		text := `{"by": "an agent", "quote": "it says Expecting value", "expect": "` + class + `: Expecting value", "program": "` +
			program + `"}`
		if err := os.WriteFile(guess, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := script("8"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		outputs, err := os.ReadFile(file("out"))
		if last := lastOf(string(outputs)); err != nil || last != "accepted="+accepted {
			t.Errorf("%s: %s, %v", program, last, err)
		}
	}
	for _, bad := range []string{"", "7; touch x", "x"} {
		if out, err := script(bad); err == nil || !strings.Contains(string(out), "about no issue") {
			t.Errorf("%q: %s, %v", bad, out, err)
		}
	}
}

func lastOf(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
