package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

// hold is a program that writes its marker, starts a daemon and stays.
const hold = `
import os, sys, time
if os.fork() == 0:
    os.setsid()
    os.execv("/bin/sleep", ["%[1]s", "60"])
time.sleep(0.2)
print("there", flush=True)
end = time.time() + 60
while time.time() < end:
    time.sleep(1)
`

const heldVar = "SCRUB_TEST_HOLD" // "native|warm MARKER"

// holdOn runs a program that stays, until somebody kills this process.
func holdOn(how string) {
	kind, marker, _ := strings.Cut(how, " ")
	job := sandbox.Job{Repro: bug.Program(fmt.Sprintf(hold, marker)), Runtime: bug.Runtime{Path: "/usr/bin/python3"},
		Limits: sandbox.Limits{Time: time.Minute}}
	var box sandbox.Box = sandbox.Native{}
	if kind == "warm" {
		job.Preload = []string{"json"}
		box = new(sandbox.Warm)
	}
	_, err := box.Run(context.Background(), job)
	fmt.Println(err)
}

// eventually waits until f holds: other processes need their time to die.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !f(); {
		if time.Now().After(end) {
			t.Fatalf("%s: not within ten seconds", what)
		}
		time.Sleep(5 * time.Millisecond) // there is nothing to wait on: the processes are not ours
	}
}

// Killed in the middle of a run, scrub leaves nothing behind.
func TestKilledScrubLeavesNothing(t *testing.T) {
	python(t)
	for _, kind := range []string{"native", "warm"} {
		t.Run(kind, func(t *testing.T) {
			marker := "scrub-held-" + filepath.Base(t.TempDir()) + kind
			before := mounts(t)
			cmd := exec.Command("/proc/self/exe")
			cmd.Env = append(os.Environ(), heldVar+"="+kind+" "+marker)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the daemon starts", func() bool { return len(sandboxtest.Processes(marker)) > 0 })
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			eventually(t, "everything is dead", func() bool { return len(sandboxtest.Processes(marker)) == 0 })
			if after := mounts(t); after != before {
				t.Errorf("%d mounts before, %d after", before, after)
			}
		})
	}
}

// A warm interpreter that is killed costs its run nothing but time, and the
// next one has a new server.
func TestKilledServer(t *testing.T) {
	w := new(sandbox.Warm)
	defer w.Close()
	job := sandbox.Job{Repro: bug.Program("import time\ntime.sleep(0.3)\nprint(1)"), Runtime: python(t),
		Preload: []string{"json"}}
	if o, err := w.Run(t.Context(), job); err != nil || !o.Warm {
		t.Fatalf("%+v, %v", o, err)
	}
	for _, victim := range []struct{ name, word string }{
		{"server", "python3\x00repro.py"},
		{"stage", "stage-of-the-box"},
	} {
		t.Run(victim.name, func(t *testing.T) {
			var wg sync.WaitGroup
			wg.Go(func() {
				if o, err := w.Run(t.Context(), job); err != nil || o.Stdout != "1\n" {
					t.Errorf("the run that lost its server: %+v, %v", o, err)
				}
			})
			killed := 0
			eventually(t, "something to kill", func() bool {
				for _, dir := range children(victim.word) {
					pid := 0
					if _, err := fmt.Sscanf(dir, "/proc/%d", &pid); err == nil &&
						syscall.Kill(pid, syscall.SIGKILL) == nil {
						killed++
					}
				}
				return killed > 0
			})
			wg.Wait()
			if o, err := w.Run(t.Context(), job); err != nil || !o.Warm || o.Stdout != "1\n" {
				t.Errorf("the run after that: %+v, %v, %v", o, err, w.Refused())
			}
		})
	}
}

// children are the processes below this one whose command line holds word.
func children(word string) []string {
	return slices.DeleteFunc(sandboxtest.Processes(word), func(dir string) bool { return !isBelow(dir) })
}

// isBelow reports whether a process descends from this one.
func isBelow(dir string) bool {
	for {
		status, err := os.ReadFile(dir + "/status")
		if err != nil {
			return false
		}
		_, rest, _ := strings.Cut(string(status), "PPid:\t")
		parent, _, _ := strings.Cut(rest, "\n")
		switch parent {
		case fmt.Sprint(os.Getpid()):
			return true
		case "0", "":
			return false
		}
		dir = "/proc/" + parent
	}
}

func mounts(t testing.TB) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// state is what a long series of runs must not change.
type state struct{ memory, descriptors, mounts, zombies, children int }

func look(t testing.TB) state {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	s := state{descriptors: len(fds), mounts: mounts(t), memory: resident("/proc/self")}
	for _, dir := range children("") {
		s.children++
		if text, err := os.ReadFile(dir + "/mounts"); err == nil {
			s.mounts += strings.Count(string(text), "\n")
		}
		s.memory += resident(dir)
		if status, err := os.ReadFile(dir + "/status"); err == nil && strings.Contains(string(status), "State:\tZ") {
			s.zombies++
		}
	}
	return s
}

// resident is in MiB.
func resident(dir string) int {
	text, err := os.ReadFile(dir + "/statm")
	var size, pages int
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * os.Getpagesize() >> 20
}

// TestManyWarmRuns makes runs of every kind in a row, ten thousand of them
// if asked to by "make soak", and looks whether anything grows.
func TestManyWarmRuns(t *testing.T) {
	n := 300
	if os.Getenv("SCRUB_TEST_SOAK") != "" {
		n = 10000
	}
	w := new(sandbox.Warm)
	defer w.Close()
	kinds := []string{"print(1)", "1/0", "import os; os.abort()", "open('f', 'w').write('x' * 100000)",
		"import os\nif os.fork(): os._exit(3)\nos.setsid()\nimport time; time.sleep(30)"}
	job := sandbox.Job{Runtime: python(t), Preload: []string{"json", "decimal"}}
	var before state
	for i := range n {
		job.Repro = bug.Program(kinds[i%len(kinds)])
		if o, err := w.Run(t.Context(), job); err != nil || !o.Warm {
			t.Fatalf("run %d: %+v, %v", i, o, err)
		}
		if i == n/10 {
			before = look(t)
		}
	}
	after := look(t)
	t.Logf("%d runs: %+v, then %+v", n, before, after)
	if after.memory > before.memory+20 || after.descriptors > before.descriptors || after.mounts != before.mounts ||
		after.zombies > 0 || after.children > before.children {
		t.Errorf("something grows: %+v, then %+v", before, after)
	}
}
