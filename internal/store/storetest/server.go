package storetest

import (
	"errors"
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

// A Cluster is a PostgreSQL of a test's own, which is stopped and removed with it.
type Cluster struct {
	Dir string // of its socket
	run func(args ...string) error
	on  string // where else it listens
}

// Address is where its database is, for who can reach its socket.
func (c *Cluster) Address() string { return fmt.Sprintf("postgres://scrub@/postgres?host=%s", c.Dir) }

// Restart stops the server as a power cut would, and starts it again.
func (c *Cluster) Restart() error {
	if err := c.run("stop", "-m", "immediate"); err != nil {
		return err
	}
	return c.start()
}

func (c *Cluster) start() error { // it waits until the server answers
	return c.run("start", "-o", fmt.Sprintf("-k %s -h '%s' -F", c.Dir, c.on))
}

// Server starts a PostgreSQL and returns the address of its database. It skips the
// test where none is installed.
func Server(t *testing.T) string {
	t.Helper()
	return Start(t, "").Address()
}

// Start starts one that listens on an address, too, if that is not empty, and
// lets everybody in who comes from its network.
func Start(t *testing.T, on string) *Cluster {
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
	c := &Cluster{Dir: dir, on: on}
	if on != "" {
		letIn(t, filepath.Join(data, "pg_hba.conf"))
	}
	c.run = func(args ...string) error {
		cmd := exec.Command(control, append([]string{"-D", data, "-w", "-l", filepath.Join(dir, "log")}, args...)...)
		cmd.SysProcAttr, cmd.Dir = as, dir
		if out, err := cmd.CombinedOutput(); err != nil {
			said, _ := os.ReadFile(filepath.Join(dir, "log")) // what there is of it
			return fmt.Errorf("pg_ctl %s: %w: %s%s", args[0], err, out, said)
		}
		return nil
	}
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.run("stop", "-m", "immediate"); err != nil {
			t.Error(err)
		}
	})
	return c
}

// letIn adds a rule to who may connect.
func letIn(t *testing.T, file string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("host all all samenet trust\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
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
