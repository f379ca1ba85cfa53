package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// setLimits puts the limits that the kernel keeps for one process on this one,
// and so on all that it starts. Memory is not among them: a limit on address
// space makes Go's runtime abort now and then, and says nothing about what
// is used.
func (p plan) setLimits() error {
	l := p.Limits
	limits := []rlimit{{unix.RLIMIT_CORE, noCore}, {unix.RLIMIT_NPROC, uint64(l.Processes)},
		{unix.RLIMIT_NOFILE, uint64(l.Files)}}
	if p.Server == 0 {
		limits = append(limits, rlimit{unix.RLIMIT_FSIZE, uint64(p.most())},
			rlimit{unix.RLIMIT_CPU, uint64(l.Time.Seconds()+2) * uint64(runtime.NumCPU())})
	}
	for _, r := range limits {
		if err := unix.Setrlimit(r.what, &unix.Rlimit{Cur: r.most, Max: r.most}); err != nil {
			return fmt.Errorf("set limit %d: %w", r.what, err)
		}
	}
	return nil
}

type rlimit struct {
	what int
	most uint64
}

// dropPrivileges gives up every capability for good. The program is started
// from this thread, so what it lacks the program lacks.
func dropPrivileges() error {
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

// limitUser sets what the kernel counts by user, for this box alone.
func limitUser() error {
	err := os.WriteFile("/proc/sys/user/max_inotify_instances", []byte(watches), 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a kernel that has none
	}
	return err
}

// ownKeyring leaves the session keyring that was inherited, with all that is
// in it, for an empty one. There are few for each user, and those of boxes that
// have just ended are given back a moment later.
func ownKeyring() error {
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

// proven reads back what the kernel itself says of the privileges of this
// thread, from which the program is started.
func (p plan) proven() error {
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

// loopbackUp switches on the box's own loopback device, which leads nowhere:
// programs that talk to themselves by network are common and harmless.
func loopbackUp() error {
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
