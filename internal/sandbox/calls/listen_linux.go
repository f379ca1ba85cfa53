package calls

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// heard are the calls by which a program reaches for something that is not its own: files, programs, other machines
// and other processes. A witness is told of them before they are made.
var heard = strings.Fields(`
	open openat openat2 creat execve execveat connect bind sendmsg sendmmsg
	unlink unlinkat rename renameat renameat2 rmdir link linkat symlink symlinkat mkdir mkdirat mknod mknodat
	chmod fchmodat fchmodat2 chown lchown fchownat truncate utime utimes utimensat futimesat
	setxattr lsetxattr removexattr lremovexattr kill
`)

// addressed is what is sent to somebody who is named, and not only to whoever is at the other end.
var addressed = when("sendto", differs(4, 0))

// Names are the calls of this processor by their numbers.
func Names() (map[int]string, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	return info.SyscallNumbers, nil
}

// Heard is a filter that allows everything and has a witness told of some of it. It decides nothing: what the other
// filter forbids stays forbidden, and the calls of other architectures are its business.
func Heard() ([]byte, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	all := ours(info, allow)
	for _, name := range heard {
		if n, ok := info.SyscallNames[name]; ok {
			all = append(all, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(n), SkipFalse: 1}, tell)
		}
	}
	if n, ok := info.SyscallNames[addressed.name]; ok {
		what := addressed.then(tell)
		all = append(all, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(n), SkipFalse: uint8(len(what))})
		all = append(all, what...)
	}
	return assembled(append(all, allow))
}

// tell has the witness told.
var tell = bpf.RetConstant{Val: unix.SECCOMP_RET_USER_NOTIF}

// Listen puts a filter of Heard on this thread and on all that it starts, and gives the descriptor by which the witness
// is told.
func Listen(code []byte) (fd int, err error) {
	if len(code) == 0 {
		return 0, errors.New("there is no filter to listen by")
	}
	prog := unix.SockFprog{Len: uint16(len(code) / instruction), Filter: (*unix.SockFilter)(unsafe.Pointer(&code[0]))}
	got, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER,
		uintptr(unsafe.Pointer(&prog)))
	if e != 0 {
		return 0, fmt.Errorf("listen to system calls: %w", e)
	}
	return int(got), nil
}
