package action

import (
	"context"
	"github.com/scrub-dev/scrub/internal/store"
	"slices"
)

// aside is a store whose changes are forgotten.
type aside struct {
	Store
	added map[string][]store.Event
	subs  map[string]*string
}

// Unwritten is s for a rehearsal: it is read, and never written.
func Unwritten(s Store) Store {
	return &aside{Store: s, added: map[string][]store.Event{}, subs: map[string]*string{}}
}

func (a *aside) Amend(ctx context.Context, id, ref string,
	f func(kept []store.Event) (*store.Event, error)) error {
	return a.Store.Amend(ctx, id, ref, func(kept []store.Event) (*store.Event, error) {
		more, err := f(slices.Concat(kept, a.added[id]))
		if err == nil && more != nil {
			a.added[id] = append(a.added[id], *more)
		}
		return nil, err
	})
}

func (a *aside) Subscription(ctx context.Context, ref string) (string, bool, error) {
	if s, ok := a.subs[ref]; ok {
		if s == nil {
			return "", false, nil
		}
		return *s, true, nil
	}
	return a.Store.Subscription(ctx, ref)
}

func (a *aside) PutSubscription(_ context.Context, ref, state string) error {
	a.subs[ref] = &state
	return nil
}

func (a *aside) DropSubscription(_ context.Context, ref string) error {
	a.subs[ref] = nil
	return nil
}
