package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
)

// A seat is somebody who sits at a terminal at which scrub runs.
type seat struct {
	*testing.T
	tty  *os.File
	cmd  *exec.Cmd
	seen strings.Builder // all that was ever shown
	read int             // how much of it somebody has looked at
}

// sit starts scrub at a terminal of some size.
func sit(t *testing.T, columns, rows int, env []string, args ...string) *seat {
	t.Helper()
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this machine has no terminals: ", err)
	}
	t.Cleanup(func() { tty.Close() })
	number, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		size := &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}
		err = unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, size)
	}
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	cmd := exec.Command(scrub(t), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(append(os.Environ(), "TERM=xterm", "CI=", "LC_ALL=C.UTF-8", "HOME="+t.TempDir(), "USER=ann",
		"GH_TOKEN=", "GITHUB_TOKEN=", "XDG_STATE_HOME="), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &seat{T: t, tty: tty, cmd: cmd}
}

// until reads what is shown until it matches, from where the last look ended.
func (s *seat) until(form string) {
	s.Helper()
	want := regexp.MustCompile(form)
	buf := make([]byte, 4096)
	for {
		if at := want.FindStringIndex(s.seen.String()[s.read:]); at != nil {
			s.read += at[1]
			return
		}
		n, err := s.tty.Read(buf)
		s.seen.Write(buf[:n])
		if err != nil {
			s.Fatalf("it ended without %q:\n%s", form, s.seen.String())
		}
	}
}

// types types keys.
func (s *seat) types(keys string) {
	s.Helper()
	if _, err := s.tty.WriteString(keys); err != nil {
		s.Fatal(err)
	}
}

// ends waits for the end, and returns the exit code.
func (s *seat) ends() int {
	s.Helper()
	buf := make([]byte, 4096)
	for {
		n, err := s.tty.Read(buf)
		s.seen.Write(buf[:n])
		if err != nil {
			break // nobody has the terminal any more
		}
	}
	_ = s.cmd.Wait() // how it ended is in ProcessState
	return s.cmd.ProcessState.ExitCode()
}

const askFirst = "import os\nos.system('true')\nraise ValueError('x')\n"

// wanting is a report whose program a person is asked about.
func wanting(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.md")
	text := "---\nrepo: octo/snail\nnumber: 7\ntitle: It raises\nauthor: bob\n---\n```python\n" + askFirst +
		"```\n\n```\nValueError: x\n```\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Every answer that a person can give to a program that wants to run, on a wide
// terminal and on a narrow one.
func TestPromptToRun(t *testing.T) {
	for _, tt := range []struct {
		keys, shows string
		code        int
	}{
		{"y\n", "reproduces", 0}, {"yes\n", "reproduces", 0}, {"n\n", "refused", 0}, {"m\n", "refused", 0}, {"l\n",
			"needs-decision", 3}, {"what?\ny\n", "reproduces", 0}, {"\n\nn\n", "refused", 0}, {"\x04", "needs-decision", 3},
		{"\x03", "nothing was decided", 1},
	} {
		for _, size := range [][2]int{{80, 24}, {40, 10}} {
			t.Run(fmt.Sprintf("%q %d", tt.keys, size[0]), func(t *testing.T) {
				t.Parallel()
				s := sit(t, size[0], size[1], []string{"USER=", "LOGNAME="}, "issue", wanting(t))
				s.until(`2  os\.system`)
				s.until(`! commands|! \w+: it starts other programs`)
				s.until(`\[l\]ater: `)
				s.types(tt.keys)
				if code := s.ends(); code != tt.code || !strings.Contains(s.seen.String(), tt.shows) {
					t.Errorf("exit code %d:\n%s", code, s.seen.String())
				}
				s.fits(size[0])
			})
		}
	}
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// fits checks that the line which is written over and over never is longer than the
// terminal is wide: what wraps cannot be taken away.
func (s *seat) fits(columns int) {
	s.Helper()
	for _, line := range strings.Split(s.seen.String(), "\r\x1b[K")[1:] {
		line, _, _ = strings.Cut(line, "\r\n")
		n := utf8.RuneCountInString(escapes.ReplaceAllString(line, ""))
		if strings.ContainsAny(line, "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") && n >= columns {
			s.Errorf("%d columns in a terminal of %d: %q", n, columns, line)
		}
	}
}

// Ctrl-Z puts scrub aside, and when it comes back it asks again.
func TestPromptComesBack(t *testing.T) {
	s := sit(t, 80, 24, nil, "issue", wanting(t))
	s.until(`\[l\]ater: `)
	if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.until(`\[l\]ater: `)
	s.types("y\n")
	if code := s.ends(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, s.seen.String())
	}
}

// A report is laid out and coloured, unless somebody does not want that.
func TestColours(t *testing.T) {
	for name, tt := range map[string]struct {
		env            []string
		coloured, laid bool
	}{
		"a terminal": {nil, true, true},
		"no colours": {[]string{"NO_COLOR=1"}, false, true},
		"dumb":       {[]string{"TERM=dumb"}, false, false},
		"a log":      {[]string{"CI=true"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sit(t, 80, 24, tt.env, "issue", "../../examples/passes.md", "--approve-clean", "-q")
			code := s.ends()
			text := s.seen.String()
			coloured, laid := strings.Contains(text, "\x1b[1;32mdoes-not-reproduce"), !strings.Contains(text, "# Attr")
			if code != 0 || coloured != tt.coloured || laid != tt.laid {
				t.Errorf("exit code %d, coloured %v, laid out %v:\n%s", code, coloured, laid, text)
			}
		})
	}
}

// A package is installed only if somebody says so.
func TestPromptToInstall(t *testing.T) {
	shelf := runtimestest.NewShelf("1.0")
	t.Cleanup(shelf.CloseClientConnections)
	file := filepath.Join(t.TempDir(), "report.md")
	text := "```python\nimport snail\nraise ValueError(snail.speed)\n```\n\n```\nValueError: 1.0\n```\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PIP_INDEX_URL=" + shelf.Index(), "UV_INDEX_URL="}
	for keys, shows := range map[string]string{"n\n": "cannot-run", "\n": "cannot-run", "y\n": "reproduces"} {
		t.Run(keys, func(t *testing.T) {
			s := sit(t, 80, 24, env, "issue", file, "--approve-clean")
			s.until(`Install the package snail\? \[y/N\]: `)
			s.types(keys)
			if code := s.ends(); code != 0 || !strings.Contains(s.seen.String(), shows) {
				t.Errorf("exit code %d:\n%s", code, s.seen.String())
			}
		})
	}
}

// What is proposed is done if somebody says so, and the next look says that it was.
func TestPromptToPost(t *testing.T) {
	forge := t.TempDir()
	folder := filepath.Join(forge, "octo", "snail")
	text, err := os.ReadFile(wanting(t))
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "7.md"), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + t.TempDir()}
	s := sit(t, 80, 24, env, "issue", "octo/snail#7", "--forge", forge, "--post")
	s.until(`\[l\]ater: `)
	s.types("y\n")
	s.until(`Apply it\? \[y\]es, \[n\]o, \[l\]ater: `)
	s.types("y\n")
	if code := s.ends(); code != 0 || !strings.Contains(s.seen.String(), "done") {
		t.Fatalf("exit code %d:\n%s", code, s.seen.String())
	}
	again := sit(t, 80, 24, env, "issue", "octo/snail#7", "--forge", forge)
	code := again.ends()
	shown := escapes.ReplaceAllString(again.seen.String(), "")
	if code != 0 || !strings.Contains(shown, "done on "+time.Now().UTC().Format("2006")) {
		t.Errorf("exit code %d:\n%s", code, shown)
	}
}

