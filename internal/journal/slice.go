package journal

import (
	"context"
	"errors"
	"sync"
)

// ErrPaused means that the time for a piece of work is over. What was found out
// is on record; asked again, it goes on from there.
var ErrPaused = errors.New("paused: the time for this piece of work is over")

// A Slice is a piece of a long piece of work. It ends between two questions and
// not within one, so that no answer which was nearly there is lost, and not
// before one new answer is on record, so that the next slice is nearer to the end.
type Slice struct {
	over func() bool
	saw  func(key string, answered bool)
	stop context.CancelCauseFunc

	mu     sync.Mutex
	free   sync.Cond
	asking int // questions that are being answered
	made   int // answers that were not on record
}

type sliceKey struct{}

// Sliced is ctx for one slice of work. Once over says so, the next question that
// is not on record ends it: with ErrPaused as the cause. What is asked, and then
// answered, is told to saw, which may be nil.
func Sliced(ctx context.Context, over func() bool, saw func(key string, answered bool)) (context.Context, *Slice) {
	s := &Slice{over: over, saw: saw}
	if saw == nil {
		s.saw = func(string, bool) {}
	}
	s.free.L = &s.mu
	ctx, s.stop = context.WithCancelCause(ctx)
	return context.WithValue(ctx, sliceKey{}, s), s
}

// End lets go of what the slice holds.
func (s *Slice) End() { s.stop(context.Canceled) }

// Made is how many answers were new.
func (s *Slice) Made() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// begin is called before a question is asked that is not on record.
func begin(ctx context.Context, key string) (inside context.Context, done func(made bool), err error) {
	s, _ := ctx.Value(sliceKey{}).(*Slice)
	if s == nil {
		return ctx, func(bool) {}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made > 0 && s.over() {
		for s.asking > 0 {
			s.free.Wait()
		}
		s.stop(ErrPaused)
		return nil, nil, context.Cause(ctx)
	}
	s.asking++
	s.saw(key, false)
	done = func(made bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asking--
		if made {
			s.made++
			s.saw(key, true)
		}
		s.free.Broadcast()
	}
	// What is asked in order to answer it belongs to it, and must not wait for it.
	return context.WithValue(ctx, sliceKey{}, (*Slice)(nil)), done, nil
}
