package syntax

import (
	"os"
	"os/exec"
	"testing"
)

// The Python that runs in the box has tests of its own, in Python.
func TestPython(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "python3", "-B", "-m", "unittest", "discover", "-s", "tests", "-t", ".")
	cmd.Dir, cmd.Env = "python", append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
