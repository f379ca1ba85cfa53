package shown

import (
	"sync"
	"time"
)

// A Recent value is looked up at most once a second, whoever asks.
type Recent[T any] struct {
	mu sync.Mutex
	at time.Time
	is T
}

// Get is the value as it was within the last second.
func (r *Recent[T]) Get(now time.Time, look func() (T, error)) (T, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.at) < time.Second {
		return r.is, nil
	}
	is, err := look()
	if err == nil {
		r.is, r.at = is, now
	}
	return is, err
}

// Forget has the value looked up anew.
func (r *Recent[T]) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = time.Time{}
}
