package sandbox

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/mount"
	"github.com/scrub-dev/scrub/internal/sandbox/witness"

	"golang.org/x/sys/unix"
)

// A plan is all that the stage inside the box needs to know. It goes there
// through a pipe, never through the command line or the environment.
type plan struct {
	Argv   []string
	Env    []string
	Mounts []mount.Point
	Files  bug.Files // put under Scratch
	Limits Limits
	Server int // descriptor of a warm interpreter's pipe; 0 for a program that is run once
	Door   int // descriptor through which the listener at Door goes out; 0 for none

	Ear   int    // descriptor through which goes out by what calls are heard; 0 for none
	Heard []byte // which of them are, as the kernel reads it

	Enclosed bool // a cgroup counts all memory of the box

	Filter []byte // for the program, or for the server that runs programs; as the kernel reads it
}

// An ending is what the stage inside says of the program.
type ending struct {
	Error  string // the box could not be built; nothing ran
	Gone   bool   // because something of the host went away meanwhile
	Status int    // raw wait status
	CPU    time.Duration
	Memory int64
}

// scratchDirs are the folders of its own that a program may write to.
var scratchDirs = []string{Scratch, "/tmp", "/dev/shm"}

// system is what nearly every program on this machine links to or reads.
// Of /sys only what tells the number of processors is there.
var system = []string{
	"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives",
	"/sys/devices/system/cpu", "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
}

// made are files that programs expect and that say nothing about the host.
var made = map[string]string{
	"/etc/passwd":        "scrub:x:1000:1000::" + Scratch + ":/bin/sh\n",
	"/etc/group":         "scrub:x:1000:\n",
	"/etc/hosts":         "127.0.0.1 localhost scrub\n::1 localhost\n",
	"/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}

// masked are files of /proc that say something about the host, and whose
// absence no program minds.
var masked = []string{"/proc/keys", "/proc/key-users", "/proc/kcore", "/proc/timer_list", "/proc/sched_debug",
	"/proc/latency_stats", "/proc/interrupts"}

func newPlan(job Job) plan {
	p := plan{Argv: job.argv(), Env: job.env(), Files: job.Repro.Files, Limits: job.Limits.defaults()}
	p.Mounts = mounts(slices.Concat(system, job.Runtime.Folders, job.Write))
	for i, m := range p.Mounts {
		p.Mounts[i].Write = slices.Contains(job.Write, m.From)
	}
	for from, to := range job.Lay {
		p.Mounts = append(p.Mounts, mount.Point{From: from, To: to, Laid: true})
	}
	return p
}

// mounts lists what is there of paths, outer before inner. A path that is a
// symbolic link is mounted where it points to and linked inside.
func mounts(paths []string) []mount.Point {
	var all []mount.Point
	for _, path := range paths {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		all = append(all, mount.Point{From: path, To: path})
	}
	slices.SortFunc(all, func(a, b mount.Point) int { return cmp.Compare(a.To, b.To) })
	return slices.CompactFunc(all, func(a, b mount.Point) bool {
		return b.To == a.To || inside(b.To, a.To) &&
			a.To == "/usr"
	})
}

// driven reports whether the program may use devices that are not every box's.
func (p plan) driven() bool {
	return slices.ContainsFunc(p.Mounts, func(m mount.Point) bool {
		return strings.HasPrefix(m.To, "/dev/") &&
			!slices.Contains(system, m.To)
	})
}

// writes reports whether something that the program writes stays.
func (p plan) writes() bool {
	return slices.ContainsFunc(p.Mounts, func(m mount.Point) bool { return m.Write })
}

// most is how large a file may get. What is kept on the host's disk is not
// bound by what the box has in memory.
func (p plan) most() int64 {
	if p.writes() {
		return 64 << 30
	}
	return p.Limits.Scratch
}

// root is what the box's root is made of.
func (p plan) root() mount.Root {
	files := made
	if p.Ear != 0 { // who asks for a name that is not there is heard to ask for it
		files = maps.Clone(made)
		files["/etc/hosts"] += "::1 scrub\n::ffff:127.0.0.1 localhost\n0.0.0.0 scrub\n:: scrub\n"
		files["/etc/nsswitch.conf"] = strings.Replace(made["/etc/nsswitch.conf"], "hosts: files", "hosts: files dns", 1)
	}
	return mount.Root{Points: p.Mounts, Scratch: scratchDirs, Size: p.Limits.Scratch, Files: files, Enclosed: p.Enclosed}
}

// mask covers the files that are masked. Under a warm interpreter every program
// has a /proc of its own, which could not be made over one with covers.
func (p plan) mask() error {
	for _, file := range masked {
		if _, err := os.Stat(file); err != nil || p.Server != 0 {
			continue
		}
		if err := unix.Mount("/dev/null", file, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mask %s: %w", file, err)
		}
	}
	return nil
}

// ground is what belongs to the program.
func (p plan) ground() witness.Ground {
	g := witness.Ground{Read: slices.Concat(slices.Collect(maps.Keys(made)), []string{"/proc", "/sys", "/dev"}),
		Write: slices.Clone(scratchDirs)}
	for _, m := range p.Mounts {
		g.Read = append(g.Read, m.To)
		if m.Write || strings.HasPrefix(m.To, "/dev/") {
			g.Write = append(g.Write, m.To)
		}
	}
	return g
}
