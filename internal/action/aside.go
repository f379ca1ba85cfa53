package action

import (
	"context"
	"time"
)

// aside is a store whose changes are forgotten.
type aside struct {
	Store
	put  map[string][]byte
	subs map[string]*string
}

// Aside is s for a rehearsal: it is read, and never written.
func Aside(s Store) Store {
	return &aside{Store: s, put: map[string][]byte{}, subs: map[string]*string{}}
}

func (a *aside) PutAction(_ context.Context, id, _ string, _ time.Time, body []byte) error {
	a.put[id] = body
	return nil
}

func (a *aside) Action(ctx context.Context, id string) ([]byte, bool, error) {
	if b, ok := a.put[id]; ok {
		return b, true, nil
	}
	return a.Store.Action(ctx, id)
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
