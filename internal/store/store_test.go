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
				if again, ok, err := s.Get(context.Background(), fmt.Sprint("key ", j)); !ok || err != nil || string(again) != string(got) {
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
		c := Case{ID: id, Ref: fmt.Sprintf("o/r#%d", i), Title: "t", Verdict: "v", Body: []byte(`{"n":1}`), Updated: at.Add(time.Duration(i) * time.Hour)}
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
		if err := s.Decide(t.Context(), Decision{"p1", said, "ann", at.Add(time.Duration(i) * time.Nanosecond)}); err != nil {
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
