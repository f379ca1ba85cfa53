// Package trial is what must not work in a box, tried from inside.
package trial

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/sandbox/calls"
)

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
	{"see a home", "own root", func() error { return home("/root", os.Args[0]) }},
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
		_, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0)
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

// errNothing is that there is nothing to see.
var errNothing = errors.New("nothing but the way to this program")

// home looks into a home. If this program itself lies in it, as go run puts it there, the way to it is all there is.
func home(dir, self string) error {
	for {
		found, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		rest, below := strings.CutPrefix(self, dir+"/")
		next, _, more := strings.Cut(rest, "/")
		if !below || len(found) != 1 || found[0].Name() != next {
			return nil
		}
		if !more {
			return errNothing
		}
		dir += "/" + next
	}
}

// Run tries all walls and says what was open, line by line. A call by another
// architecture's number, which ends whoever makes it, comes last.
func Run() {
	for _, t := range trials {
		if t.try() == nil {
			fmt.Printf("%s: %s\n", t.wall, t.name)
		}
	}
	calls.Foreign()
	fmt.Println("call filter: call by another architecture's number")
}
