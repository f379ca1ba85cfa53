package machine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A version manager's script in the path is not taken for the program.
func TestUVBehindAShim(t *testing.T) {
	shims, python, linked := t.TempDir(), t.TempDir(), t.TempDir()
	for at, text := range map[string]string{shims: "#!/bin/sh\nexec manager uv\n", python: "\x7fELF"} {
		if err := os.WriteFile(filepath.Join(at, "uv"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(python, "uv")
	if err := os.Symlink(program, filepath.Join(linked, "uv")); err != nil {
		t.Fatal(err)
	}
	beside := []bug.Runtime{{Path: filepath.Join(t.TempDir(), "python")}, {Path: filepath.Join(python, "python")}}
	for _, c := range []struct {
		path    string
		pythons []bug.Runtime
		want    string
	}{{shims, nil, ""}, {shims, beside, program}, {linked, nil, program}, {"", beside, program}} {
		t.Setenv("PATH", c.path)
		if got := uv(c.pythons); got != c.want {
			t.Errorf("PATH=%s, %d interpreters: %q, want %q", c.path, len(c.pythons), got, c.want)
		}
	}
}
