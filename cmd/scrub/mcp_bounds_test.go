//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
)

var handle = regexp.MustCompile(`task: ([0-9a-f]{12})\n`)

// What runs programs is not offered to an agent that may only read.
func TestAgentsThatMayOnlyRead(t *testing.T) {
	t.Parallel()
	a := agentIn(t, t.TempDir(), nil, "--read-only")
	tools, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tools.Tools {
		if one.Name != "task" && !one.Annotations.ReadOnlyHint {
			t.Errorf("%s is offered", one.Name)
		}
	}
	for _, tool := range []string{"run", "issue", "minimize", "bisect", "ablate", "logs", "guess", "regress",
		"check_fix"} {
		if text, no := a.call(tool, map[string]any{"program": "print('IT RAN')", "report": failing}); !no {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if text, no := a.call("triage", map[string]any{"report": failing}); no {
		t.Errorf("triage: %s", text)
	}
}

// Whoever waits is told how far it is, in scrub's own words.
func TestAgentsAreToldHowFar(t *testing.T) {
	t.Parallel()
	told := make(chan string, 1000)
	a := agentIn(t, t.TempDir(), &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context,
		r *mcp.ProgressNotificationClientRequest) {
		select {
		case told <- r.Params.Message:
		default:
		}
	}}, "--patience", "2m")
	params := &mcp.CallToolParams{Name: "issue", Arguments: map[string]any{"report": failing}}
	params.SetProgressToken("far")
	if r, err := a.CallTool(t.Context(), params); err != nil || r.IsError {
		t.Fatal(r, err)
	}
	var steps []string
	for len(told) > 0 {
		if step := <-told; !slices.Contains(steps, step) {
			steps = append(steps, step)
		}
	}
	if len(steps) < 2 || strings.Contains(strings.Join(steps, " "), "Zero") {
		t.Errorf("told: %q", steps)
	}
}

// Work that goes on can be stopped, and goes on where it was when it is asked for again.
func TestAgentsStopWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := agentIn(t, dir, nil, "--patience", "1ms")
	endless := map[string]any{"program": "while True:\n    pass\n", "expect": "hang"}
	text, no := a.call("run", endless)
	task := handle.FindStringSubmatch(text)
	if no || task == nil {
		t.Fatalf("no handle: %s", text)
	}
	refused := 0
	for i := range 9 { // more than may wait: they are refused, nothing is kept of them, and nothing is lost
		if text, no = a.call("run", map[string]any{"program": fmt.Sprintf("while True:\n    pass # %d\n", i)}); no {
			refused++
		}
	}
	if refused != 2 || !strings.Contains(text, "wait already") {
		t.Errorf("%d of nine that are too many were refused: %s", refused, text)
	}
	text, no = a.call("task", map[string]any{"task": task[1], "stop": true})
	if no || !strings.Contains(text, "stopped: ") {
		t.Errorf("stopped: %s", text)
	}
	if text, no = a.call("task", map[string]any{"task": task[1], "stop": true}); !no {
		t.Errorf("stopped twice: %s", text)
	}
	if text, no = a.call("task", map[string]any{"task": task[1], "wait_seconds": 1}); no || handle.FindString(text) == "" {
		t.Errorf("asked for again: %s", text)
	}
}

// What an answer has no room for can be had by its handle, also from a server that comes after.
func TestAgentsGetTheRest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := agentIn(t, dir, nil, "--patience", "2m")
	long := "for i in range(12):\n    print('%d' % i, '-' * 900, i * 1111)\nraise ValueError('the end')\n"
	text, _ := a.call("run", map[string]any{"program": long})
	rest := regexp.MustCompile(`all of it: resource (scrub://task/\w+/answer)\n`).FindStringSubmatch(text)
	if rest == nil {
		t.Fatalf("no handle for the rest: %s", text)
	}
	logs, _ := a.call("logs", map[string]any{"program": fails, "for": "frames"})
	hostile := "# It fails\n\n`f` is odd.\n\n```python\n" + strings.Repeat("print(1)\n", 600) +
		"raise ValueError('at the end')\n```\n\n```python\nprint(2)\n```\n"
	whole, _ := a.call("triage", map[string]any{"report": hostile})
	all := regexp.MustCompile(`all of it: resource (scrub://task/\w+/answer)\n`).FindStringSubmatch(whole)
	if all == nil {
		t.Fatalf("no handle for the rest of triage: %s", whole)
	}
	file := regexp.MustCompile(`file 1: resource (scrub://task/\w+/file/1) `).FindStringSubmatch(logs)
	if file == nil {
		t.Fatalf("no file: %s", logs)
	}
	for name, one := range map[string]*agent{"the same server": a, "another": agentIn(t, dir, nil, "--patience", "2m")} {
		for uri, want := range map[string]string{rest[1]: "- 7777", file[1]: "ZeroDivisionError",
			all[1]: strings.Repeat("print(1)\n", 600)} {
			got, err := one.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil || !strings.Contains(got.Contents[0].Text, want) {
				t.Errorf("%s: %s: %.300v, %v", name, uri, got, err)
				continue
			}
			if ours := marked.ReplaceAllString(got.Contents[0].Text, ""); strings.Contains(ours, want) {
				t.Errorf("%s: %s stands outside of data", name, uri)
			}
		}
	}
	for _, uri := range []string{"scrub://task/000000000000/answer", "scrub://task/../answer", rest[1] + "x",
		strings.TrimSuffix(file[1], "1") + "../../etc/passwd", strings.TrimSuffix(file[1], "1") + "999",
		"scrub://task//file/"} {
		if got, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil &&
			!strings.HasSuffix(uri, "answerx") {
			t.Errorf("%s: %v", uri, got)
		}
	}
}

