package sandbox

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/calls"
	"github.com/scrub-dev/scrub/internal/sandbox/lock"
	"github.com/scrub-dev/scrub/internal/sandbox/mount"
)

// Bwrap is a Box built by bubblewrap. It is for machines that let bubblewrap
// make user namespaces and no other program. The walls are the native ones.
type Bwrap struct{}

// Run implements Box.
func (Bwrap) Run(ctx context.Context, job Job) (bug.Outcome, error) {
	program, err := exec.LookPath("bwrap")
	if err != nil {
		return bug.Outcome{}, errors.New("bwrap is not installed")
	}
	p := newPlan(job)
	// The call filter is there before the program's own limits are, and keeps this one.
	b := bwrapCall{cmd: exec.Command("/usr/bin/prlimit", fmt.Sprintf("--core=%d", noCore), "--", program)}
	defer b.close()
	if err := b.prepare(p); err != nil {
		return bug.Outcome{}, fmt.Errorf("bwrap: %w", err)
	}
	// Told to die with its parent, bwrap dies with the thread that made it, and
	// it gets that thread's keyring.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := lock.Keyring(); err != nil {
		return bug.Outcome{}, fmt.Errorf("bwrap: %w", err)
	}
	o, err := runCommand(ctx, b.cmd, p.Limits, func() { _ = b.cmd.Process.Kill() })
	if err == nil && o.End == bug.Exited && o.Code == 1 && strings.HasPrefix(o.Stderr, "bwrap: ") {
		return o, errors.New(firstOf(o.Stderr)) // bwrap itself failed
	}
	return o, err
}

// A bwrapCall is a bwrap command line and the files it reads from.
type bwrapCall struct{ cmd *exec.Cmd }

func (b *bwrapCall) prepare(p plan) error {
	b.args("--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL",
		"--uid", strconv.Itoa(innerID), "--gid", strconv.Itoa(innerID), "--hostname", "scrub")
	for _, dir := range scratchDirs {
		b.args("--size", strconv.FormatInt(p.Limits.Scratch, 10), "--perms", "0777", "--tmpfs", dir)
	}
	for _, m := range p.Mounts {
		if m.To == mount.Zeroes {
			continue // nobody counts what is made of it
		}
		if mount.IsLink(m.From) {
			to, err := os.Readlink(m.From)
			if err != nil {
				return err
			}
			b.args("--symlink", to, m.To)
			continue
		}
		bind := "--ro-bind"
		if path.Dir(m.To) == "/dev" {
			bind = "--dev-bind"
		}
		b.args(bind, m.From, m.To)
	}
	b.args("--proc", "/proc")
	b.mask()
	files := map[string]string{}
	maps.Copy(files, made)
	for name, text := range p.Files {
		if !inside(path.Join(Scratch, name), Scratch) {
			return fmt.Errorf("%s: not a name for a file in the box", name)
		}
		files[path.Join(Scratch, name)] = text
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := b.data([]byte(files[name]), "--file", name); err != nil {
			return err
		}
	}
	b.args("--remount-ro", "/")
	code, err := calls.Filter{}.Code()
	if err != nil {
		return err
	}
	if err := b.data(code, "--seccomp"); err != nil {
		return err
	}
	for _, v := range p.Env {
		name, value, _ := strings.Cut(v, "=")
		b.args("--setenv", name, value)
	}
	b.args("--chdir", Scratch, "--")
	b.args(p.limited()...)
	b.cmd.Env = []string{}
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		b.cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return nil
}

// mask covers the files that are masked.
func (b *bwrapCall) mask() {
	for _, file := range masked {
		if _, err := os.Stat(file); err == nil {
			b.args("--ro-bind", "/dev/null", file)
		}
	}
}

// limited is the program's command line behind the one that sets its limits.
func (p plan) limited() []string {
	return append([]string{
		"/usr/bin/prlimit", fmt.Sprintf("--nproc=%d", p.Limits.Processes), fmt.Sprintf("--nofile=%d", p.Limits.Files),
		fmt.Sprintf("--fsize=%d", p.Limits.Scratch), "--",
	}, p.Argv...)
}

func (b *bwrapCall) args(words ...string) { b.cmd.Args = append(b.cmd.Args, words...) }

// data hands bwrap a descriptor to read text from, behind option and before rest.
func (b *bwrapCall) data(text []byte, option string, rest ...string) error {
	fd, err := unix.MemfdCreate("scrub", unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), option)
	b.cmd.ExtraFiles = append(b.cmd.ExtraFiles, f)
	if _, err := f.Write(text); err != nil {
		return err
	}
	if _, err := f.Seek(0, 0); err != nil {
		return err
	}
	b.args(append([]string{option, strconv.Itoa(2 + len(b.cmd.ExtraFiles))}, rest...)...)
	return nil
}

func (b *bwrapCall) close() { _ = closeAll(b.cmd.ExtraFiles) }

// Walls builds a box and has scrub try to get out of it.
func (b Bwrap) Walls(ctx context.Context) []Wall {
	open, err := tried(ctx, b)
	w := Wall{Name: "bwrap", Holds: err == nil && len(open) == 0}
	if err != nil {
		w.Missing = err.Error()
	}
	for wall, why := range open {
		w.Missing = wall + ": " + why
	}
	return []Wall{w}
}
