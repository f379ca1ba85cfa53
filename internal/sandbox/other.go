//go:build !linux

package sandbox

import (
	"context"
	"errors"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Names are the boxes there are on this system.
var Names = []string{"docker", "podman"}

// errNoNative says what to do where the kernel has no walls of the kind.
var errNoNative = errors.New("the native sandbox needs Linux: use --box docker or --box podman, or run scrub in a Linux " +
	"virtual machine such as Lima; --unsafe-no-sandbox runs programs with no protection at all")

// Native is a box that this system cannot build.
type Native struct{}

// Run implements Box.
func (Native) Run(context.Context, Job) (bug.Outcome, error) { return bug.Outcome{}, errNoNative }

// Walls says that there are none.
func (Native) Walls(context.Context) []Wall {
	return []Wall{{Name: "namespaces", Missing: errNoNative.Error()}}
}

// Warm is a box that this system cannot build.
type Warm struct {
	Native
	Tools  bug.Files
	Caches []string
	Own    []string
	Ready  string
}

// Refused says that nothing ran warm.
func (*Warm) Refused() []string { return []string{errNoNative.Error()} }

// Close has nothing to close.
func (*Warm) Close() {}

// Inhabitant is nobody else.
func Inhabitant() (uid int, ok bool) { return 0, false }

// Main has nothing to do: no process of scrub's is inside a box here.
func Main() {}

// Tidy has nothing to take away.
func Tidy() {}

func native(string) (Walled, bool) { return Native{}, true }

// filterFile is none: the engine's own filter holds.
func filterFile(string) (string, error) { return "", nil }