// What is missing is proposed, and nothing is done without a yes.
func TestPromptToFix(t *testing.T) {
	tools := t.TempDir()
	script := "#!/bin/sh\necho \"would run: $0 $*\"\n"
	if err := os.WriteFile(filepath.Join(tools, "pipx"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for keys, ran := range map[string]bool{"n\n": false, "y\n": true} {
		s := sit(t, 80, 24, []string{"PATH=" + tools}, "doctor", "--fix", "--python", "/usr/bin/python3")
		s.until(`Run pipx install uv\? \[y/N\]: `)
		s.types(keys)
		if s.ends(); strings.Contains(s.seen.String(), "would run: ") != ran {
			t.Errorf("%q:\n%s", keys, s.seen.String())
		}
	}
}

// A search on the whole terminal can be paused and stopped, on every size, and what
// was found is printed when it is over.
func TestScreen(t *testing.T) {
	shelf := runtimestest.NewShelf("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "2.0")
	t.Cleanup(shelf.CloseClientConnections)
	file := filepath.Join(t.TempDir(), "repro.py")
	program := "import snail\nif snail.speed < 1.3:\n    raise ValueError('slow')\n"
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	minimize := []string{"minimize", "../../examples/shrink.py", "--screen"}
	bisect := []string{"bisect", file, "--package", "snail", "--screen"}
	for name, tt := range map[string]struct {
		args          []string
		columns, rows int
		env           []string
		keys          string // after it was paused
		shows         string
	}{
		"minimize to its end":    {minimize, 80, 24, nil, "p", `lines reduced to 4,`},
		"stopped, and narrow":    {minimize, 40, 10, nil, "q", `\d+ lines reduced to \d+`},
		"Ctrl-C, and no colours": {minimize, 80, 24, []string{"NO_COLOR=1"}, "\x03", `\d+ lines reduced to \d+`},
		"accepted":               {minimize, 200, 60, nil, "a", `\d+ lines reduced to \d+`},
		"bisect":                 {bisect, 80, 24, nil, "p", `Last affected release: snail 1\.2`},
	} {
		t.Run(name, func(t *testing.T) {
			env := append([]string{"PIP_INDEX_URL=" + shelf.Index(), "UV_INDEX_URL="}, tt.env...)
			s := sit(t, tt.columns, tt.rows, env, tt.args...)
			s.until(`pause`) // the line of keys is there
			s.types("p")
			s.until(`paused`)
			size := &unix.Winsize{Row: uint16(tt.rows + 2), Col: uint16(tt.columns - 5)}
			if err := unix.IoctlSetWinsize(int(s.tty.Fd()), unix.TIOCSWINSZ, size); err != nil {
				t.Fatal(err)
			}
			s.types(tt.keys)
			if code := s.ends(); code != 0 || !regexp.MustCompile(tt.shows).MatchString(s.seen.String()) {
				t.Errorf("exit code %d:\n%q", code, s.seen.String())
			}
			_, after, _ := strings.Cut(s.seen.String(), "\x1b[?1049l")
			if !regexp.MustCompile(tt.shows).MatchString(after) {
				t.Errorf("what was found is gone with the screen: %q", after)
			}
		})
	}
}
