// Package desk is the application: one method for each thing that can be
// asked. Requests come in and answers go out as plain data, which is the very
// JSON that --json prints; news goes to a listener. It knows no flags and no
// terminal, so the command line, a page, a queue and an evaluation are all
// faces of it.
package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/store"
)

// A Desk is wired once. Who has it closes it.
type Desk struct {
	Machine *machine.Machine
	State   string // what store.Open takes; opened when it is first needed
	User    string // who asks, and decides
	// Flags are those which commands need that are told to a person: where the state is.
	Flags []string
	// Passing is that the state is thrown away at the end.
	Passing bool
	Now     func() time.Time
	Tell    event.Listener // nil if nobody listens

	// MayRun asks a person whether a program may run; nil if nobody is there.
	MayRun func(ctx context.Context, s casefile.Subject) (casefile.Word, error)
	// MayInstall asks a person which packages may be installed; nil if nobody is there.
	MayInstall func(ctx context.Context, lacks []Lack) ([]string, error)

	mu    sync.Mutex
	store *store.Store
	saved int64
}

type (
	// A Box says what keeps programs in.
	Box = machine.Box
	// Versions say which versions of the project's package to run with.
	Versions = machine.Versions
	// A Lack is a module that a program needs, and the package that would bring it.
	Lack = machine.Lack
)

// Boxes are the names of those there are.
var Boxes = machine.Boxes

// JSON is an answer as every face shows it.
func JSON(answer any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // people read it, and no browser does
	enc.SetIndent("", "  ")
	err := enc.Encode(answer)
	return b.Bytes(), err
}

// Close gives back what was opened.
func (d *Desk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store == nil {
		return nil
	}
	if !d.Passing {
		d.saved += d.store.Saved()
	}
	err := d.store.Close()
	d.store = nil
	return err
}

// Saved is how many answers were put on record before it was closed, which need
// not be found out again.
func (d *Desk) Saved() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.saved
}

// Kept is the state, which is opened once.
func (d *Desk) Kept(ctx context.Context) (*store.Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store != nil {
		return d.store, nil
	}
	if d.State == "" {
		return nil, errors.New("no state file is set")
	}
	s, err := store.Open(ctx, d.State)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another place with --state FILE", err)
	}
	d.store = s
	return s, nil
}

// listener is the listener for what belongs to a case.
func (d *Desk) listener(id string) event.Listener {
	return func(e event.Event) {
		if d.Tell == nil {
			return
		}
		e.Case, e.At = id, d.Now()
		d.Tell(e)
	}
}

// Going says that something is being done.
func (d *Desk) Going(step, form string, args ...any) {
	d.listener("")(event.Event{Step: step, State: event.Going, Text: fmt.Sprintf(form, args...)})
}

// found says what came of something.
func (d *Desk) found(step, form string, args ...any) {
	d.listener("")(event.Event{Step: step, State: event.Found, Text: fmt.Sprintf(form, args...)})
}

// warn says what a person should know and nobody has asked for.
func (d *Desk) warn(form string, args ...any) {
	d.listener("")(event.Event{Step: "note", State: event.Warning, Text: fmt.Sprintf(form, args...)})
}
