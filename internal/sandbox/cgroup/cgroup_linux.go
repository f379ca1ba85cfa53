// Package cgroup keeps the memory of all processes of a box together under a
// limit, where this user may make control groups.
package cgroup

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Group holds all processes of one box. It stands behind the watch on memory:
// it also counts what processes share and
// what the kernel holds for the box, and a process cannot outrun it.
type Group struct {
	dir    string
	V2     bool // of the second version
	before int  // how many processes the kernel had ended in it when the box was put there

	// To move a process into a cgroup takes longer than to build a box, so it is
	// born there. With the second version one can say where; with the first it
	// is where the thread is that makes it.
	thread chan func()
	left   <-chan error // the thread has
}

var count atomic.Int64 // how many this process has made, to name the next

// spares are cgroups of boxes that have ended, for those to come.
var spares struct {
	sync.Mutex
	all []*Group
}

// Take is a cgroup that limits memory, or nil if there is no place for one.
func Take(memory int64) *Group {
	spares.Lock()
	var g *Group
	if n := len(spares.all); n > 0 {
		g, spares.all = spares.all[n-1], spares.all[:n-1]
	}
	spares.Unlock()
	if g != nil && g.Limit(memory) == nil {
		g.before = g.killed()
		return g
	}
	return another(memory)
}

// GiveBack keeps g, which is empty, for the next box.
func (g *Group) GiveBack() {
	if g == nil {
		return
	}
	spares.Lock()
	defer spares.Unlock()
	spares.all = append(spares.all, g)
}

// Tidy takes away what boxes leave for the next ones.
func Tidy() {
	spares.Lock()
	defer spares.Unlock()
	for _, g := range spares.all {
		g.Remove()
	}
	spares.all = nil
}

// slack is what a box may use besides its program: its first process, and
// what the kernel keeps for it.
const slack = 256 << 20

