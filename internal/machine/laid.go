package machine

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// keep is what keeps the caches that a program of a profile has filled.
//
//go:embed keep.py
var keep string

// fillTime bounds how long caches may be filled.
const fillTime = 5 * time.Minute

// A laidBox gives programs what a profile's own program has left in its caches on the same interpreter: what any first
// use would make, and nothing that another program has made. Each program has a copy of its own.
type laidBox struct {
	*provenBox
	warm profile.Warm
	once sync.Map // of *sync.Once, by the folder that keeps them
}

// BoxFor is the box that was asked for, for programs of a project: their caches are not empty where the first use of
// something is dear.
func (m *Machine) BoxFor(b Box, prof profile.Profile) (sandbox.Box, error) {
	box, err := m.Box(b)
	if proven, ok := box.(*provenBox); ok && b.Warms() {
		return &laidBox{provenBox: proven, warm: prof.Warm}, err
	}
	return box, err
}

// Run implements sandbox.Box.
func (b *laidBox) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	if program, ok := job.Repro.Files[bug.Script]; ok {
		job.Lay = b.lay(ctx, job.Runtime, b.warm.Before(program))
	}
	return b.provenBox.Run(ctx, job)
}

// lay is what lies in the caches of programs before which first would run. If that goes wrong, they run without.
func (b *laidBox) lay(ctx context.Context, r bug.Runtime, first string) map[string]string {
	if first == "" || b.on.Cache == "" {
		return nil
	}
	dir := filepath.Join(b.on.Cache, "laid", bug.Digest([]any{r, first, b.warm.Caches, b.warm.Own, processor()}))
	once, _ := b.once.LoadOrStore(dir, new(sync.Once))
	once.(*sync.Once).Do(func() {
		if _, err := os.Stat(dir); err == nil {
			return
		}
		b.on.tell("box", event.Going, "filling the caches of Python %s, once", r.Version)
		if err := b.fill(ctx, dir, first, r); err != nil && ctx.Err() == nil {
			b.on.tell("box", event.Warning, "programs run with empty caches, which takes longer: %v", err)
		}
	})
	laid := map[string]string{}
	for i, at := range b.warm.Caches {
		from := filepath.Join(dir, strconv.Itoa(i))
		if st, err := os.Stat(from); err == nil && st.IsDir() {
			laid[from] = at
		}
	}
	return laid
}

// fill has a profile's own program fill the caches, in the box, and keeps them in a folder.
func (b *laidBox) fill(ctx context.Context, dir, first string, r bug.Runtime) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	made, err := os.MkdirTemp(filepath.Dir(dir), "making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	if err := os.Chmod(made, 0o777); err != nil { // who is in the box is nobody here
		return err
	}
	what, err := json.Marshal([]any{made, b.warm.Caches, b.warm.Own})
	if err != nil {
		return err
	}
	o, err := b.provenBox.Run(ctx, sandbox.Job{Runtime: r, Write: []string{made}, Limits: sandbox.Limits{Time: fillTime},
		Repro: bug.Repro{Command: []string{"python", "keep.py"}, Files: bug.Files{"keep.py": keep, "first.py": first,
			"keep.json": string(what)}}})
	switch {
	case err != nil:
		return err
	case o.Failed():
		return errors.New("what fills them " + o.Words())
	}
	if err := os.Rename(made, dir); err != nil && !errors.Is(err, os.ErrExist) { // somebody else was first, with the same
		return err
	}
	return os.Chmod(dir, 0o755)
}

// processor is what compilers find out about it.
func processor() []string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	all := features.FindAllString(string(text), -1) // the same for each core
	slices.Sort(all)
	return slices.Compact(all)
}

var features = regexp.MustCompile(`(?m)^(model name|flags|Features|CPU part)\s*:.*`)
