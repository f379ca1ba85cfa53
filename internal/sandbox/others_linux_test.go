package sandbox_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

func TestBwrap(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("bubblewrap is not installed")
	}
	t.Run("conforms", func(t *testing.T) { sandboxtest.Conform(t, sandbox.Bwrap{}, python(t), nil) })
	t.Run("attacks", func(t *testing.T) {
		// Its first process is bwrap's own and holds nothing, and bwrap sets no
		// limit on the number of files in memory.
		every := 1
		if testing.Short() {
			every = 4
		}
		sandboxtest.EscapeEvery(t, every, sandbox.Bwrap{}, python(t), nil, "read another process's memory",
			"make a hundred thousand files", "use up what this user has of watches on files")
	})
}

// TestPodman needs an image with /usr/bin/python3, which SCRUB_TEST_IMAGE names.
func TestPodman(t *testing.T) {
	image := os.Getenv("SCRUB_TEST_IMAGE")
	if image == "" {
		t.Skip("SCRUB_TEST_IMAGE names no image")
	}
	box := sandbox.Container{Program: "podman", Image: image}
	// For want of memory the kernel kills one of many processes, not all; the
	// rest of what is known is as with bubblewrap, and that a container sees
	// the numbers of its own control group.
	t.Run("conforms", func(t *testing.T) { sandboxtest.Conform(t, box, python(t), nil, "memory of many") })
	t.Run("attacks", func(t *testing.T) {
		sandboxtest.Escape(t, box, python(t), nil, "read another process's memory", "make a hundred thousand files",
			"fill the memory with many processes", "reach the control groups and the firmware", "use up what this "+
				"user has of watches on files")
	})
}
