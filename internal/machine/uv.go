package machine

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/scrub-dev/scrub/internal/bug"
)

// uv is where the box can run uv from; empty if it cannot, since pip does it too.
// What the path leads to may be a version manager's script that looks for the program
// when it is run, outside of what the box has: then it is looked for beside the
// interpreters.
func uv(pythons []bug.Runtime) string {
	places := []string{"uv"}
	for _, p := range pythons {
		places = append(places, filepath.Join(filepath.Dir(p.Path), "uv"))
	}
	for _, at := range places {
		found, err := exec.LookPath(at)
		if err != nil {
			continue
		}
		// The box has the file, and not what points to it.
		if real, err := filepath.EvalSymlinks(found); err == nil && !script(real) {
			return real
		}
	}
	return ""
}

// script reports whether a file is run by another program, or cannot be read.
func script(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	begin := make([]byte, 2)
	_, err = io.ReadFull(f, begin)
	return err != nil || string(begin) == "#!"
}
