package vet_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
	"github.com/scrub-dev/scrub/internal/vet/watched"
)

// rehearsed are the findings of programs that were watched, two at a time.
func rehearsed(t *testing.T, box testBox, programs []txtar.File, which func(i int) bool) [][]vet.Finding {
	t.Helper()
	prof, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	all, readings := make([][]vet.Finding, len(programs)), make([]syntax.Reading, len(programs))
	for i, f := range programs {
		if which(i) {
			var err error
			if readings[i], err = box.read(t.Context(), string(f.Data)); err != nil {
				t.Fatal(err)
			}
		}
	}
	var wait sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wait.Go(func() {
			for i := range next {
				text := string(programs[i].Data)
				var err error
				all[i], _, err = watched.Watch{Box: sandbox.Native{}, Log: new(journal.Mem), Profile: prof, Limits: sandbox.Limits{
					Time: 10 * time.Second}}.Found(t.Context(), bug.Program(text), readings[i], box.python)
				if err != nil {
					t.Errorf("%s: %v", programs[i].Name, err)
				}
			}
		})
	}
	for i := range programs {
		if which(i) {
			next <- i
		}
	}
	close(next)
	wait.Wait()
	return all
}

// interpreter is the one that SCRUB_TEST_PYTHON names, which has what programs import, or the usual one.
func interpreter(t *testing.T) (box testBox, whole bool) {
	t.Helper()
	at := os.Getenv("SCRUB_TEST_PYTHON")
	if at == "" {
		return newBox(t), false
	}
	found, err := runtimes.Places{Named: []string{at}, Box: sandbox.Native{}}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return testBox{found[0]}, true
}

// What reading lets pass is seen when it is done, and what is honest is let pass again. Many of these programs need
// what the tests' interpreter does not have; SCRUB_TEST_PYTHON names one that has torch, pandas, sympy and yaml.
func TestWhatIsDoneIsSeen(t *testing.T) {
	box, whole := interpreter(t)
	for _, file := range []struct {
		name        string
		least, more int // that must be seen of those that reading lets pass: with the standard library, and with all
	}{{"spliced2.txtar", 10, 18}, {"spliced.txtar", 3, 3}, {"spliced3.txtar", 15, 22}, {"spliced4.txtar", 0, 45},
		{"spliced5.txtar", 0, 28}} {
		if file.least == 0 && !whole {
			continue
		}
		programs, found := reviewed(t, file.name, "/home/nobody-here/decoy")
		some := testing.Short() && !whole && file.name != "spliced2.txtar" // every third where time is short
		seen := rehearsed(t, box, programs, func(i int) bool { return !vet.Asks(found[i]) && (!some || i%3 == 0) })
		n, of := 0, 0
		var missed []string
		for i, f := range programs {
			switch {
			case vet.Asks(found[i]):
			case vet.Asks(seen[i]):
				n, of = n+1, of+1
			default:
				of++
				missed = append(missed, f.Name)
			}
		}
		t.Logf("%s: of %d that reading lets pass %d are seen; not %v", file.name, of, n, missed)
		if n < file.least && !some || whole && n < file.more {
			t.Errorf("%s: %d of %d seen", file.name, n, of)
		}
	}
	// What these do is what is asked about: one reads a file that is not there, and one has a cache of its own.
	asked := []string{"files/name-subclass.py", "machine/compile-cache.py"}
	for _, name := range []string{"innocent.txtar", "innocent2.txtar"} {
		programs, found := reviewed(t, name, "decoy")
		seen := rehearsed(t, box, programs, func(i int) bool { return !vet.Asks(found[i]) && (!testing.Short() || i%2 == 0) })
		for i, f := range programs {
			if vet.Asks(seen[i]) && !slices.Contains(asked, f.Name) {
				t.Errorf("asked about %s: %+v", f.Name, seen[i])
			}
		}
	}
}

// A program that uses up what the box has of disk or of processes is asked about, and one that uses some is not.
func TestWhatUsesUpTheBox(t *testing.T) {
	programs, found := reviewed(t, "loops.txtar", "decoy")
	seen := rehearsed(t, newBox(t), programs, func(int) bool { return true })
	for i, want := range []string{"processes processes; ", "processes disk; ", ""} {
		if got := classes(seen[i]); got != want || vet.Asks(found[i]) {
			t.Errorf("%s: %q, want %q (read: %s)", programs[i].Name, got, want, classes(found[i]))
		}
	}
}

// What a program shows of its environment, reads without having it, or starts after having made it is seen in whatever
// way it comes to do so, and what looks alike is not asked about.
func TestWhatIsReachedForIsSeen(t *testing.T) {
	programs, found := reviewed(t, "reached.txtar", "decoy")
	seen := rehearsed(t, newBox(t), programs, func(int) bool { return true })
	for i, f := range programs {
		want, _, _ := strings.Cut(f.Name, "/")
		got := classes(seen[i])
		if vet.Asks(found[i]) || want == "nothing" && got != "" || want != "nothing" && !strings.Contains(got, want+" ") {
			t.Errorf("%s: %q (read: %s)", f.Name, got, classes(found[i]))
		}
	}
}

// A folder of programs, or a file of them, is read and rehearsed: how many are asked about, and by which of the two.
func TestRehearseCorpus(t *testing.T) {
	at := os.Getenv("SCRUB_TEST_PROGRAMS")
	if at == "" {
		t.Skip("SCRUB_TEST_PROGRAMS names no programs")
	}
	box, _ := interpreter(t)
	all, err := txtar.ParseFile(at)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	prof, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	read, both := 0, 0
	found, plain := make([][]vet.Finding, len(all.Files)), make([]bool, len(all.Files))
	for i, f := range all.Files {
		all.Files[i].Data = []byte(disguised(string(f.Data), "/home/nobody-here/decoy"))
		r, err := box.read(t.Context(), string(all.Files[i].Data))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		found[i], plain[i] = vet.Review(string(all.Files[i].Data), r, prof), !vet.Rehearses(r, prof)
	}
	seen := rehearsed(t, box, all.Files, func(i int) bool { return !vet.Asks(found[i]) && !plain[i] })
	for i, f := range all.Files {
		switch {
		case vet.Asks(found[i]):
			read++
			t.Logf("read      %s: %s", f.Name, classes(found[i]))
		case vet.Asks(seen[i]):
			both++
			t.Logf("rehearsed %s: %s %+v", f.Name, classes(seen[i]), seen[i])
		default:
			t.Logf("passed    %s (plain: %v)", f.Name, plain[i])
		}
	}
	t.Logf("%d programs: %d by reading, %d more by rehearsing", len(all.Files), read, both)
}

func classes(all []vet.Finding) string {
	var b strings.Builder
	for _, f := range all {
		if f.Severity != vet.Note {
			b.WriteString(f.Class + " " + f.Name + "; ")
		}
	}
	return b.String()
}
