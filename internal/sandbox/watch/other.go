//go:build !linux

// Package watch counts from outside what the processes of a box hold.
package watch

import (
	"context"
	"errors"
	"time"
)

// A Watch sees nothing here: a container's engine keeps its limits.
type Watch struct {
	Root  int
	Whole bool
	Limit int64
}

// A Sight is what a watch has to say at its end.
type Sight struct {
	Over bool
	Err  error
}

// Start begins to see nothing.
func (Watch) Start(func()) func() Sight { return func() Sight { return Sight{} } }

// ErrLate means that a box has had its time.
var ErrLate = errors.New("its time is up")

// Within is ctx until the time is over, by the clock.
func Within(ctx context.Context, _ int, _ time.Time, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, ErrLate)
}
