// Package machine is what there is to run programs with here: boxes,
// interpreters, environments for versions of packages, and clones.
package machine

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Machine is this one, as it was told of.
type Machine struct {
	Home   string
	Cache  string   // the folder for what can be made again
	Venv   string   // the virtual environment that is active, if one is
	Conda  string   // and that of conda
	Pyenv  string   // the version that pyenv was told to use
	Index  string   // the address of the package index; empty for what pip would use
	GitHub string   // the address of GitHub's API; empty for the host
	Env    []string // the environment of programs that run outside a box; no secret is in it
	Token  func(ctx context.Context, host string) string
	Now    func() time.Time
	Tell   event.Listener    // nil if nobody listens
	MayRun func() error      // asked before each run in a box; nil if there is no limit
	Ran    func(bug.Outcome) // told of each run in a box; nil if nobody counts

	mu     sync.Mutex
	boxes  map[Box]sandbox.Box
	tools  map[Box]tools
	limits map[string]forge.Limit // as forges have said them last
}

// tell says what came of a step.
func (m *Machine) tell(step string, state event.State, form string, args ...any) {
	if m.Tell != nil {
		m.Tell(event.Event{Step: step, State: state, Text: fmt.Sprintf(form, args...), At: m.Now()})
	}
}

// Jobs is how many runs are made at once: as many as asked for, or one for each
// processor.
func Jobs(asked int) int {
	if asked > 0 {
		return asked
	}
	return runtime.NumCPU()
}
