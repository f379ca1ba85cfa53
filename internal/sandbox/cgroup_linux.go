package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
)

// A cgroup holds all processes of one box, where this user may make one. It
// stands behind the watch on memory: it also counts what the kernel holds for
// the box, and a process cannot outrun it. To enter and leave one costs half
// as much as all other walls together, so it is for boxes that live long.
type cgroup struct{ dirs []string }

var cgroups atomic.Int64 // how many this process has made, to name the next

// slack is what a box may use besides its program: its first process, and
// what the kernel keeps for it.
const slack = 256 << 20

// newCgroup makes a cgroup that limits memory, or nil if there is no place
// for one.
func newCgroup(memory int64) *cgroup {
	most := []byte(fmt.Sprint(memory + slack))
	name := fmt.Sprintf("scrub-%d-%d", os.Getpid(), cgroups.Add(1))
	g := new(cgroup)
	for _, place := range cgroupPlaces() {
		dir := filepath.Join(place, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		g.dirs = append(g.dirs, dir)
		for _, file := range []string{"memory.limit_in_bytes", "memory.max"} {
			if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
				_ = os.WriteFile(filepath.Join(dir, file), most, 0o644) // a limit that cannot be set is one wall less of two
			}
		}
	}
	if len(g.dirs) == 0 {
		return nil
	}
	return g
}

// add puts a process, and so all that it starts, into g.
func (g *cgroup) add(pid int) error {
	var errs []error
	for _, dir := range g.dirs {
		errs = append(errs, os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(fmt.Sprint(pid)), 0o644))
	}
	return errors.Join(errs...)
}

// remove takes g away. Its processes are dead.
func (g *cgroup) remove() {
	for _, dir := range g.dirs {
		_ = os.Remove(dir) // the janitor of a later scrub tries again
	}
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
