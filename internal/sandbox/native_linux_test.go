package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	if how := os.Getenv(heldVar); how != "" {
		holdOn(how)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// python is an interpreter that every user of this machine can reach.
func python(t testing.TB) bug.Runtime {
	t.Helper()
	path := "/usr/bin/python3"
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /usr/bin/python3")
	}
	return bug.Runtime{Path: path}
}

func TestNative(t *testing.T) {
	t.Run("conforms", func(t *testing.T) { sandboxtest.Conform(t, sandbox.Native{}, python(t), nil) })
	t.Run("attacks", func(t *testing.T) { sandboxtest.EscapeEvery(t, nth(), sandbox.Native{}, python(t), nil) })
	t.Run("heard", testHeard)
	t.Run("conforms while it is heard", func(t *testing.T) { sandboxtest.Conform(t, eared{}, python(t), nil) })
	t.Run("attacks while it is heard", func(t *testing.T) {
		sandboxtest.EscapeEvery(t, 4*nth(), eared{}, python(t), nil)
	})
}

func TestWarm(t *testing.T) {
	w := new(sandbox.Warm)
	defer w.Close()
	t.Run("conforms", func(t *testing.T) { sandboxtest.Conform(t, w, python(t), []string{"json"}) })
	t.Run("attacks", func(t *testing.T) {
		// An attack that ended the server would have been run again, cold.
		// Only those that look at their environment may be cold.
		if warm := sandboxtest.EscapeEvery(t, nth(), w, python(t), []string{"json"}); warm < 58/nth() {
			t.Errorf("only %d attacks ran warm", warm)
		}
	})
	if why := w.Refused(); len(why) > 0 {
		t.Errorf("it did not run warm: %v", why)
	}
}

const asUser = "SCRUB_TEST_AS_USER"

// nth is which of the attacks are run: all of them, but in short tests as another
// user every fourth. make attack runs them all.
func nth() int {
	if testing.Short() && os.Getenv(asUser) != "" {
		return 4
	}
	return 1
}

// TestAsUser does all of this again as an ordinary user, if this one is root.
func TestAsUser(t *testing.T) {
	if os.Getuid() != 0 || os.Getenv(asUser) != "" {
		t.Skip("this is an ordinary user")
	}
	dir, err := os.MkdirTemp("/tmp", "scrub-user-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.v", fmt.Sprintf("-test.short=%v", testing.Short()),
		"-test.run", "^(TestNative|TestWarm)$")
	cmd.Dir = dir
	cmd.Env = []string{asUser + "=1", "TMPDIR=" + dir, "HOME=" + dir, "PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 54321, Gid: 54321}}
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: TestWarm/attacks") {
		t.Errorf("as an ordinary user: %v", err)
	}
}

func TestNoProgramIsTheBoxsFault(t *testing.T) {
	_, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program("print(1)"),
		Runtime: bug.Runtime{Path: "/no/such/python"}})
	if err == nil || !strings.Contains(err.Error(), "/no/such/python") {
		t.Errorf("Run = %v", err)
	}
}

func TestEveryWallHolds(t *testing.T) {
	for _, w := range (sandbox.Native{}).Walls(t.Context()) {
		if !w.Holds {
			t.Errorf("%s: %s", w.Name, w.Missing)
		}
	}
}

// A program that stands in line for a processor does not hang, and one that never
// ends does, however busy the machine is.
func TestBusyMachine(t *testing.T) {
	for range 3 * runtime.NumCPU() {
		hog := exec.Command("/bin/sh", "-c", "while :; do :; done")
		if err := hog.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = hog.Process.Kill(), hog.Wait() })
	}
	limits := sandbox.Limits{Time: 2 * time.Second}
	for text, want := range map[string]bug.End{
		"import time\nwhile time.process_time() < 0.9: pass": bug.Exited,
		"while 1: pass":                 bug.TimedOut,
		"import time\ntime.sleep(1000)": bug.TimedOut,
	} {
		o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program(text), Runtime: python(t), Limits: limits})
		if err != nil || o.End != want {
			t.Errorf("%q: %s, %v", text, o.Words(), err)
		}
		if want == bug.TimedOut && o.Words() != "timed out after 2s" {
			t.Errorf("%q: %s", text, o.Words())
		}
	}
}
