package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// A state file of an earlier scrub keeps its ledger.
func TestOldActionsBecomeEvents(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		t.Fatal(err)
	}
	statements := []string{`CREATE TABLE schema_version (version BIGINT NOT NULL)`, `INSERT INTO schema_version VALUES (1), (2)`}
	for _, name := range []string{"0001_first.sql", "0002_actions.sql"} {
		text, err := schema.ReadFile("schema/" + name)
		if err != nil {
			t.Fatal(err)
		}
		statements = append(statements, string(text))
	}
	for _, q := range append(statements, `INSERT INTO actions VALUES ('a1', 'o/r#1', '2026', '{"old":1}')`) {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, file)
	if all, err := s.Actions(t.Context(), ""); err != nil || len(all) != 1 || string(all[0][0].Body) != `{"old":1}` {
		t.Errorf("%v, %v", all, err)
	}
}
