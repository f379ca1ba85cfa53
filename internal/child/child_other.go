//go:build unix && !linux

package child

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// Where a kernel cannot end a process with its parent, its group is ended by whoever
// waits for it.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true} }

// Kill ends all processes of the group of cmd.
func Kill(cmd *exec.Cmd) error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
