package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
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
		{"issue", "-"}, {"triage", "-"}, {"classify", "-"}, {"run", endless}, {"run", endless, "--warm"}, {"minimize", endless, "--expect", "hang"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(args[0]+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command("/proc/self/exe")
				cmd.Args = append([]string{"scrub"}, args...)
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME=", "USER=ann")
				in, err := cmd.StdinPipe() // which stays open
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				errOut, err := cmd.StderrPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if args[1] == endless { // it says when it has begun to wait
					_, _ = bufio.NewReader(errOut).ReadString('\n')
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
