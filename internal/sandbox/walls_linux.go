package sandbox

import (
	"context"
	"errors"
	"strings"
)

// walls are the names of what keeps a program in, in the order they are
// built. A stage that cannot build one says its name.
var walls = []struct{ name, missing string }{
	{"namespaces", "this kernel or container does not let you make user namespaces; on Ubuntu: sysctl " +
		"kernel.apparmor_restrict_unprivileged_userns=0, in a container: allow them"},
	{"own root", "mounts cannot be made inside a user namespace here; Linux 5.12 or newer and an unmasked /proc are " +
		"needed"},
	{"no network", "the box's own network cannot be set up"},
	{"limits", "limits cannot be set"},
	{"no privileges", "capabilities cannot be dropped"},
	{"call filter", "this kernel has no seccomp filters"},
}

// wallError is why a wall could not be built.
type wallError struct {
	wall string
	err  error
}

func (e wallError) Error() string {
	return "the wall \"" + e.wall + "\" cannot be built: " + e.err.Error()
}

func (e wallError) Unwrap() error { return e.err }

// Walls builds a box, has scrub try to get out of it, and says which walls
// hold.
func (n Native) Walls(ctx context.Context) []Wall {
	open, err := tried(ctx, n)
	all := make([]Wall, len(walls))
	broken := -1
	for i, w := range walls {
		if err != nil && strings.Contains(err.Error(), `"`+w.name+`"`) {
			broken = i
		}
		all[i] = Wall{Name: w.name, Holds: err == nil || broken < 0}
		if broken == i {
			cause := errors.Unwrap(err)
			if cause == nil { // the stage has said it itself
				cause = err
			}
			all[i].Missing = w.missing + " (" + cause.Error() + ")"
		} else if broken >= 0 {
			all[i].Missing = "not tried, since another wall is missing"
		}
		if why := open[w.name]; why != "" {
			all[i].Holds, all[i].Missing = false, why
		}
	}
	if err != nil && broken < 0 {
		all[0].Holds, all[0].Missing = false, err.Error()
	}
	return all
}

// Names are the boxes there are on this system.
var Names = []string{"native", "bwrap", "docker", "podman"}

// native is a box that this kernel alone makes.
func native(name string) (Walled, bool) {
	if name == "bwrap" {
		return Bwrap{}, true
	}
	return Native{}, true
}
