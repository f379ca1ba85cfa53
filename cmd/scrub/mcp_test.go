//go:build unix

package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/report"
)

// An agent is a client of scrub mcp in a process of its own.
type agent struct {
	*mcp.ClientSession
	t   *testing.T
	dir string
	cmd *exec.Cmd
}

// agentIn starts scrub mcp over a state in dir.
func agentIn(t *testing.T, dir string, options *mcp.ClientOptions, args ...string) *agent {
	t.Helper()
	cmd := exec.Command(scrub(t), append([]string{"mcp", "--state", filepath.Join(dir, "scrub.db")}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "USER=ann", "GH_TOKEN="+canary, "GITHUB_API_URL=http://127.0.0.1:9")
	client := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, options)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // it may have been killed
	return &agent{session, t, dir, cmd}
}

// call is a tool's answer: its text, and whether it is a refusal.
func (a *agent) call(tool string, args any) (string, bool) {
	a.t.Helper()
	r, err := a.CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.(*mcp.TextContent).Text)
	}
	return b.String(), r.IsError
}

// decided is how much was decided or done, by whoever: scrub's own list of it.
func decided(t *testing.T, dir string) string {
	t.Helper()
	text := ""
	for _, args := range [][]string{{"decisions"}, {"actions", "--all"}} {
		cmd := exec.Command(scrub(t), append(args, "--state", filepath.Join(dir, "scrub.db"), "--json")...)
		cmd.Env = append(os.Environ(), "HOME="+dir)
		out, _ := cmd.Output() // where there is nothing to list, that is said
		text += string(out)
	}
	return text
}

const fails = "def f(x):\n    return 1 / x\nf(0)\n"

const vague = "# It does not divide\n\nWith nothing below the line the library does not divide.\n"

const failing = "# It divides\n\n```python\n" + fails + "```\n\n```\nTraceback (most recent call last):\n" +
	"  File \"a.py\", line 3, in <module>\n    f(0)\nZeroDivisionError: division by zero\n```\n"

// Every tool answers a real client, by standard input and output and by HTTP.
func TestAgents(t *testing.T) {
	dir := t.TempDir()
	over := map[string]*agent{"stdio": agentIn(t, dir, nil, "--patience", "2m"),
		"http": overHTTP(t, dir, "--patience", "2m")}
	for name, a := range over {
		tools, err := a.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 19 {
			t.Fatalf("%s: %d tools, %v", name, len(tools.Tools), err)
		}
		for _, one := range tools.Tools {
			if one.Description == "" || one.InputSchema == nil || len(one.Description) > 400 {
				t.Errorf("%s: %s is described by %q", name, one.Name, one.Description)
			}
		}
		text, _ := a.call("issue", map[string]any{"report": failing})
		id := regexp.MustCompile(`case: (\w+)`).FindStringSubmatch(text)
		if id == nil || !strings.Contains(text, "verdict: reproduces") || !strings.Contains(text, "3 of 3 runs show it") {
			t.Fatalf("%s: issue: %s", name, text)
		}
		for _, one := range []struct {
			tool string
			args map[string]any
			want string
		}{
			{"triage", map[string]any{"report": failing}, "actionable: yes"},
			{"read", map[string]any{"report": failing}, "comments: 0, bytes 0 to "},
			{"vet", map[string]any{"program": "import os\nos.system('true')\n"}, "before it runs: yes"},
			{"classify", map[string]any{"log": failing}, "kind: "},
			{"run", map[string]any{"program": fails, "expect": "ZeroDivisionError", "runs": 2}, "2 of 2 runs"},
			{"minimize", map[string]any{"program": "x = 1\n" + fails}, "every part is needed: yes"},
			{"logs", map[string]any{"program": fails, "for": "frames"}, "x = 0"},
			{"ablate", map[string]any{"program": fails}, "kind: "},
			{"case", map[string]any{"case": id[1]}, "verdict: reproduces"},
			{"cases", map[string]any{}, "cases: 1"},
			{"similar", map[string]any{"case": id[1]}, "pairs: 0"},
			{"proposals", map[string]any{}, "proposals: 0"},
			{"regress", map[string]any{"report": failing}, "nothing: "},
			{"bisect", map[string]any{"program": fails, "package": "nowhere-to-be-found", "good": "1", "bad": "2"}, "next: "},
			{"check_fix", map[string]any{"report": failing, "checkout": "/"}, "may not be looked into"},
			{"task", map[string]any{"task": "000000000000"}, "there is no task"},
			{"hint", map[string]any{"folder": "/", "files": []string{"a.py"}}, "may not be looked into"},
			{"guess", map[string]any{"report": vague, "quote": "does not divide", "program": fails, "expect": "ZeroDivisionError"},
				"against it: made"},
		} {
			if text, _ := a.call(one.tool, one.args); !strings.Contains(text, one.want) || len(text) > 4500 {
				t.Errorf("%s: %s gives %d bytes: %s", name, one.tool, len(text), text)
			}
		}
		got, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "scrub://case/" + id[1] + "/report"})
		if err != nil || !strings.Contains(got.Contents[0].Text, "ZeroDivisionError") {
			t.Errorf("%s: the report of a case: %v, %v", name, got, err)
		}
		if got, err = a.ReadResource(
			t.Context(),
			&mcp.ReadResourceParams{URI: "scrub://case/" + id[1] + "/log"},
		); err != nil ||
			!strings.Contains(got.Contents[0].Text, "run 3: it raised ZeroDivisionError") {
			t.Errorf("%s: the log of a case: %v, %v", name, got, err)
		}
		if got, err = a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "scrub://cases"}); err != nil ||
			!strings.Contains(got.Contents[0].Text, "cases: 1") {
			t.Errorf("%s: the list of cases: %v, %v", name, got, err)
		}
		prompts, err := a.ListPrompts(t.Context(), nil)
		if err != nil || len(prompts.Prompts) != 7 {
			t.Errorf("%s: prompts: %v, %v", name, prompts, err)
		}
	}
}

