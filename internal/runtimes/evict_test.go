package runtimes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/event"
)

// Environments that were used least recently go first, and only as many as must.
func TestEvict(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i, name := range []string{"a", "b", "c", "d"} {
		env := filepath.Join(dir, name)
		if err := os.MkdirAll(env, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, size := range map[string]int{"/data": 1000, ready: 2} {
			if err := os.WriteFile(env+file, make([]byte, size), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		when := now.Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(env+ready, when, when); err != nil {
			t.Fatal(err)
		}
	}
	touch(filepath.Join(dir, "a"+ready)) // it is used again
	unlock, err := lock(t.Context(), filepath.Join(dir, "b.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock() // somebody works on b
	var said []string
	e := &Environments{Dir: dir, Budget: 3100, Tell: func(_ event.State, s string) { said = append(said, s) }}
	e.evict(filepath.Join(dir, "d"))
	left, err := filepath.Glob(filepath.Join(dir, "*"+ready))
	if err != nil || len(left) != 3 || strings.Contains(strings.Join(left, " "), "/c.") || len(said) != 1 {
		t.Errorf("%q are left, %v; %q", left, err, said)
	}
}