// A long thread is read page by page, and all of it once.
func TestAgentsReadThreads(t *testing.T) {
	t.Parallel()
	a := agentIn(t, t.TempDir(), nil)
	var lines []string
	for i := range 600 {
		lines = append(lines, fmt.Sprintf("line %04d – é", i))
	}
	seen, from := "", 0
	for range 20 {
		text, no := a.call("read", map[string]any{"report": "# It fails\n\n" + strings.Join(lines, "\n\n"), "from": from})
		if no || len(text) > 3600 {
			t.Fatalf("from %d: %d bytes: %s", from, len(text), text)
		}
		seen += regexp.MustCompile(`(?s)<data [^>]*>\n(.*?)\n</data`).FindStringSubmatch(text)[1]
		next := regexp.MustCompile(`call read with from=(\d+)`).FindStringSubmatch(text)
		if next == nil {
			break
		}
		if _, err := fmt.Sscan(next[1], &from); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range lines {
		if n := strings.Count(seen, line); n != 1 {
			t.Errorf("%s stands there %d times", line, n)
		}
	}
}

// Work ends when it has found out as much as a person allows.
func TestAgentsAreLimited(t *testing.T) {
	t.Parallel()
	a := agentIn(t, t.TempDir(), nil, "--patience", "2m", "--most-runs", "6")
	text, no := a.call("run", map[string]any{"program": "import random\nprint(random.random())\n", "runs": 60})
	if !no || !strings.Contains(text, "used up") {
		t.Errorf("sixty runs: %s", text)
	}
	if text, no = a.call("run", map[string]any{"program": "print(1)\n"}); !no || !strings.Contains(text, "used up") {
		t.Errorf("one more: %s", text)
	}
	if text, no = a.call("triage", map[string]any{"report": failing}); no {
		t.Errorf("reading: %s", text)
	}
	// A time that is used up ends what is being done.
	a = agentIn(t, t.TempDir(), nil, "--patience", "2m", "--most", "3s")
	if text, no = a.call("run", map[string]any{"program": "while True:\n    pass\n"}); !no || !strings.Contains(text,
		"used up") {
		t.Errorf("three seconds: %s", text)
	}
	// Interpreters that are kept warm count as well.
	a = agentIn(t, t.TempDir(), nil, "--patience", "2m", "--most-runs", "6")
	long := strings.Repeat("print('nothing to do with it')\n", 40) + "raise ValueError('it')\n"
	if text, no = a.call("minimize", map[string]any{"program": long}); !no || !strings.Contains(text, "used up") {
		t.Errorf("a program made small: %s", text)
	}
}

// A search that was killed in the middle, with some of it on record, goes on where it was for whoever has its handle,
// however they come.
func TestAgentIsKilled(t *testing.T) {
	shelf := runtimestest.NewShelf("1.0", "1.1", "1.2", "1.3", "2.0")
	t.Cleanup(shelf.CloseClientConnections)
	t.Setenv("PIP_INDEX_URL", shelf.Index())
	args := map[string]any{"program": "import slug\nif slug.speed < 1.4:\n    raise ValueError('too slow')\n",
		"package": "slug", "good": "1.5", "bad": "1.0"}
	for _, way := range []string{"stdio", "http"} {
		dir := t.TempDir()
		begin := func(more ...string) *agent {
			flags := append([]string{"--patience", "1ms", "--environments", filepath.Join(dir, "envs")}, more...)
			if way == "http" {
				return overHTTP(t, dir, flags...)
			}
			return agentIn(t, dir, nil, flags...)
		}
		first := begin()
		text, no := first.call("bisect", args)
		task := handle.FindStringSubmatch(text)
		if no || task == nil {
			t.Fatalf("%s: no handle: %s", way, text)
		}
		for !step.MatchString(text) && !strings.Contains(text, "changed between") {
			text, _ = first.call("task", map[string]any{"task": task[1]})
		}
		if err := first.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if n := onRecord(t, dir); n == 0 {
			t.Errorf("%s: nothing was on record when it was killed", way)
		}
		// What was asked is not asked again: four runs do not do for all of it, which takes five.
		text, no = begin("--most-runs", "4").call("task", map[string]any{"task": task[1], "wait_seconds": 300})
		if no || !strings.Contains(text, "changed between 1.3 and 1.4") {
			t.Errorf("%s: after it was killed: %s", way, text)
		}
	}
}

// step is that some of a search has been answered.
var step = regexp.MustCompile(`step: when, [1-9]`)

// onRecord is how many bytes of results a state has, as far as it was written.
func onRecord(t *testing.T, dir string) (n int64) {
	t.Helper()
	for _, name := range []string{"scrub.db", "scrub.db-wal"} {
		if at, err := os.Stat(filepath.Join(dir, name)); err == nil {
			n += at.Size()
		}
	}
	return n
}
