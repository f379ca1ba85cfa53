// Package lock takes from a process of a box what its program shall not have.
package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Privileges gives up every capability for good. The program is started
// from this thread, so what it lacks the program lacks.
func Privileges() error {
	for c := range 64 {
		// Capabilities that this kernel does not know are refused.
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("drop ambient capabilities: %w", err)
	}
	hdr := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&hdr, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	return nil
}

// watches is how many watches on files all programs of a box may have at once.
// The kernel counts them for the user, who may want some too.
const watches = "32"

// Users sets what the kernel counts by user, for this box alone.
func Users() error {
	err := os.WriteFile("/proc/sys/user/max_inotify_instances", []byte(watches), 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a kernel that has none
	}
	return err
}

// Keyring leaves the session keyring that was inherited, with all that is
// in it, for an empty one. There are few for each user, and those of boxes that
// have just ended are given back a moment later.
func Keyring() error {
	for try := 0; ; try++ {
		_, _, e := unix.Syscall(unix.SYS_KEYCTL, unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0)
		switch {
		case e == 0 || e == unix.ENOSYS: // a kernel without keys has no keyrings
			return nil
		case e != unix.EDQUOT || try == 50:
			return fmt.Errorf("a keyring of its own: %w", e)
		}
		time.Sleep(4 * time.Millisecond)
	}
}

// Proven reads back what the kernel itself says of the privileges of this
// thread, from which the program is started.
func Proven() error {
	text, err := os.ReadFile("/proc/thread-self/status")
	if err != nil {
		return err
	}
	want := []string{"CapInh:\t0000000000000000\n", "CapPrm:\t0000000000000000\n", "CapEff:\t0000000000000000\n",
		"CapBnd:\t0000000000000000\n", "CapAmb:\t0000000000000000\n", "NoNewPrivs:\t1\n", "Seccomp:\t2\n"}
	for _, line := range want {
		if !strings.Contains(string(text), line) {
			return fmt.Errorf("the kernel does not say %q", line)
		}
	}
	return nil
}

// Loopback switches on the box's own loopback device, which leads nowhere:
// programs that talk to themselves by network are common and harmless.
func Loopback() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	defer unix.Close(s)
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(s), unix.SIOCSIFFLAGS, uintptr(unsafe.Pointer(req))); e != 0 {
		return fmt.Errorf("loopback: %w", e)
	}
	return nil
}

// Memory keeps the memory of this process from the program, which is the same user.
func Memory() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hide memory: %w", err)
	}
	return nil
}
