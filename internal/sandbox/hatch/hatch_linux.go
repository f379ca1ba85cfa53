// Package hatch hands descriptors out of a box.
package hatch

import (
	"os"

	"golang.org/x/sys/unix"
)

// Pair are the two ends of a pipe that can carry descriptors.
func Pair() (ours, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs"), nil
}

// Give hands a descriptor out through a pipe, which is closed then.
func Give(through, fd int) error {
	defer unix.Close(through)
	return unix.Sendmsg(through, []byte{1}, unix.UnixRights(fd), nil, 0)
}

// Take is the descriptor that comes through a pipe, which is closed then; nil if the other side is gone, which says why
// elsewhere.
func Take(through *os.File) *os.File {
	defer through.Close()
	buf, extra := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(through.Fd()), buf, extra, unix.MSG_CMSG_CLOEXEC)
	if err != nil || n == 0 {
		return nil
	}
	messages, err := unix.ParseSocketControlMessage(extra[:n])
	if err != nil || len(messages) != 1 {
		return nil
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil
	}
	return os.NewFile(uintptr(fds[0]), "handed out")
}
