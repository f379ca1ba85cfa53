package child

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
}

// Kill ends all processes of the group of cmd.
func Kill(cmd *exec.Cmd) error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
