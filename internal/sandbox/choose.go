package sandbox

import (
	"context"
	"fmt"
	"strings"
)

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
