package storetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// nobody is whom a server runs as when the test runs as root, which
// PostgreSQL refuses to.
const nobody = 65534

// Server starts a PostgreSQL of its own, which is stopped and removed with the
// test, and returns the address of its database. It skips the test where
// none is installed.
func Server(t *testing.T) string {
	t.Helper()
	initdb, err := tool("initdb")
	if err != nil {
		t.Skip("PostgreSQL is not installed here, so its store is not tested")
	}
	control, err := tool("pg_ctl")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "pg") // a short path: that of a socket has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	var as *syscall.SysProcAttr
	if os.Getuid() == 0 {
		as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	setup := exec.Command(initdb, "-D", data, "-U", "scrub", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
	setup.SysProcAttr, setup.Dir = as, dir
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	run := func(args ...string) error {
		cmd := exec.Command(control, append([]string{"-D", data, "-w", "-l", filepath.Join(dir, "log")}, args...)...)
		cmd.SysProcAttr, cmd.Dir = as, dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("pg_ctl %s: %w: %s", args[0], err, out)
		}
		return nil
	}
	if err := run("start", "-o", "-k "+dir+" -h '' -F"); err != nil { // it waits until the server answers
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run("stop", "-m", "immediate"); err != nil {
			t.Error(err)
		}
	})
	return fmt.Sprintf("postgres://scrub@/postgres?host=%s", dir)
}

// tool finds a program of PostgreSQL, which Debian keeps off the path.
func tool(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return filepath.EvalSymlinks(path)
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("there is no %s: %w", name, exec.ErrNotFound)
	}
	return slices.Max(found), nil
}
