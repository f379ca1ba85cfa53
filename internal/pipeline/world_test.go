package pipeline_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/event"
	"scrub/internal/forge/issuefile"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/profile"
	"scrub/internal/report"
	"scrub/internal/rule"
	"scrub/internal/sandbox/sandboxtest"
)

var update = flag.Bool("update", false, "rewrite the worlds with what scrub arrives at")

// A world is a txtar: an issue, a file of "key: value" lines with the
// versions that there are and the fault planted in them, and the report
// that scrub must arrive at.
func TestWorlds(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no worlds: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			world, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := arrive(t, member(world, "issue.md"), member(world, "world"))
			if *update {
				set(world, "want", got)
				if err := os.WriteFile(file, txtar.Format(world), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if want := member(world, "want"); !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// arrive takes an issue through a world and returns the report.
func arrive(t *testing.T, issue, world []byte) []byte {
	t.Helper()
	said := map[string]string{}
	for line := range strings.Lines(string(world)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Fatalf("%q is not of the form key: value", line)
		}
		said[key] = value
	}
	r, err := issuefile.Parse(issue)
	if err != nil {
		t.Fatal(err)
	}
	prof, err := profile.ForRepo(r.Ref.Repo)
	if err != nil {
		t.Fatal(err)
	}
	box := &sandboxtest.World{Factors: strings.Fields(said["factors"])}
	for key, into := range map[string]*rule.Rule{"fault": &box.Fault, "broken": &box.Broken} {
		if said[key] == "" {
			continue
		}
		if *into, err = rule.Compile(said[key]); err != nil {
			t.Fatal(err)
		}
	}
	p := pipeline.Pipeline{
		Profile: prof, Box: box, Log: new(journal.Mem), Times: 4, Now: func() time.Time { return time.Time{} },
		Tell: func(event.Event) {},
		Runtimes: func(context.Context, []string) ([]bug.Runtime, error) {
			var all []bug.Runtime
			for _, v := range strings.Fields(said["versions"]) {
				all = append(all, bug.Runtime{Path: "python", Version: v})
			}
			return all, nil
		},
		Decide: func(context.Context, casefile.Subject) (casefile.Consent, error) {
			return casefile.Consent{Said: casefile.Proceed, By: "test"}, nil
		},
	}
	c, err := p.Issue(t.Context(), r)
	if err != nil {
		return []byte(fmt.Sprintf("error: %v\n", err))
	}
	return []byte(report.Markdown(c))
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
