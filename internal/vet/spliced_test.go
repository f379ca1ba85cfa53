package vet_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/vet"
)

// reviewed are the findings in each program of a file of the tests.
func reviewed(t *testing.T, name, decoy string) (programs []txtar.File, found [][]vet.Finding) {
	t.Helper()
	all, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	prof, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	box := newBox(t)
	texts := make([]string, len(all.Files))
	for i, f := range all.Files {
		texts[i] = disguised(string(f.Data), decoy)
		all.Files[i].Data = []byte(texts[i])
	}
	for some := range slices.Chunk(texts, 40) {
		more, err := vet.All(t.Context(), some, prof, func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
			return sandbox.Native{}.Run(ctx, sandbox.Job{Repro: r, Runtime: box.python, Limits: sandbox.Limits{Time: 5 * time.Minute}})
		})
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, more...)
	}
	return all.Files, found
}

// Deeds spliced into harmless reports by somebody who has read the reader: a person is asked about nearly all of them, and
// when they run all the same, nothing of theirs gets out of the box.
func TestSpliced(t *testing.T) {
	for _, file := range []struct {
		name  string
		least float64 // share that a person must be asked about; both were learned from
	}{{"spliced.txtar", 0.92}, {"spliced2.txtar", 0.66}, {"spliced3.txtar", 0.1}, {"spliced4.txtar", 0.05},
		{"spliced5.txtar", 0.01}} {
		dir, err := os.MkdirTemp("/var/tmp", "decoy")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		decoy := filepath.Join(dir, "decoy.txt")
		if err := os.WriteFile(decoy, []byte("the secret"), 0o666); err != nil {
			t.Fatal(err)
		}
		programs, found := reviewed(t, file.name, decoy)
		var missed []string
		for i, f := range programs {
			if !vet.Asks(found[i]) {
				missed = append(missed, f.Name)
			}
		}
		t.Logf("%s: %d of %d found by reading; missed: %v", file.name, len(programs)-len(missed), len(programs), missed)
		if float64(len(missed)) > (1-file.least)*float64(len(programs)) {
			t.Errorf("%s: missed %d of %d", file.name, len(missed), len(programs))
		}
		contained(t, programs, decoy)
	}
}

// contained runs programs and sees that none has reached the decoy.
func contained(t *testing.T, programs []txtar.File, decoy string) {
	t.Helper()
	box := newBox(t)
	for i, f := range programs {
		if testing.Short() && i%8 != 0 {
			continue
		}
		o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program(string(f.Data)), Runtime: box.python,
			Limits: sandbox.Limits{Time: 20 * time.Second}})
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if strings.Contains(o.Stdout+o.Stderr, "the secret") {
			t.Errorf("%s read the decoy", f.Name)
		}
		if data, err := os.ReadFile(decoy); err != nil || string(data) != "the secret" {
			t.Fatalf("%s touched the decoy: %q, %v", f.Name, data, err)
		}
	}
}

// Programs that look like these, and are honest, are asked about hardly ever.
func TestInnocent(t *testing.T) {
	for _, file := range []struct {
		name  string
		of    int
		asked int
	}{{"innocent.txtar", 40, 3}, {"innocent4.txtar", 30, 2}, {"innocent5.txtar", 30, 3}} {
		programs, found := reviewed(t, file.name, "decoy")
		asked := 0
		for i, f := range programs {
			if vet.Asks(found[i]) {
				asked++
				t.Logf("asked about %s: %+v", f.Name, found[i])
			}
		}
		if asked > file.asked || len(programs) < file.of {
			t.Errorf("%s: asked about %d of %d", file.name, asked, len(programs))
		}
	}
}
