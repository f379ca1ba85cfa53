package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, file string) *Store {
	t.Helper()
	s, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestManyOpenAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "scrub.db")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := Open(context.Background(), file)
			if err != nil {
				t.Errorf("open %d: %v", i, err)
				return
			}
			defer s.Close()
			for j := range 20 {
				got, err := s.Put(context.Background(), fmt.Sprint("key ", j), []byte(fmt.Sprint("from ", i)))
				if err != nil {
					t.Errorf("put: %v", err)
				}
				if again, ok, err := s.Get(context.Background(), fmt.Sprint("key ", j)); !ok || err != nil ||
					string(again) != string(got) {
					t.Errorf("key %d is %q, then %q (%v)", j, got, again, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestCasesAreFoundByRefAndByTheBeginningOfTheirID(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for i, id := range []string{"aa11", "aa22", "bb33"} {
		c := Case{ID: id, Ref: fmt.Sprintf("o/r#%d", i), Title: "t", Verdict: "v", Body: []byte(`{"n":1}`),
			Updated: at.Add(time.Duration(i) * time.Hour)}
		if err := s.PutCase(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"bb": "bb33", "aa2": "aa22", "o/r#0": "aa11"} {
		if c, err := s.Case(t.Context(), name); c.ID != want || err != nil || string(c.Body) != `{"n":1}` {
			t.Errorf("Case(%q) = %+v, %v, want %s", name, c, err, want)
		}
	}
	for _, name := range []string{"aa", "zz", "", "%"} {
		if c, err := s.Case(t.Context(), name); err == nil {
			t.Errorf("Case(%q) = %v, want an error", name, c)
		}
	}
	if _, err := s.Case(t.Context(), "zz"); !errors.Is(err, ErrNoCase) {
		t.Errorf("unknown case: %v", err)
	}
	all, err := s.Cases(t.Context())
	if err != nil || len(all) != 3 || all[0].ID != "bb33" || !all[0].Updated.Equal(at.Add(2*time.Hour)) {
		t.Errorf("Cases = %v, %v", all, err)
	}
}

func TestTheLastWordCounts(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	at := time.Now()
	for i, said := range []string{"proceed", "skip"} {
		if err := s.Decide(t.Context(), Decision{"p1", said, "ann",
			at.Add(time.Duration(i) * time.Nanosecond)}); err != nil {
			t.Fatal(err)
		}
	}
	if d, ok, err := s.Decision(t.Context(), "p1"); !ok || err != nil || d.Said != "skip" || d.Who != "ann" {
		t.Errorf("Decision = %+v, %v, %v", d, ok, err)
	}
	if _, ok, err := s.Decision(t.Context(), "p2"); ok || err != nil {
		t.Errorf("a decision nobody made: %v, %v", ok, err)
	}
}

func TestNewerFileIsLeftAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	s := open(t, file)
	if _, err := s.db.Exec(`INSERT INTO schema_version (version) VALUES (99)`); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), file); err == nil || !strings.Contains(err.Error(), "newer scrub") {
		t.Errorf("Open = %v", err)
	}
}

func TestNotADatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	if err := os.WriteFile(file, []byte(strings.Repeat("not a database, surely\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), file); err == nil {
		t.Error("opened a text file as a state file")
	}
}

// Old answers and cases go; what people said and what was done in public stays.
func TestPruneKeepsDecisions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	s := open(t, file)
	day := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	long := []byte(`"` + strings.Repeat("said more than once ", 10000) + `"`)
	_, err := s.Put(t.Context(), "run/1:x", long)
	err = errors.Join(err, s.PutCase(t.Context(), Case{ID: "old", Body: long, Updated: day}),
		s.PutCase(t.Context(), Case{ID: "new", Body: long, Updated: time.Now()}),
		s.Decide(t.Context(), Decision{"p1", "skip", "ann", day}),
		s.Amend(t.Context(), "a1", "o/r#1", day, func([][]byte) ([]byte, error) { return []byte(`{"kind":"x"}`), nil }))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if p, err := s.Prune(t.Context(), time.Now().AddDate(0, 0, -1), true); err != nil || p.Cases != 1 ||
		p.Answers != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if kept, ok, err := s.Get(t.Context(), "run/1:x"); !ok || err != nil || string(kept) != string(long) {
		t.Errorf("what was kept is not what was put: %d bytes, %v, %v", len(kept), ok, err)
	}
	p, err := s.Prune(t.Context(), time.Now(), false)
	if err != nil || p.Answers != 1 || p.Cases != 2 || p.Before <= 0 || p.After > 200<<10 {
		t.Errorf("%+v, %v", p, err)
	}
	pruned(t, s)
}

// pruned checks what a store is without and still has.
func pruned(t *testing.T, s *Store) {
	t.Helper()
	if _, ok, err := s.Get(t.Context(), "run/1:x"); ok || err != nil {
		t.Errorf("an old answer is still there: %v", err)
	}
	if d, ok, err := s.Decision(t.Context(), "p1"); !ok || err != nil || d.Said != "skip" {
		t.Errorf("a decision is gone: %+v, %v, %v", d, ok, err)
	}
	if all, err := s.Actions(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("an action is gone: %v, %v", all, err)
	}
}

// A state file of an earlier scrub keeps its ledger.
func TestOldActionsBecomeEvents(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	s := open(t, file)
	for _, q := range []string{`DROP TABLE action_events`,
		`CREATE TABLE actions (id TEXT PRIMARY KEY, ref TEXT NOT NULL, proposed TEXT NOT NULL, body TEXT NOT NULL)`,
		`INSERT INTO actions VALUES ('a1', 'o/r#1', '2026', '{"old":1}')`, `ALTER TABLE journal DROP COLUMN day`, `DELETE FROM schema_version WHERE version > 2`} {
		if _, err := s.db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, file)
	if all, err := again.Actions(t.Context()); err != nil || len(all) != 1 || string(all[0][0]) != `{"old":1}` {
		t.Errorf("%s, %v", all, err)
	}
}
