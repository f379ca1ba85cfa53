package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/forge/issuefile"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/rule"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

var update = flag.Bool("update", false, "rewrite the worlds with what scrub arrives at")

// A world is a txtar: an issue, a file of "key: value" lines with what there is,
// perhaps a script of how runs end, and the report that scrub must arrive at. The
// verdict, and words that the report must and must not have, are said by hand.
func TestWorlds(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d worlds: %v", len(files), err)
	}
	python, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := world{said: keys(t, member(text, "world")), script: string(member(text, "runs")), python: python[0]}
			c, err := w.arrive(t, member(text, "issue.md"))
			got := []byte(report.Markdown(c))
			if err != nil {
				got = fmt.Appendf(nil, "error: %v\n", err)
			}
			w.check(t, c, string(got))
			if *update {
				set(text, "want", got)
				if err := os.WriteFile(file, txtar.Format(text), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if want := member(text, "want"); !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// A world is what there is for one issue.
type world struct {
	said   map[string][]string
	script string
	python bug.Runtime // reads programs
}

// keys reads lines of "key: value".
func keys(t *testing.T, text []byte) map[string][]string {
	t.Helper()
	said := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Fatalf("%q is not of the form key: value", line)
		}
		said[key] = append(said[key], value)
	}
	return said
}

func (w world) one(key string) string {
	if all := w.said[key]; len(all) > 0 {
		return all[0]
	}
	return ""
}

// check looks for what the world says of the report.
func (w world) check(t *testing.T, c casefile.Case, got string) {
	t.Helper()
	if verdict, why := c.Verdict(); w.one("verdict") != "" && string(verdict) != w.one("verdict") {
		t.Errorf("the verdict is %s (%s), not %s", verdict, why, w.one("verdict"))
	}
	for _, words := range w.said["says"] {
		if !strings.Contains(got, words) {
			t.Errorf("the report does not say %q:\n%s", words, got)
		}
	}
	for _, words := range w.said["silent"] {
		if strings.Contains(got, words) {
			t.Errorf("the report says %q:\n%s", words, got)
		}
	}
}

// box is where programs run.
func (w world) box(t *testing.T) sandbox.Box {
	t.Helper()
	factors := strings.Fields(w.one("factors"))
	if w.script != "" {
		lines, err := sandboxtest.ParseScript(w.script)
		if err != nil {
			t.Fatal(err)
		}
		return &sandboxtest.Script{Lines: lines, Factors: factors, Tools: sandbox.Native{}, On: w.python}
	}
	box := &sandboxtest.World{Factors: factors}
	for key, into := range map[string]*rule.Rule{"fault": &box.Fault, "broken": &box.Broken} {
		if w.one(key) == "" {
			continue
		}
		var err error
		if *into, err = rule.Compile(w.one(key)); err != nil {
			t.Fatal(err)
		}
	}
	return box
}

// runtime is an interpreter with a version of the package, or of that version.
func (w world) runtime(version string) bug.Runtime {
	if name := w.one("package"); name != "" {
		return bug.Runtime{Path: "python", Version: "3.12.0", Packages: map[string]string{name: version}}
	}
	return bug.Runtime{Path: "python", Version: version}
}

