// Package sandbox runs programs that nobody trusts.
package sandbox

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/witness"
)

// A Box runs one repro in one setting, cut off from everything else.
// Run returns an error only if the box itself broke; a program that
// crashes, hangs or fills the disk has an Outcome like any other.
type Box interface {
	Run(ctx context.Context, job Job) (bug.Outcome, error)
}

// A Job is one run.
type Job struct {
	Repro   bug.Repro
	Setting bug.Setting
	Runtime bug.Runtime
	Limits  Limits
	Preload []string // modules that a warm interpreter has imported before; nil to run cold
	// Write are folders of the host that it may change, besides its own. What is in the folders of the host that Lay names
	// lies in folders of its own when it begins. The native box alone knows these two and how to keep warm.
	Write []string
	Lay   map[string]string
	// Serve answers what the program sends to Door, which is all the network it has.
	Serve func(net.Listener)
	// Hear is told of the system calls by which the program, or one that it starts, reaches for what is not its own, before
	// they are made. It decides nothing. The native box alone has ears.
	Hear func(witness.Call)
}

// Door is the address inside the box at which a job's Serve answers.
const Door = "127.0.0.1:8750"

// Limits bound a run. A zero field means the box's default, never "no limit".
type Limits struct {
	Time      time.Duration `json:"time_ns"`
	CPU       time.Duration `json:"cpu_ns,omitzero"`  // of all its processes; a warm box alone counts it, zero for none
	Idle      time.Duration `json:"idle_ns,omitzero"` // that it may wait at a stretch; likewise
	Memory    int64         `json:"memory"`           // bytes, of all its processes together
	Processes int64         `json:"processes"`        // threads count
	Scratch   int64         `json:"scratch"`          // bytes it may write, to each of its folders
	Files     int64         `json:"files"`            // open at once
	// bytes kept of each stream, half from its beginning and half from its end
	Output int `json:"output"`
	// Interfaces is that the program may ask which network interfaces its box has, as libraries do
	// whose processes talk to each other; there is one, the loopback device.
	Interfaces bool `json:"interfaces,omitempty"`
}

// defaults fills the zero fields of l.
func (l Limits) defaults() Limits {
	return Limits{
		Time: orElse(l.Time, 120*time.Second),
		CPU:  l.CPU,
		Idle: l.Idle,

		Interfaces: l.Interfaces,
		Memory:     orElse(l.Memory, 4<<30),
		Processes:  orElse(l.Processes, 512),
		Scratch:    orElse(l.Scratch, 512<<20),
		Files:      orElse(l.Files, 1024),
		Output:     orElse(l.Output, 256<<10),
	}
}

func orElse[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Scratch is the folder inside the box that a program starts in.
const Scratch = "/box"

// A Wall is one thing that keeps a program in.
type Wall struct {
	Name    string `json:"name"`
	Holds   bool   `json:"holds"`
	Missing string `json:"missing,omitempty"` // why it does not, and what to do
}

// A Walled is a box that can say which of its walls hold.
type Walled interface {
	Box
	Walls(ctx context.Context) []Wall
}

// Options are what some boxes want to know.
type Options struct {
	Image string   // for containers
	GPU   bool     // for containers; the others see what a runtime lists
	Env   []string // for the programs that make boxes, in place of ours
}

// ByName returns the box called name.
func ByName(name string, o Options) (Walled, error) {
	switch name {
	case "native", "bwrap":
		if box, ok := native(name); ok {
			return box, nil
		}
	case "docker", "podman":
		return Container{Program: name, Image: o.Image, GPU: o.GPU, Env: o.Env}, nil
	}
	return nil, fmt.Errorf("unknown sandbox %q: use one of %s", name, strings.Join(Names, ", "))
}

// Tool runs programs of scrub's own in box, such as those that read a
// stranger's program. A box that keeps interpreters warm has imported preload.
func Tool(box Box, r bug.Runtime, preload ...string) bug.Runner {
	return func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		limits := Limits{Time: time.Minute, Output: 64 << 20}
		return box.Run(ctx, Job{Repro: repro, Runtime: r, Limits: limits, Preload: preload})
	}
}

// Within runs programs on an interpreter, within limits.
func Within(limits Limits, box Box, r bug.Runtime) bug.Runner {
	return func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		return box.Run(ctx, Job{Repro: repro, Runtime: r, Limits: limits})
	}
}
