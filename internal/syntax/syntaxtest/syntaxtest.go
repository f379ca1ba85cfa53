// Package syntaxtest runs scrub's own Python in tests.
package syntaxtest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Bare runs scrub's own scripts over the tests' own programs, without a box.
func Bare(t *testing.T) bug.Runner {
	return func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
		dir := t.TempDir()
		for name, text := range r.Files {
			file := filepath.Join(dir, name)
			err := os.MkdirAll(filepath.Dir(file), 0o755)
			if err := errors.Join(err, os.WriteFile(file, []byte(text), 0o644)); err != nil {
				return bug.Outcome{}, err
			}
		}
		cmd := exec.CommandContext(ctx, "python3", r.Command[1:]...)
		cmd.Dir = dir
		var out, errOut strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errOut
		err := cmd.Run()
		o := bug.Outcome{End: bug.Exited, Stdout: out.String(), Stderr: errOut.String()}
		var ended *exec.ExitError
		switch {
		case errors.As(err, &ended) && !ended.Exited():
			o.End, o.Signal = bug.Killed, "SIGSEGV"
		case err != nil:
			o.Code = 1
		}
		return o, nil
	}
}

// Unittest runs the tests of a folder of Python, which are in Python.
func Unittest(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "python3", "-B", "-m", "unittest", "discover", "-s", "tests", "-t", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
