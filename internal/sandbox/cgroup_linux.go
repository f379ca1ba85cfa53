package sandbox

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

// A cgroup holds all processes of one box, where this user may make one. It
// stands behind the watch on memory: it also counts what processes share and
// what the kernel holds for the box, and a process cannot outrun it.
type cgroup struct {
	dir    string
	v2     bool
	before int // how many processes the kernel had ended in it when the box was put there

	// To move a process into a cgroup takes longer than to build a box, so it is
	// born there. With the second version one can say where; with the first it
	// is where the thread is that makes it.
	thread chan func()
	left   <-chan error // the thread has
}

var cgroups atomic.Int64 // how many this process has made, to name the next

// spares are cgroups of boxes that have ended, for those to come.
var spares struct {
	sync.Mutex
	all []*cgroup
}

// takeCgroup is a cgroup that limits memory, or nil if there is no place for one.
func takeCgroup(memory int64) *cgroup {
	spares.Lock()
	var g *cgroup
	if n := len(spares.all); n > 0 {
		g, spares.all = spares.all[n-1], spares.all[:n-1]
	}
	spares.Unlock()
	if g != nil && g.limit(memory) == nil {
		g.before = g.killed()
		return g
	}
	return newCgroup(memory)
}

// giveBack keeps g, which is empty, for the next box.
func (g *cgroup) giveBack() {
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
		g.remove()
	}
	spares.all = nil
}

// slack is what a box may use besides its program: its first process, and
// what the kernel keeps for it.
const slack = 256 << 20

// newCgroup makes a cgroup that limits memory.
func newCgroup(memory int64) *cgroup {
	name := fmt.Sprintf("scrub-%d-%d", os.Getpid(), cgroups.Add(1))
	for _, place := range cgroupPlaces() {
		dir := filepath.Join(place, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		g := &cgroup{dir: dir}
		_, err := os.Stat(g.file("memory.max"))
		g.v2 = err == nil
		if g.limit(memory) == nil && (g.v2 || g.openThread() == nil) {
			return g
		}
		g.remove()
	}
	return nil
}

// openThread puts a thread of this process into g.
func (g *cgroup) openThread() error {
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

// start starts a command in g; without one, where this process is.
func (g *cgroup) start(cmd *exec.Cmd) error {
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

func (g *cgroup) file(name string) string { return filepath.Join(g.dir, name) }

// limit sets how much the box may use.
func (g *cgroup) limit(memory int64) error {
	most := []byte(fmt.Sprint(memory + slack))
	name, swap, swapped := "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", most
	if g.v2 {
		name, swap, swapped = "memory.max", "memory.swap.max", []byte("0")
	}
	// Not every kernel counts swap; of two limits that are bound to each other
	// the right one first depends on whether they rise.
	_ = os.WriteFile(g.file(swap), swapped, 0o644)
	err := os.WriteFile(g.file(name), most, 0o644)
	_ = os.WriteFile(g.file(swap), swapped, 0o644)
	return err
}

// used is how much the box holds.
func (g *cgroup) used() int64 {
	name := "memory.usage_in_bytes"
	if g.v2 {
		name = "memory.current"
	}
	text, _ := os.ReadFile(g.file(name)) // what cannot be read counts as nothing, which makes the limit stricter
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// kills is how many processes of the box the kernel has ended for want of memory.
func (g *cgroup) kills() int {
	if g == nil {
		return 0
	}
	return g.killed() - g.before
}

func (g *cgroup) killed() int {
	name := "memory.oom_control"
	if g.v2 {
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

// misses is what a watch must count beside g.
func (g *cgroup) misses() netSum {
	switch {
	case g == nil:
		return allNet
	case g.v2:
		return noNet
	}
	return inetOnly
}

// remove takes g away. Its processes are dead.
func (g *cgroup) remove() {
	if g.thread != nil {
		close(g.thread)
		<-g.left
	}
	_ = os.Remove(g.dir) // the janitor of a later scrub tries again
}

// cgroupPlaces are where cgroups with limits on memory can be made. Nothing
// more is asked of them: in a user namespace of its own the limit on processes
// is a real one.
func cgroupPlaces() []string {
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
		for _, m := range cgroupMounts() {
			controllers := strings.Split(parts[1], ",")
			v1 := m.kind == "cgroup" && slices.Contains(controllers, "memory") && slices.Contains(m.options, "memory")
			dir := filepath.Join(m.at, parts[2])
			if v1 || m.kind == "cgroup2" && parts[1] == "" && delegated(dir) {
				all = append(all, dir)
			}
		}
	}
	return all
}

// delegated reports whether cgroups below dir have limits on memory.
func delegated(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
	return err == nil && slices.Contains(strings.Fields(string(text)), "memory")
}

type cgroupMount struct {
	at, kind string
	options  []string
}

func cgroupMounts() []cgroupMount {
	f, err := os.Open("/proc/self/mounts")
	if err != nil {
		return nil
	}
	defer f.Close()
	var all []cgroupMount
	for s := bufio.NewScanner(f); s.Scan(); {
		if w := strings.Fields(s.Text()); len(w) > 3 && strings.HasPrefix(w[2], "cgroup") {
			all = append(all, cgroupMount{at: w[1], kind: w[2], options: strings.Split(w[3], ",")})
		}
	}
	return all
}

// sweepCgroups removes what a scrub that was killed left behind.
func sweepCgroups() {
	for _, place := range cgroupPlaces() {
		left, err := filepath.Glob(filepath.Join(place, "scrub-*-*"))
		if err != nil {
			continue
		}
		for _, dir := range left {
			pid := 0
			if _, err := fmt.Sscanf(filepath.Base(dir), "scrub-%d-", &pid); err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
				if err := os.Remove(dir); errors.Is(err, fs.ErrPermission) {
					return
				}
			}
		}
	}
}
