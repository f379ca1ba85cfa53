package action

import (
	"context"
	"errors"
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// The forge subscribes whoever writes, and does so a little later.
const (
	settled = 3  // looks in a row that show what was put back
	looks   = 30 // before it is given up
)

// saveSubscription keeps what the subscription is before the first write.
// What an earlier run that was cut off saved is the truth, not what is there
// now.
func (l *Ledger) saveSubscription(ctx context.Context, ref bug.Ref) {
	_, err := l.SaveSubscription(ctx, ref)
	for try := 1; err != nil && try < settled && l.Wait(ctx, pause) == nil; try++ {
		_, err = l.SaveSubscription(ctx, ref)
	}
	if err != nil {
		l.Warn(fmt.Sprintf("%v: the subscription could not be saved, so it will not be restored: %v", ref, err))
	}
}

// SaveSubscription keeps what the subscription is, unless it is kept already.
func (l *Ledger) SaveSubscription(ctx context.Context, ref bug.Ref) (forge.Subscription, error) {
	kept, ok, err := l.Store.Subscription(ctx, ref.String())
	if err != nil || ok {
		return forge.Subscription(kept), err
	}
	s, err := l.Writer.Subscription(ctx, ref)
	if err != nil {
		return s, err
	}
	return s, l.Store.PutSubscription(ctx, ref.String(), string(s))
}

// putBack puts the subscription back after the last write. Whoever closes an
// issue stays subscribed, to see what is answered. It fails only if it is
// told to stop.
func (l *Ledger) putBack(ctx context.Context, ref bug.Ref, closed bool) error {
	if closed {
		return l.Store.DropSubscription(ctx, ref.String())
	}
	if _, err := l.RestoreSubscription(ctx, ref); err != nil {
		l.Warn(fmt.Sprintf("%v: the subscription could not be restored, will retry next time: %v", ref, err))
	}
	return ctx.Err()
}

// RestoreSubscription puts back what was saved and forgets it when it is seen
// to stay so. It does nothing if nothing was saved.
func (l *Ledger) RestoreSubscription(ctx context.Context, ref bug.Ref) (forge.Subscription, error) {
	kept, ok, err := l.Store.Subscription(ctx, ref.String())
	want := forge.Subscription(kept)
	if err != nil || !ok {
		return want, err
	}
	if want == forge.Unknown {
		return want, l.Store.DropSubscription(ctx, ref.String())
	}
	for good, look := 0, 0; look < looks; look++ {
		now, err := l.Writer.Subscription(ctx, ref)
		if err != nil {
			return want, err
		}
		if now == want {
			if good++; good == settled {
				return want, l.Store.DropSubscription(ctx, ref.String())
			}
		} else {
			good = 0
			if err := l.Wait(ctx, pause); err != nil {
				return want, err
			}
			if err := l.Writer.SetSubscription(ctx, ref, want); err != nil && !errors.Is(err, forge.ErrLimited) {
				return want, err
			}
		}
		if err := l.Wait(ctx, pause); err != nil {
			return want, err
		}
	}
	return want, errors.New("the subscription could not be restored")
}
