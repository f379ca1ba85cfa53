package sandbox

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// proverName is the first argument that makes scrub, started as a program
// in a box, try a wall from inside.
const proverName = "prove-a-wall"

// tried has scrub itself try to get out of a box, and returns what was open,
// by wall.
func tried(ctx context.Context, box Box) (map[string]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	o, err := box.Run(ctx, Job{
		Repro:   bug.Repro{Command: []string{self, proverName}},
		Runtime: bug.Runtime{Path: self, Folders: []string{self}}, Limits: Limits{Time: 20 * time.Second},
	})
	if err != nil {
		return nil, err
	}
	if o.Failed() && o.Signal != "SIGSYS" {
		return nil, errors.New("the walls could not be tried: it " + o.Words() + ": " + firstOf(o.Stderr))
	}
	open := map[string]string{}
	for line := range strings.Lines(o.Stdout) {
		wall, name, _ := strings.Cut(strings.TrimSpace(line), ": ")
		open[wall] = "from inside it was possible to " + name
	}
	return open, nil
}
