//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/schema"
)

// An asking is something to ask the desk for: by flags, and as a request.
type asking struct {
	name    string
	args    []string
	request any
	direct  func(ctx context.Context, d *desk.Desk) (any, error)
}

// took is what differs from run to run: how long things took and what they used.
var took = regexp.MustCompile(`"(seconds|cpu_seconds|wall_ns|cpu_ns|peak_bytes)": [0-9.]+`)

// The same request gives the same bytes through a call, on the command line and
// in the evaluation.
func TestEveryFaceGivesTheSameAnswer(t *testing.T) {
	dir := t.TempDir()
	state, file := filepath.Join(dir, "scrub.db"), filepath.Join(dir, "repro.py")
	text := "import datetime\nx = 1\ndatetime.datetime.strptime('x', '%Y')\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	name := "../../testdata/reports/reproduces/report.json"
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	report, err := desk.Parse(name, f)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	d := &desk.Desk{State: state, User: "ann", Now: time.Now, Machine: &machine.Machine{
		Home: home, Cache: filepath.Join(home, ".cache", "scrub"), Now: time.Now,
		Token: func(context.Context, string) string { return "" },
	}}
	defer d.Close()
	evaluation := scrubeval(t)
	for _, a := range askings(name, file, text, report) {
		t.Run(a.name, func(t *testing.T) {
			answer, err := a.direct(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			want, err := desk.JSON(answer)
			if err != nil {
				t.Fatal(err)
			}
			valid(t, want)
			env := append(os.Environ(), "HOME="+home, "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=", "VIRTUAL_ENV=",
				"GH_HOST=")
			same(t, "the command line", want, output(t, env, nil, scrub(t),
				append(a.args, "--json", "--state", state)...))
			request, err := json.Marshal(a.request)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "the evaluation", want, output(t, env, request, evaluation, "request", a.name, state))
		})
	}
}

func askings(name, file, text string, report bug.Report) []asking {
	source := desk.Source{Report: &report, Name: name}
	issue := desk.IssueRequest{Source: source, ApproveClean: true}
	run := desk.RunRequest{Program: desk.Program{Text: text, Expect: "ValueError", Runs: 2}}
	small := desk.MinimizeRequest{Files: []desk.File{{Name: "repro.py", Text: text}}, Expect: "ValueError", Fresh: true}
	log := desk.ClassifyRequest{Log: text, Profile: "python"}
	return []asking{
		{"issue", []string{"issue", name, "--approve-clean"}, issue,
			func(ctx context.Context, d *desk.Desk) (any, error) { return d.Issue(ctx, issue) }},
		{"run", []string{"run", file, "--expect", "ValueError", "-n", "2"}, run,
			func(ctx context.Context, d *desk.Desk) (any, error) { return d.Run(ctx, run) }},
		{"minimize", []string{"minimize", file, "--expect", "ValueError", "--fresh"}, small,
			func(ctx context.Context, d *desk.Desk) (any, error) { return d.Minimize(ctx, small) }},
		{"classify", []string{"classify", file, "--profile", "python"}, log,
			func(ctx context.Context, d *desk.Desk) (any, error) { return d.Classify(ctx, log) }},
		{"actions", []string{"actions"}, desk.ActionsRequest{},
			func(ctx context.Context, d *desk.Desk) (any, error) { return d.Actions(ctx, desk.ActionsRequest{}) }},
	}
}

// valid checks an answer against the schema that it names.
func valid(t *testing.T, answer []byte) {
	t.Helper()
	var named struct{ Schema string }
	if json.Unmarshal(answer, &named) != nil {
		return // a list, which may be empty
	}
	text, err := schema.Of(named.Schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	var value any
	if err := errors.Join(json.Unmarshal(text, &s), json.Unmarshal(answer, &value)); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err == nil {
		err = resolved.Validate(value)
	}
	if err != nil {
		t.Errorf("%s is not what its schema says: %v", named.Schema, err)
	}
}

// same checks that two answers are equal but for what each measured anew.
func same(t *testing.T, who string, want, got []byte) {
	t.Helper()
	want, got = took.ReplaceAll(want, []byte(`"$1": 0`)), took.ReplaceAll(got, []byte(`"$1": 0`))
	if !bytes.Equal(want, got) {
		t.Errorf("%s answers\n%s\nand a call\n%s", who, got, want)
	}
}

// scrub is this test as the command.
func scrub(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "scrub")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	return link
}

func scrubeval(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scrubeval")
	if out, err := exec.Command("go", "build", "-o", file, "../scrubeval").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// output is what a command prints. One that answers "no" ends with code 4.
func output(t testing.TB, env []string, in []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	var out, said bytes.Buffer
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, bytes.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 4 {
		t.Fatalf("%s %q: %v\n%s", name, args, err, said.String())
	}
	return out.Bytes()
}
