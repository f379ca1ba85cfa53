package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/sandbox/calls"
	"github.com/scrub-dev/scrub/internal/sandbox/hatch"
	"github.com/scrub-dev/scrub/internal/sandbox/lock"
	"github.com/scrub-dev/scrub/internal/sandbox/mount"
)

// forgetSignals takes away the handlers that Go has put on every signal.
// The kernel keeps from the first process of a namespace what it does not
// handle; what it does handle, the program could send it, and Go ends on some.
// They are not ignored, since the program would then ignore them too.
func forgetSignals() {
	var none [32]byte // the kernel's sigaction: the default action, no flags, no mask
	for s := uintptr(1); s <= 64; s++ {
		// The two that nobody can handle are refused.
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, s, uintptr(unsafe.Pointer(&none)), 0, 8, 0, 0)
	}
}

// offLeader runs f on a thread of its own that is not the process's first.
//
// The kernel keeps signals away only while the first thread does not block
// them, and to start a program is to block all signals for a moment. So the
// first thread is parked.
func offLeader(f func() int) int {
	result := make(chan int)
	var try func()
	try = func() {
		runtime.LockOSThread()
		if unix.Gettid() == os.Getpid() {
			go try()
			select {}
		}
		result <- f()
	}
	go try()
	return <-result
}

// inside1 is the first process of the box: it builds the walls, starts the
// program, reaps whatever the program leaves behind, and reports how the
// program itself ended. It is a process of its own because a program that
// is the first of its namespace is deaf to its own signals: abort() would
// look like a segmentation fault.
func inside1() int {
	report := os.NewFile(endingFD, "ending")
	unix.CloseOnExec(endingFD)
	unix.CloseOnExec(planFD)
	plans := os.NewFile(planFD, "plan")
	var p plan
	dec := json.NewDecoder(plans)
	if err := dec.Decode(&p); err != nil {
		return 1 // scrub is gone
	}
	// The pipe stays open as long as scrub lives; the end of it is the end of
	// everything here. Pdeathsig would follow a thread of scrub's instead.
	go func() {
		_, _ = io.Copy(io.Discard, plans)
		os.Exit(1)
	}()
	forgetSignals()
	if p.Server != 0 {
		debug.SetGCPercent(100) // off for a box that lives for one program
	}
	e, err := p.live()
	if err != nil {
		var wall wallError
		e.Error, e.Gone = err.Error(), errors.As(err, &wall) && errors.Is(err, unix.ENOENT)
	}
	if err := json.NewEncoder(report).Encode(e); err != nil {
		return 1
	}
	return 0
}

// live builds the walls and runs the program between them.
func (p plan) live() (ending, error) {
	for _, step := range []struct {
		wall  string
		build func() error
	}{
		{"no privileges", lock.Keyring},
		{"own root", p.root().Build},
		{"own root", mount.Enter},
		{"own root", p.mask},
		{"limits", lock.Users},
		{"no network", lock.Loopback},
		{"no network", p.openDoor},
		{"no network", func() error { return unix.Sethostname([]byte("scrub")) }},
		{"own root", func() error { return writeFilesTo(Scratch, p.Files) }},
		{"limits", p.setLimits},
		{"no privileges", lock.Privileges},
		{"no privileges", p.hide},
		{"call filter", p.openEar},
		{"call filter", func() error { return calls.Load(p.Filter) }},
		{"no privileges", lock.Proven},
	} {
		if err := step.build(); err != nil {
			return ending{}, wallError{step.wall, err}
		}
	}
	cmd := p.command()
	if err := cmd.Start(); err != nil {
		return ending{}, fmt.Errorf("start %s: %w", p.Argv[0], err)
	}
	if err := lock.Memory(); err != nil {
		return ending{}, wallError{"no privileges", err}
	}
	return reap(cmd.Process.Pid)
}

// hide keeps the memory of this process from the program, which is the same
// user. A process that is hidden cannot give its child a user namespace, so
// with a warm interpreter, which is trusted until it forks, it waits.
func (p plan) hide() error {
	if p.Server != 0 {
		return nil
	}
	return lock.Memory()
}

// openDoor makes the listener at Door, in the network of the box, and hands it
// out to scrub.
func (p plan) openDoor() error {
	if p.Door == 0 {
		return nil
	}
	l, err := net.Listen("tcp4", Door)
	if err != nil {
		return err
	}
	defer l.Close()
	f, err := l.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	defer f.Close()
	return hatch.Give(p.Door, int(f.Fd()))
}

func (p plan) command() *exec.Cmd {
	cmd := &exec.Cmd{Path: p.Argv[0], Args: p.Argv, Env: p.Env, Dir: Scratch, Stdout: os.Stdout, Stderr: os.Stderr}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if p.Server == 0 {
		return cmd
	}
	// A warm interpreter makes namespaces for its programs, so it needs
	// privileges. It gets them in a user namespace below ours: there it has
	// none over our mounts, and what is read-only stays so.
	self := []syscall.SysProcIDMap{{ContainerID: innerID, HostID: innerID, Size: 1}}
	cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID
	cmd.SysProcAttr.UidMappings, cmd.SysProcAttr.GidMappings = self, self
	cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP}
	cmd.ExtraFiles = []*os.File{os.NewFile(uintptr(p.Server), "server")}
	return cmd
}

// memoryLimit is what all processes of the box may hold. A warm interpreter
// watches its programs itself; here it only must not eat the machine.
func (p plan) memoryLimit() int64 {
	if p.Server == 0 {
		return p.Limits.Memory
	}
	return 2*p.Limits.Memory + 4<<30
}

// reap waits for every process of the box until the program's own ends.
func reap(program int) (ending, error) {
	for {
		var ws syscall.WaitStatus
		var ru syscall.Rusage
		pid, err := syscall.Wait4(-1, &ws, 0, &ru)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return ending{}, fmt.Errorf("wait: %w", err)
		}
		if pid == program {
			cpu := time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
			return ending{Status: int(ws), CPU: cpu, Memory: ru.Maxrss << 10}, nil
		}
	}
}
