package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

// privileges is a program that says what it may do.
const privileges = `
for line in open("/proc/self/status"):
    if line.startswith(("Cap", "NoNew", "Seccomp:")):
        print(line.strip())
`

// statements are the lines of a function of a Python file at which a statement
// begins.
func statements(lines []string, name string) []int {
	var all []int
	in, quoted := false, false
	for i, line := range lines {
		if strings.HasPrefix(line, "def ") {
			in = strings.HasPrefix(line, "def "+name+"(")
			continue
		}
		code := strings.TrimSpace(line)
		if !in || code == "" || strings.HasPrefix(code, "#") {
			continue
		}
		if strings.Count(code, `"""`) == 1 {
			quoted = !quoted
			continue
		}
		branch := strings.HasPrefix(code, "except") || strings.HasPrefix(code, "finally") ||
			strings.HasPrefix(code, "el")
		if !quoted && !branch && strings.HasPrefix(line, "    ") && !strings.HasPrefix(code, `"`) {
			all = append(all, i)
		}
	}
	return all
}

// aside are statements that say what went wrong, that come after all walls, or
// that this program does not reach.
var aside = []string{"os._exit", "os.write(tell, (", "os.close(tell)", "try:", "os.makedirs(os.path.dirname(name)",
	"raise OSError(", "module.seed()", "pass  # one that"}

// Whatever goes wrong while a child of a warm interpreter enters its walls, no
// program runs in it.
func TestWarmFailsClosed(t *testing.T) {
	whole := *sandbox.WarmServer
	defer func() { *sandbox.WarmServer = whole }()
	lines := strings.Split(whole, "\n")
	want, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program(privileges), Runtime: python(t)})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range []string{"shared", "enter", "lock", "leave_early", "tidy", "let_in"} {
		for _, at := range statements(lines, name) {
			code := strings.TrimSpace(lines[at])
			if slices.ContainsFunc(aside, func(a string) bool { return strings.HasPrefix(code, a) }) {
				continue
			}
			indent := lines[at][:len(lines[at])-len(strings.TrimLeft(lines[at], " "))]
			broken := slices.Insert(slices.Clone(lines), at, indent+"raise OSError('planted')")
			*sandbox.WarmServer = strings.Join(broken, "\n")
			n++
			w := &sandbox.Warm{Caches: []string{"/tmp/made"}, Own: []string{"/tmp/made/own"}}
			o, err := w.Run(t.Context(), sandbox.Job{Repro: bug.Program(privileges), Runtime: python(t),
				Preload: []string{}})
			w.Close()
			if err != nil || o.Warm || o.Stdout != want.Stdout {
				t.Errorf("with a fault in %s before %q: warm %v, %v\n%s%s", name, code, o.Warm, err, o.Stdout, o.Stderr)
			}
		}
	}
	t.Logf("held: %d faults while a child enters its walls", n)
	if n < 60 {
		t.Errorf("only %d places were found", n)
	}
}

const faultVar = "SCRUB_TEST_FAULT" // a system call and the error it ends with

// faulty are the calls that walls are built with.
var faulty = strings.Fields(`open_tree mount_setattr move_mount mount pivot_root umount2 sethostname prctl capset prlimit64
	seccomp keyctl ioctl socket symlinkat mkdirat chdir unlinkat unshare setns`)

// breakCalls makes a system call fail from now on.
func breakCalls(fault string) error {
	var name string
	var errno int
	if _, err := fmt.Sscan(fault, &name, &errno); err != nil {
		return err
	}
	return seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls: []seccomp.SyscallGroup{{Action: seccomp.ActionErrno | seccomp.Action(errno),
			Names: []string{name}}},
	}})
}

// A wall that cannot be built lets nothing in: each call that builds walls is
// made to fail in turn, with two kinds of error, and those that take privileges
// away also to do nothing and call it a success.
func TestFaultsFailClosed(t *testing.T) {
	python(t)
	users := []*syscall.Credential{nil}
	if os.Getuid() == 0 {
		users = append(users, &syscall.Credential{Uid: 54321, Gid: 54321})
	}
	closed := 0
	for _, who := range users {
		for _, name := range faulty {
			for _, errno := range []int{int(unix.EPERM), int(unix.ENOMEM), 0} {
				if errno == 0 && !slices.Contains([]string{"capset", "seccomp"}, name) {
					continue // only of these does the kernel tell whether they worked
				}
				cmd := exec.Command("/proc/self/exe", "-test.run", "^TestUnderFault$", "-test.v")
				cmd.Env = []string{fmt.Sprintf("%s=%s %d", faultVar, name, errno), "PATH=/usr/bin:/bin", "TMPDIR=/tmp"}
				cmd.Dir = "/"
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who}
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), "--- PASS: TestUnderFault") {
					t.Errorf("%s fails with %d, as %v: %v\n%s", name, errno, who, err, out)
				}
				closed += strings.Count(string(out), "closed: ")
			}
		}
	}
	t.Logf("held: %d times a box was not built", closed)
	if closed < 100 {
		t.Error("hardly any fault was one")
	}
}

// TestUnderFault is what TestFaultsFailClosed does in a process of its own.
func TestUnderFault(t *testing.T) {
	if os.Getenv(faultVar) == "" {
		t.Skip("nothing is broken")
	}
	h := sandboxtest.NewHost(t)
	if err := breakCalls(os.Getenv(faultVar)); err != nil {
		t.Fatal(err)
	}
	w := new(sandbox.Warm)
	defer w.Close()
	tries := []string{"read a private key", "write a file of the host", "become somebody else", "make namespaces again",
		"see the host's network devices", "call as a 32-bit program: make a user namespace"}
	for _, a := range sandboxtest.Attacks(h) {
		if !slices.Contains(tries, a.Name) {
			continue
		}
		for _, box := range []sandbox.Box{sandbox.Native{}, w} {
			o, err := box.Run(t.Context(), sandbox.Job{Repro: bug.Program(a.Code),
				Runtime: bug.Runtime{Path: "/usr/bin/python3"}, Preload: []string{}})
			switch harm := h.Harm(); {
			case harm != "" || strings.Contains(o.Stdout, "OPEN"):
				t.Errorf("%s: %v; harm: %q\n%s%s", a.Name, err, harm, o.Stdout, o.Stderr)
			case err != nil:
				t.Logf("closed: %v", err)
			}
		}
	}
}
