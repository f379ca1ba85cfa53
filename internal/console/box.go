package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/sandbox"
)

// BoxFlags say which box to use.
type BoxFlags struct {
	Name, Image string
	GPU, Unsafe bool
}

// Add gives c these flags.
func (f *BoxFlags) Add(c *cobra.Command) {
	c.Flags().StringVar(&f.Name, "box", "native", "what keeps the program in: "+strings.Join(sandbox.Names, ", "))
	c.Flags().StringVar(&f.Image, "image", "python:3", "image for --box docker or podman")
	c.Flags().BoolVar(&f.GPU, "gpus", false, "let the program use the GPUs of this machine; what a driver lets through is no wall of the box")
	c.Flags().BoolVar(&f.Unsafe, "unsafe-no-sandbox", false, "run it without any walls, as yourself; only for programs you would run by hand")
}

// Sees is what a program may read, with the GPUs if it may use them.
func (f BoxFlags) Sees(folders []string) ([]string, error) {
	if !f.GPU || f.Unsafe || f.Own() {
		return folders, nil
	}
	gpus := sandbox.GPUs()
	if len(gpus) == 0 {
		return nil, errors.New("--gpus: this machine has none that scrub knows (no /dev/nvidia*, /dev/kfd or /dev/dri)")
	}
	return append(folders[:len(folders):len(folders)], gpus...), nil
}

// Box returns the box that was asked for.
func (a *Console) Box(f BoxFlags) (sandbox.Box, error) {
	if box, ok := a.boxes[f]; ok {
		return box, nil
	}
	if a.boxes == nil {
		a.boxes = map[BoxFlags]sandbox.Box{}
	}
	if f.Unsafe {
		fmt.Fprintln(a.Err, "scrub: running without a box: the program can do whatever you can")
		a.boxes[f] = sandbox.Bare{}
		return a.boxes[f], nil
	}
	box, err := sandbox.ByName(f.name(), sandbox.Options{Image: f.Image, GPU: f.GPU, Env: a.ChildEnv()})
	if err != nil {
		return nil, Usage("%w", err)
	}
	a.boxes[f] = &provenBox{Walled: box}
	return a.boxes[f], nil
}

func (f BoxFlags) name() string { return cmp.Or(f.Name, "native") }

// Own reports whether the box brings interpreters of its own, from an image.
func (f BoxFlags) Own() bool { return !f.Unsafe && (f.Name == "docker" || f.Name == "podman") }

// identity is what runs in the box are remembered by, and the image it has its
// interpreters from.
func (f BoxFlags) identity(ctx context.Context) (name, image string, err error) {
	switch {
	case f.Unsafe:
		return "none", "", nil
	case !f.Own():
		return f.name(), "", nil
	}
	image, err = sandbox.Container{Program: f.Name, Image: f.Image}.Digest(ctx)
	return f.Name, image, err
}

// A provenBox shows that its walls hold before the first program enters.
// Without them nothing runs, unless a person has said so.
type provenBox struct {
	sandbox.Walled
	once sync.Once
	err  error
}

func (b *provenBox) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	b.once.Do(func() {
		for _, w := range b.Walls(ctx) {
			if !w.Holds && b.err == nil {
				b.err = fmt.Errorf("the wall %q does not hold: %s; scrub doctor shows all of them, --box chooses another box", w.Name, w.Missing)
			}
		}
	})
	if b.err != nil {
		return bug.Outcome{}, b.err
	}
	return b.Walled.Run(ctx, job)
}
