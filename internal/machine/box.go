package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Box says what keeps programs in.
type Box struct {
	Name   string `json:"name,omitempty"`   // native, if it is empty
	Image  string `json:"image,omitempty"`  // of a container
	GPU    bool   `json:"gpus,omitempty"`   // the program may use those of this machine
	Unsafe bool   `json:"unsafe,omitempty"` // no walls at all
}

// A WarmBox keeps interpreters warm for a program and what is made of it; its
// runs are asked about and counted as all others are.
type WarmBox struct {
	*sandbox.Warm
	as *laidBox
}

// Run implements sandbox.Box.
func (w WarmBox) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	job.Lay = w.as.lay(ctx, job.Runtime, w.Ready)
	return w.as.run(ctx, job, w.Warm.Run)
}

// Warm is a warm box for a program, to be closed.
func (m *Machine) Warm(prof profile.Profile, r bug.Repro) (WarmBox, error) {
	box, err := m.BoxFor(Box{}, prof)
	if err != nil {
		return WarmBox{}, err
	}
	texts := slices.Sorted(maps.Values(r.Files))
	return WarmBox{as: box.(*laidBox), Warm: &sandbox.Warm{Caches: prof.Warm.Caches, Own: prof.Warm.Own,
		Ready: prof.Warm.Before(strings.Join(texts, "\n"))}}, nil
}

// Boxes are the names there are.
var Boxes = strings.Join(sandbox.Names, ", ")

func (b Box) name() string { return cmp.Or(b.Name, "native") }

// Own reports whether the box brings interpreters of its own, from an image.
func (b Box) Own() bool { return !b.Unsafe && (b.Name == "docker" || b.Name == "podman") }

// Warms reports whether the box can keep interpreters warm.
func (b Box) Warms() bool { return b.name() == "native" && !b.Unsafe }

// sees is what a program may read, with the GPUs if it may use them.
func (b Box) sees(folders []string) ([]string, error) {
	if !b.GPU || b.Unsafe || b.Own() {
		return folders, nil
	}
	gpus := gpuFiles()
	if len(gpus) == 0 {
		return nil, errors.New("--gpus: this machine has no GPU that scrub knows (no /dev/nvidia*, /dev/kfd or " +
			"/dev/dri)")
	}
	return append(folders[:len(folders):len(folders)], gpus...), nil
}

// identity is what runs in the box are remembered by, and the image it has its
// interpreters from.
func (b Box) identity(ctx context.Context) (name, image string, err error) {
	switch {
	case b.Unsafe:
		return "none", "", nil
	case !b.Own():
		return b.name(), "", nil
	}
	image, err = sandbox.Container{Program: b.Name, Image: b.image()}.Digest(ctx)
	return b.Name, image, err
}

func (b Box) image() string { return cmp.Or(b.Image, "python:3") }

// Box is the box that was asked for, always the same one.
func (m *Machine) Box(b Box) (sandbox.Box, error) {
	m.mu.Lock()
	box, ok := m.boxes[b]
	m.mu.Unlock()
	if ok {
		return box, nil
	}
	if b.Unsafe {
		m.tell("box", event.Warning, "running without a sandbox: the program can do whatever you can")
		box = sandbox.Bare{}
	} else {
		walled, err := sandbox.ByName(b.name(), sandbox.Options{Image: b.image(), GPU: b.GPU, Env: m.Env})
		if err != nil {
			return nil, refusal.Bad("%w", err)
		}
		box = &provenBox{Walled: walled, on: m}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.boxes == nil {
		m.boxes = map[Box]sandbox.Box{}
	}
	m.boxes[b] = box
	return box, nil
}

// A provenBox shows that its walls hold before the first program enters.
// Without them nothing runs, unless a person has said so.
type provenBox struct {
	sandbox.Walled
	on   *Machine
	once sync.Once
	err  error
}

func (b *provenBox) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	return b.run(ctx, job, b.Walled.Run)
}

// run has do run a job, if it may.
func (b *provenBox) run(ctx context.Context, job sandbox.Job,
	do func(context.Context, sandbox.Job) (bug.Outcome, error),
) (bug.Outcome, error) {
	b.once.Do(func() {
		for _, w := range b.Walls(context.WithoutCancel(ctx)) { // who stops waiting has not found a hole
			if !w.Holds && b.err == nil {
				b.err = fmt.Errorf("the sandbox wall %q does not hold: %s; run scrub doctor for details, or use "+
					"another sandbox with --box", w.Name, w.Missing)
			}
		}
	})
	if b.err != nil {
		return bug.Outcome{}, b.err
	}
	// What only reads programs is scrub's own.
	if _, program := job.Repro.Files[bug.Script]; program && b.on.MayRun != nil {
		if err := b.on.MayRun(); err != nil {
			return bug.Outcome{}, err
		}
	}
	o, err := do(ctx, job)
	if err == nil && b.on.Ran != nil {
		b.on.Ran(o)
	}
	return o, err
}

// places is where interpreters are looked for, to run in a box.
func (m *Machine) places(ctx context.Context, b Box, named []string) (runtimes.Places, error) {
	p := runtimes.Places{Named: named, Venv: m.Venv, Conda: m.Conda, Pyenv: m.Pyenv, Home: m.Home, Env: m.Env}
	var err error
	if p.Box, err = m.Box(b); err != nil {
		return p, err
	}
	p.In, p.Image, err = b.identity(ctx)
	return p, err
}

// Pythons are the interpreters that were named, or the one there is, as they
// are in a box.
func (m *Machine) Pythons(ctx context.Context, b Box, packages []string, named ...string) ([]bug.Runtime, error) {
	named = slices.DeleteFunc(slices.Clone(named), func(n string) bool { return n == "" })
	places, err := m.places(ctx, b, named)
	if err != nil {
		return nil, err
	}
	found, err := places.Find(ctx, packages)
	if err != nil {
		return nil, err
	}
	for i := range found {
		if found[i].Folders, err = b.sees(found[i].Folders); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Parser is the interpreter that reads programs for r.
func (m *Machine) Parser(ctx context.Context, b Box, r bug.Runtime) (bug.Runtime, error) {
	places, err := m.places(ctx, b, nil)
	if err != nil {
		return r, err
	}
	return places.Parser(ctx, r)
}

// gpuFiles are the files of this machine's graphics processors, for a program
// that may use them: as folders of its runtime they are there in the box.
func gpuFiles() []string {
	var all []string
	for _, pattern := range []string{"/dev/nvidia[0-9]*", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
		"/dev/nvidia-caps/*", "/dev/kfd", "/dev/dri/render*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			panic(err) // the patterns are ours
		}
		all = append(all, found...)
	}
	return all
}
