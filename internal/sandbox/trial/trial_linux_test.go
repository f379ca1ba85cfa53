package trial

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A home is seen if there is more in it than the way to scrub itself.
func TestHome(t *testing.T) {
	dir := t.TempDir()
	self := filepath.Join(dir, ".cache", "build", "scrub")
	if err := os.MkdirAll(filepath.Dir(self), 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(name string) {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(self)
	if err := home(dir, self); !errors.Is(err, errNothing) {
		t.Errorf("nothing but the way to it: %v", err)
	}
	if err := home(dir, "/usr/bin/scrub"); err != nil {
		t.Errorf("a home with something in it: %v", err)
	}
	if err := home(filepath.Join(dir, "nobody"), self); err == nil || errors.Is(err, errNothing) {
		t.Errorf("no home: %v", err)
	}
	put(filepath.Join(dir, ".cache", "secret"))
	if err := home(dir, self); err != nil {
		t.Errorf("something beside the way: %v", err)
	}
}
