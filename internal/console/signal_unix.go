//go:build unix

package console

import "golang.org/x/sys/unix"

// continued is told to a command that goes on after Ctrl-Z.
const continued = unix.SIGCONT