// another makes a cgroup that limits memory.
func another(memory int64) *Group {
	name := fmt.Sprintf("scrub-%d-%d", os.Getpid(), count.Add(1))
	for _, place := range places() {
		dir := filepath.Join(place, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		g := &Group{dir: dir}
		_, err := os.Stat(g.file("memory.max"))
		g.V2 = err == nil
		if g.Limit(memory) == nil && (g.V2 || g.openThread() == nil) {
			return g
		}
		g.Remove()
	}
	return nil
}

// openThread puts a thread of this process into g.
func (g *Group) openThread() error {
	work, entered := make(chan func()), make(chan error)
	go offFirst(func() {
		self := []byte(fmt.Sprint(unix.Gettid()))
		entered <- os.WriteFile(g.file("tasks"), self, 0o644)
		for f := range work {
			f()
		}
		entered <- os.WriteFile(filepath.Join(filepath.Dir(g.dir), "tasks"), self, 0o644)
	})
	err := <-entered
	g.thread = work
	if err != nil {
		close(work)
		<-entered
		g.thread = nil
	}
	g.left = entered
	return err
}

// offFirst runs f on a thread of its own, which ends with it and is not the first
// of the process: where that one is, the memory of the whole process counts, and
// what runs out of memory there would be scrub.
func offFirst(f func()) {
	runtime.LockOSThread()
	if unix.Gettid() != os.Getpid() {
		f()
		return
	}
	locked := make(chan struct{})
	go func() {
		runtime.LockOSThread() // not the first: that is held above
		close(locked)
		f()
	}()
	<-locked
	runtime.UnlockOSThread()
}

// Start starts a command in g; without one, where this process is.
func (g *Group) Start(cmd *exec.Cmd) error {
	switch {
	case g == nil:
		return cmd.Start()
	case g.thread != nil:
		done := make(chan error)
		g.thread <- func() { done <- cmd.Start() }
		return <-done
	}
	dir, err := os.Open(g.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(dir.Fd())
	return cmd.Start()
}

func (g *Group) file(name string) string { return filepath.Join(g.dir, name) }

// Limit sets how much the box may use.
func (g *Group) Limit(memory int64) error {
	most := []byte(fmt.Sprint(memory + slack))
	name, swap, swapped := "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", most
	if g.V2 {
		name, swap, swapped = "memory.max", "memory.swap.max", []byte("0")
	}
	// Not every kernel counts swap; of two limits that are bound to each other
	// the right one first depends on whether they rise.
	_ = os.WriteFile(g.file(swap), swapped, 0o644)
	err := os.WriteFile(g.file(name), most, 0o644)
	_ = os.WriteFile(g.file(swap), swapped, 0o644)
	return err
}

// Used is how much the box holds.
func (g *Group) Used() int64 {
	name := "memory.usage_in_bytes"
	if g.V2 {
		name = "memory.current"
	}
	text, _ := os.ReadFile(g.file(name)) // what cannot be read counts as nothing, which makes the limit stricter
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// Kills is how many processes of the box the kernel has ended for want of memory.
func (g *Group) Kills() int {
	if g == nil {
		return 0
	}
	return g.killed() - g.before
}

func (g *Group) killed() int {
	name := "memory.oom_control"
	if g.V2 {
		name = "memory.events"
	}
	text, _ := os.ReadFile(g.file(name)) // a box that is gone has none
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); ok {
			count, _ := strconv.Atoi(n) // the kernel's own number
			return count
		}
	}
	return 0
}

// Remove takes g away. Its processes are dead.
func (g *Group) Remove() {
	if g.thread != nil {
		close(g.thread)
		<-g.left
	}
	_ = os.Remove(g.dir) // the janitor of a later scrub tries again
}

// places are where cgroups with limits on memory can be made. Nothing
// more is asked of them: in a user namespace of its own the limit on processes
// is a real one.
func places() []string {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for _, m := range mounts() {
			controllers := strings.Split(parts[1], ",")
			v1 := m.kind == "cgroup" && slices.Contains(controllers, "memory") && slices.Contains(m.options, "memory")
			dir := filepath.Join(m.at, parts[2])
			switch {
			case v1:
				all = append(all, dir)
			case m.kind == "cgroup2" && parts[1] == "":
				all = append(all, delegated(m.at, dir)...)
			}
		}
	}
	return all
}

// delegated are the cgroups from dir up to the top below which there are limits
// on memory. One that has processes of its own has none below it, but those
// above it may.
func delegated(top, dir string) []string {
	var all []string
	for ; strings.HasPrefix(dir, top); dir = filepath.Dir(dir) {
		if limits(dir) {
			all = append(all, dir)
		}
	}
	return all
}

// limits reports whether cgroups below dir have limits on memory.
func limits(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
	return err == nil && slices.Contains(strings.Fields(string(text)), "memory")
}

type mounted struct {
	at, kind string
	options  []string
}

func mounts() []mounted {
	f, err := os.Open("/proc/self/mounts")
	if err != nil {
		return nil
	}
	defer f.Close()
	var all []mounted
	for s := bufio.NewScanner(f); s.Scan(); {
		if w := strings.Fields(s.Text()); len(w) > 3 && strings.HasPrefix(w[2], "cgroup") {
			all = append(all, mounted{at: w[1], kind: w[2], options: strings.Split(w[3], ",")})
		}
	}
	return all
}

// Sweep removes what a scrub that was killed left behind.
func Sweep() {
	for _, place := range places() {
		left, err := filepath.Glob(filepath.Join(place, "scrub-*-*"))
		if err != nil {
			continue
		}
		for _, dir := range left {
			pid := 0
			if _, err := fmt.Sscanf(filepath.Base(dir), "scrub-%d-", &pid); err == nil &&
				errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
				if err := os.Remove(dir); errors.Is(err, fs.ErrPermission) {
					return
				}
			}
		}
	}
}
