package sandbox_test

import (
	"os/exec"
	"testing"

	"scrub/internal/sandbox"
	"scrub/internal/sandbox/sandboxtest"
)

func TestBwrap(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("bubblewrap is not installed")
	}
	t.Run("conforms", func(t *testing.T) { sandboxtest.Conform(t, sandbox.Bwrap{}, python(t), nil) })
	t.Run("attacks", func(t *testing.T) {
		// Its first process is bwrap's own and holds nothing, and bwrap sets no
		// limit on the number of files in memory.
		sandboxtest.Escape(t, sandbox.Bwrap{}, python(t), nil, "read another process's memory", "make a hundred thousand files")
	})
}