// arrive takes an issue through the world.
func (w world) arrive(t *testing.T, issue []byte) (casefile.Case, error) {
	t.Helper()
	r, err := issuefile.Parse(issue)
	if err != nil {
		t.Fatal(err)
	}
	prof, err := profile.ForRepo(r.Ref.Repo)
	if w.one("profile") != "" {
		prof, err = profile.Load(w.one("profile"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if w.one("label") != "" {
		prof.Labels.Repro = w.one("label")
	}
	var now time.Time
	if w.one("today") != "" {
		if now, err = time.Parse(time.DateOnly, w.one("today")); err != nil {
			t.Fatal(err)
		}
	}
	p := &pipeline.Pipeline{
		Profile: prof, Box: w.box(t), Log: new(journal.Mem), Times: 4, Now: func() time.Time { return now },
		Tell: func(event.Event) {}, Introduced: w.one("since") != "", Workers: 2, Ignored: w.said["ignore"],
		Test:   w.one("test") != "",
		Limits: sandbox.Limits{Time: time.Minute}, Decide: w.decide(),
		Runtimes: func(context.Context, []string) ([]bug.Runtime, error) {
			var all []bug.Runtime
			for _, v := range strings.Fields(w.one("versions")) {
				all = append(all, w.runtime(v))
			}
			return all, nil
		},
		Parser: func(context.Context, bug.Runtime) (bug.Runtime, error) { return w.python, nil },
	}
	w.steps(t, p)
	return p.Issue(t.Context(), r)
}

// decide agrees, unless the world says otherwise.
func (w world) decide() pipeline.DecideFunc {
	first := ""
	return func(_ context.Context, s casefile.Subject) (casefile.Consent, error) {
		said := casefile.Proceed
		switch w.one("consent") {
		case "none":
			said = casefile.Nothing
		case "skip":
			said = casefile.Skip
		case "change":
			said = casefile.Change
		case "as it was": // to the first program that is shown, and no other
			if first == "" {
				first = s.Repro.Digest()
			}
			if s.Repro.Digest() != first {
				said = casefile.Nothing
			}
		case "trusted":
			if !s.Trusted {
				said = casefile.Nothing
			}
		}
		return casefile.Consent{Decision: said, By: "test"}, nil
	}
}

// steps wires up the steps that the world has.
func (w world) steps(t *testing.T, p *pipeline.Pipeline) {
	t.Helper()
	if text := w.one("expect"); text != "" {
		s, err := bug.ParseSymptom(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Expect = &s
	}
	if text := w.one("modified"); text != "" {
		p.Modified = &casefile.ModifiedProgram{By: "eve", Text: text + "\n"}
	}
	if who := w.one("trusts"); who != "" {
		p.Trusts = func(_ context.Context, _, user string) (bool, error) { return user == who, nil }
	}
	if newest := w.one("newest"); newest != "" {
		p.Newest = func(context.Context) (string, error) { return newest, nil }
	}
	if fixed := w.one("fixed"); fixed != "" {
		r := w.runtime(fixed)
		p.Fixed = &r
	}
	if names := strings.Fields(w.one("history")); len(names) > 0 {
		p.History = func(context.Context, casefile.Case) (runtimes.Line, error) { return w.line(names), nil }
	}
	if subjects := w.said["commit"]; len(subjects) > 0 {
		p.Commits = func(context.Context, string, string) (runtimes.Line, []bug.Commit, error) { return w.commits(subjects) }
	}
	if text := w.one("small"); text != "" {
		p.Small = func(context.Context, casefile.Subject, bug.Runtime, *bug.Runtime) (minimize.Small, error) {
			if text == "fails" {
				return minimize.Small{}, errors.New("the reducer is ill")
			}
			return minimize.Small{Program: text + "\n", Before: reduce.Size{Tokens: 90, Lines: 30},
				After: reduce.Size{Tokens: 9, Lines: 1}, Runs: 5, Minimal: true, Verified: true}, nil
		}
	}
	if labels := w.said["knob label"]; len(labels) > 0 {
		p.Ablate = func(_ context.Context, _ casefile.Subject, on bug.Runtime) (ablate.Why, error) {
			class := classify.Class{Category: "error", Rule: "x", Means: "It failed."}
			return ablate.Why{Class: class, Component: "shell", Measured: w.one("measured") != "", Labels: labels}, nil
		}
	}
}

// line is versions in a row.
func (w world) line(names []string) runtimes.Line {
	line := runtimes.Line{Of: w.one("package"), Names: names, Good: len(names) - 1}
	line.Get = func(_ context.Context, i int) (bug.Runtime, bug.Setting, string, error) {
		return w.runtime(names[i]), bug.Setting{}, "", nil
	}
	return line
}

// commits are those between two releases, by their subjects.
func (w world) commits(subjects []string) (runtimes.Line, []bug.Commit, error) {
	line := runtimes.Line{Of: "commit", Names: []string{"base"}, Good: len(subjects)}
	var all []bug.Commit
	for i, s := range subjects {
		id := fmt.Sprintf("c%d", i+1)
		line.Names = append(line.Names, id)
		all = append(all, bug.Commit{ID: id, Subject: s, Files: []string{"snail/x.py"}})
	}
	line.Get = func(_ context.Context, i int) (bug.Runtime, bug.Setting, string, error) {
		return w.runtime(""), bug.Setting{Version: line.Names[i]}, "", nil
	}
	return line, all, nil
}

func member(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func set(a *txtar.Archive, name string, data []byte) {
	for i, f := range a.Files {
		if f.Name == name {
			a.Files[i].Data = data
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: data})
}