// overHTTP is a client by HTTP; one without the token gets nothing.
func overHTTP(t *testing.T, dir string, args ...string) *agent {
	t.Helper()
	cmd := exec.Command(scrub(t), append([]string{"mcp", "--http", "127.0.0.1:0", "--state",
		filepath.Join(dir, "scrub.db")}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "USER=ann", "SCRUB_MCP_TOKEN=a-token")
	at := begun(t, cmd, `serving at (http://\S+)\n`)
	client := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, nil)
	for token, works := range map[string]bool{"": false, "Bearer wrong": false} {
		_, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: at, MaxRetries: -1,
			HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
		if (err == nil) != works {
			t.Fatalf("with %q: %v", token, err)
		}
	}
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: at,
		HTTPClient: &http.Client{Transport: bearer("Bearer a-token")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &agent{session, t, dir, cmd}
}

// A bearer sends a token along.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// Where it cannot, a person decides with scrub decide, and the same call runs then; also by HTTP.
func TestAgentsWaitForPeople(t *testing.T) {
	for _, way := range []string{"stdio", "http"} {
		dir := t.TempDir()
		begin := func() *agent {
			if way == "http" {
				return overHTTP(t, dir, "--patience", "2m")
			}
			return agentIn(t, dir, nil, "--patience", "2m")
		}
		a := begin()
		args := map[string]any{"program": "import os\nos.system('true')\nprint('it ran')\n"}
		text, no := a.call("run", args)
		how := regexp.MustCompile(`scrub (decide [0-9a-f]{64} proceed)`).FindStringSubmatch(text)
		if !no || how == nil {
			t.Fatalf("%s: %s", way, text)
		}
		decide := exec.Command(scrub(t), append(strings.Fields(how[1]), "--state", filepath.Join(dir, "scrub.db"))...)
		decide.Env = append(os.Environ(), "HOME="+dir, "USER=ann")
		if out, err := decide.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", way, err, out)
		}
		if text, no = a.call("run", args); no || !strings.Contains(text, "it ran") {
			t.Errorf("%s: after a person has agreed: %s", way, text)
		}
	}
}

