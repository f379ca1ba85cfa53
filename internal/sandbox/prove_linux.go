package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/calls"
)

// proverName is the first argument that makes scrub, started as a program
// in a box, try a wall from inside.
const proverName = "prove-a-wall"

// A trial is something that must not work in a box.
type trial struct {
	name, wall string
	try        func() error // nil if it worked
}

// trials are what is tried in every box before a stranger's program enters it.
var trials = []trial{
	{"leave the network", "no network", func() error {
		c, err := net.DialTimeout("udp", "192.0.2.1:9", time.Second)
		if err == nil {
			_ = c.Close() // nothing was sent
		}
		return err
	}},
	{"write to the system", "own root", func() error { return os.WriteFile("/usr/scrub-was-here", nil, 0o644) }},
	{"see a home", "own root", func() error { _, err := os.ReadDir("/root"); return err }},
	{"set the limits of another process", "limits", func() error {
		return unix.Prlimit(1, unix.RLIMIT_NOFILE, nil, new(unix.Rlimit))
	}},
	{"change the root", "no privileges", func() error { return unix.Chroot("/box") }},
	{"make a user namespace", "call filter", func() error { return unix.Unshare(unix.CLONE_NEWUSER) }},
	{"use a keyring", "call filter", func() error {
		_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, false)
		return err
	}},
	{"open an odd socket", "call filter", func() error {
		_,
			err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0)
		return err
	}},
	{"use io_uring", "call filter", func() error {
		var params [120]byte
		if _, _, e := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0); e != 0 {
			return e
		}
		return nil
	}},
}

// prove tries all walls and says what was open. A call by another
// architecture's number, which ends whoever makes it, comes last.
func prove() {
	for _, t := range trials {
		if t.try() == nil {
			fmt.Printf("%s: %s\n", t.wall, t.name)
		}
	}
	calls.Foreign()
	fmt.Println("call filter: call by another architecture's number")
}

// tried has scrub itself try to get out of a box, and returns what was open,
// by wall.
func tried(ctx context.Context, box Box) (map[string]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	o, err := box.Run(ctx, Job{
		Repro:   bug.Repro{Command: []string{self, proverName}},
		Runtime: bug.Runtime{Path: self, Folders: []string{self}}, Limits: Limits{Time: 20 * time.Second},
	})
	if err != nil {
		return nil, err
	}
	if o.Failed() && o.Signal != "SIGSYS" {
		return nil, errors.New("the walls could not be tried: it " + o.Words() + ": " + firstOf(o.Stderr))
	}
	open := map[string]string{}
	for line := range strings.Lines(o.Stdout) {
		wall, name, _ := strings.Cut(strings.TrimSpace(line), ": ")
		open[wall] = "from inside it was possible to " + name
	}
	return open, nil
}
