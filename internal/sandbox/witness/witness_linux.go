package witness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/sandbox/calls"
)

// notice is what the kernel tells of a call; reply is what it is answered.
type (
	notice struct {
		id    uint64
		pid   uint32
		flags uint32
		nr    int32
		arch  uint32
		at    uint64
		args  [6]uint64
	}
	reply struct {
		id    uint64
		val   int64
		err   int32
		flags uint32
	}
)

// goOn has the kernel make the call as if nobody had been told.
const goOn = 1

// Hear tells of every call that is made under the filter behind f, until nobody is left who could make one. Calls of the
// process itself that put the filter there are its own.
func Hear(f *os.File, itself int, tell func(Call)) error {
	names, err := calls.Names()
	if err != nil {
		return err
	}
	fd := int(f.Fd())
	for {
		wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if _, err := unix.Poll(wait, -1); err != nil {
			if errors.Is(err, unix.EINTR) {
				continue
			}
			return fmt.Errorf("hear system calls: %w", err)
		}
		if wait[0].Revents&unix.POLLIN == 0 {
			return nil // all are gone
		}
		var n notice
		switch err := control(fd, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)); {
		case errors.Is(err, unix.ENOENT), errors.Is(err, unix.EINTR):
			continue // it died meanwhile
		case err != nil:
			return fmt.Errorf("hear system calls: %w", err)
		}
		if int(n.pid) != itself {
			c := caller{pid: int(n.pid), args: n.args}.call(names[int(n.nr)])
			if len(c.On) > 0 && control(fd, unix.SECCOMP_IOCTL_NOTIF_ID_VALID, unsafe.Pointer(&n.id)) == nil {
				tell(c) // what was read is its own: it is still there and waits
			}
		}
		answer := reply{id: n.id, flags: goOn}
		if err := control(fd, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&answer)); err != nil && !errors.Is(err,
			unix.ENOENT) {
			return fmt.Errorf("hear system calls: %w", err)
		}
	}
}

func control(fd int, what uint, with unsafe.Pointer) error {
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(what), uintptr(with)); e != 0 {
		return e
	}
	return nil
}

// A caller waits for a call to be made.
type caller struct {
	pid  int
	args [6]uint64
}

// call is what a caller waits for; it is about nothing if nothing of it can be told.
func (c caller) call(name string) Call {
	told := Call{Name: name}
	told.By, _ = os.Readlink(c.proc("exe"))
	if f, ok := forms[name]; ok {
		told.Writes = f.writes || f.flags > 0 && c.opensToWrite(name, f.flags)
		for _, p := range f.paths {
			if path, ok := c.path(p); ok {
				told.On = append(told.On, path)
			}
		}
		told.Absent = f.flags > 0 && !told.Writes && len(told.On) > 0 && c.absent(told.On[0])
		return told
	}
	switch name {
	case "execve":
		told.On = c.command(place{none, 0}, 1)
		told.Absent = c.absent(first(told.On))
	case "execveat":
		told.On = c.command(place{0, 1}, 2)
	case "connect", "bind":
		told.On = c.address(c.args[1], c.args[2])
		if at, ok := strings.CutPrefix(first(told.On), "unix:/"); ok && name == "connect" {
			told.Absent = c.absent("/" + at)
		}
	case "sendto":
		told.On = c.address(c.args[4], c.args[5])
	case "sendmsg", "sendmmsg":
		if head := c.words(c.args[1], 2); head != nil && head[0] != 0 {
			told.On = c.address(head[0], head[1]&0xffffffff)
		}
	case "kill":
		if c.args[1] != 0 { // else it only asks whether there is such a process
			told.On = []string{strconv.Itoa(int(int32(c.args[0])))}
		}
	}
	return told
}

// absent reports whether there is nothing at a path of the box.
func (c caller) absent(path string) bool {
	_, err := os.Lstat(c.proc("root") + path)
	return errors.Is(err, fs.ErrNotExist)
}

func first(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

func (c caller) proc(name string) string { return "/proc/" + strconv.Itoa(c.pid) + "/" + name }

// opensToWrite reports whether flags among the arguments ask for more than to read.
func (c caller) opensToWrite(name string, arg int) bool {
	flags := c.args[arg]
	if name == "openat2" {
		how := c.words(c.args[arg], 1)
		if how == nil {
			return true
		}
		flags = how[0]
	}
	return flags&(unix.O_ACCMODE|unix.O_CREAT|unix.O_TRUNC) != 0
}