// Where a client can ask a person, their word is on record for exactly the program that they were shown.
func TestAgentsAskPeople(t *testing.T) {
	for said, runs := range map[string]bool{"proceed": true, "skip": false, "": false} {
		dir := t.TempDir()
		shown := ""
		a := agentIn(t, dir, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context,
			r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			shown = r.Params.Message
			if said == "" {
				return &mcp.ElicitResult{Action: "decline"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": said}}, nil
		}}, "--patience", "2m")
		program := "import os\nos.system('true')\nprint('it ran')\n"
		text, no := a.call("run", map[string]any{"program": program})
		if strings.Contains(text, "it ran") != runs || no == runs {
			t.Errorf("%q: %v %s", said, no, text)
		}
		if !strings.Contains(shown, program) || !strings.Contains(shown, "shell") {
			t.Errorf("a person was shown %s", shown)
		}
		if list := decided(t, dir); strings.Contains(list, "ann through tester") != (said != "") {
			t.Errorf("%q: on record: %s", said, list)
		}
	}
}

// begun starts a command and gives what it says of where it is.
func begun(t *testing.T, cmd *exec.Cmd, says string) string {
	t.Helper()
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	log := make([]byte, 0, 4096)
	for {
		n, err := out.Read(log[len(log):cap(log)])
		if err != nil {
			t.Fatalf("%v: %s", err, log)
		}
		log = log[:len(log)+n]
		if m := regexp.MustCompile(says).FindSubmatch(log); m != nil {
			return string(m[1])
		}
	}
}

// An agent that has a report looked into ends with the very case that the command has, whatever the report is like.
func TestAgentEndsWithTheSameCase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := agentIn(t, dir, nil, "--patience", "3m")
	reports, err := filepath.Glob("../../examples/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, file := range reports {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if testing.Short() && i%4 != 1 {
			continue
		}
		if !strings.HasPrefix(string(text), "---\n") {
			continue // no report
		}
		n++
		told, _ := a.call("issue", map[string]any{"report": string(text)})
		cmd := exec.Command(scrub(t), "issue", file, "--approve-clean", "--json", "--state", filepath.Join(dir, "scrub.db"))
		cmd.Env = append(os.Environ(), "HOME="+dir, "USER=ann", "GH_TOKEN=", "GITHUB_API_URL=http://127.0.0.1:9")
		want, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); err != nil && code != 3 {
			t.Fatalf("%s: %v", file, err)
		}
		var whole struct{ Case, Verdict string }
		if err := json.Unmarshal(want, &whole); err != nil {
			t.Fatal(err)
		}
		if whole.Verdict != "needs-decision" && !strings.Contains(told, "verdict: "+whole.Verdict+"\n") {
			t.Errorf("%s: the command says %s, and the tool: %s", file, whole.Verdict, told)
		}
		got, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "scrub://case/" + whole.Case + "/json"})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		inside := regexp.MustCompile(`(?s)^<data [^>]*>\n(.*)\n</data [^>]*>\n$`).FindStringSubmatch(got.Contents[0].Text)
		if inside == nil {
			t.Fatalf("%s: %s", file, got.Contents[0].Text)
		}
		// What is told is cleaned for readers: homes and what terminals obey are left out.
		clean := []byte(report.Clean(report.Homeless(string(took.ReplaceAll(want, []byte(`"$1": 0`))))))
		one, other := strings.Split(strings.TrimSpace(string(clean)), "\n"),
			strings.Split(took.ReplaceAllString(strings.TrimSpace(inside[1]), `"$1": 0`), "\n")
		for i := range max(len(one), len(other)) {
			if i >= len(one) || i >= len(other) || one[i] != other[i] {
				t.Errorf("%s: line %d: the command has %.300s, and the agent %.300s", file, i, one[min(i, len(one)-1)],
					other[min(i, len(other)-1)])
				break
			}
		}
	}
	if n < 2 {
		t.Errorf("only %d reports", n)
	}
}
