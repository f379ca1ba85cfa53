// Package guidetest makes clones for tests.
package guidetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// World is a clone called snail whose history a shell script has made.
func World(t *testing.T, script string) string {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	dir := filepath.Join(t.TempDir(), "snail")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	More(t, dir, "git init -q -b main .; git config commit.gpgsign false; git config gc.auto 0\n"+script)
	return dir
}

// More goes on with a history.
func More(t *testing.T, dir, script string) {
	cmd := exec.Command("sh", "-ec", "commit() { git add -A; git commit -qm \"$1\"; }\n"+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com", "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
