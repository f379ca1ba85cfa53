//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// SIGTERM and Ctrl-C end every command, also one that waits for input or for a
// program.
func TestSignalsEndEveryCommand(t *testing.T) {
	dir := t.TempDir()
	endless := filepath.Join(dir, "endless.py")
	if err := os.WriteFile(endless, []byte("print('there', flush=True)\nwhile True:\n    pass\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"issue", "-"}, {"triage", "-"}, {"classify", "-"}, {"run", endless}, {"run", endless, "--warm"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(args[0]+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command("/proc/self/exe")
				cmd.Args = append([]string{"scrub"}, args...)
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME=", "USER=ann")
				theirs, in, err := os.Pipe() // which stays open
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				defer theirs.Close()
				cmd.Stdin = theirs
				errOut, err := cmd.StderrPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if args[1] == endless { // it says when it has begun to wait
					_, _ = bufio.NewReader(errOut).ReadString('\n')
				} else {
					taken(t, in)
				}
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				go func() { _, _ = io.Copy(io.Discard, errOut) }()
				if err := cmd.Wait(); err == nil {
					t.Error("it ended as if nothing had been said")
				}
			})
		}
	}
}

// taken writes something and waits until somebody has read it.
func taken(t *testing.T, to *os.File) {
	t.Helper()
	if _, err := to.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	// there is nothing to wait on: the reader is another process
	for left := 1; left > 0; time.Sleep(time.Millisecond) {
		var err error
		if left, err = unix.IoctlGetInt(int(to.Fd()), unix.TIOCINQ); err != nil {
			t.Fatal(err)
		}
	}
}
