// Package child has processes that scrub starts end with it.
package child

import "os/exec"

// Bound is cmd that ends when scrub does, in a group of its own that Kill ends whole.
func Bound(cmd *exec.Cmd) *exec.Cmd {
	bind(cmd)
	cmd.Cancel = func() error { return Kill(cmd) }
	return cmd
}
