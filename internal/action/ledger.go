package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/store"
)

// A Store keeps what happened to actions, by their IDs, and the subscriptions
// that have to be put back, by issue.
type Store interface {
	// Amend shows f all that is kept of an action, the oldest first, and adds
	// what it returns, if anything, before anybody else can add something.
	Amend(ctx context.Context, id, ref string, f func(kept []store.Event) (*store.Event, error)) error
	// Action are the events of one action, by its whole ID; none if there is no such action.
	Action(ctx context.Context, id string) ([]store.Event, error)
	// Actions are the events of all actions on an issue, or on any if that is
	// empty, the first proposed first.
	Actions(ctx context.Context, ref string) ([][]store.Event, error)
	Subscription(ctx context.Context, ref string) (state string, ok bool, err error)
	PutSubscription(ctx context.Context, ref, state string) error
	DropSubscription(ctx context.Context, ref string) error
}

// A Ledger is the only way from scrub to the public. One at a time applies.
type Ledger struct {
	Store  Store
	Writer forge.Writer
	Policy func() (Policy, error) // the rules as they are now; asked again before each write
	Hourly int                    // writes in an hour, on all issues together; 0 for the default
	// MostWrong is the share of issues on which people objected to what was done, above which only comments are
	// written; 0 for no limit.
	MostWrong float64
	// Only are the actions to carry out, by their whole IDs, of all that were agreed to; empty for all. What was
	// begun before is brought to its end all the same.
	Only  []string
	Stale bool // issues are shown as they were once: what was done since is not seen on them
	Now   func() time.Time
	Wait  func(ctx context.Context, d time.Duration) error // between writes
	Warn  func(string)                                     // what a person should know and that stops nothing
}

const (
	pause  = time.Second // GitHub wants at least this between writes
	hourly = 60
)

// Propose enters all that follows from an issue as it is in r. What was
// proposed before, has not begun and does not follow any more is void.
func (l *Ledger) Propose(ctx context.Context, r bug.Report, actions []Action) error {
	all, err := l.entries(ctx, r.Ref.String())
	if err != nil {
		return err
	}
	if SaidIn(r) == "wrong" {
		l.Warn("a comment objects with /scrub wrong: nothing is proposed")
		return nil
	}
	policy, err := l.Policy()
	if err != nil {
		return err
	}
	for _, e := range all {
		follows := func(a Action) bool { return a == e.Action || a.ID() == e.Edits }
		if e.Action.On != r.Ref || slices.ContainsFunc(actions, follows) {
			continue
		}
		err := l.amend(ctx, e.Action.ID(), e.Action.On.String(), func(now Entry, _ bool) (*event, error) {
			pending := now.Status() == Proposed || now.Status() == Approved || now.Status() == Forbidden
			if !pending || !now.Begun.IsZero() {
				return nil, nil
			}
			return &event{Kind: voided, Why: "superseded by a newer proposal"}, nil
		})
		if err != nil {
			return err
		}
	}
	for _, a := range actions {
		inOtherWords := func(e Entry) bool { return e.Edits == a.ID() && e.Void == "" }
		if slices.ContainsFunc(all, inOtherWords) {
			continue
		}
		if err := l.propose(ctx, a, r, policy[a.Kind]); err != nil {
			return err
		}
	}
	return nil
}

// propose enters a. One that is there stays, with what people said of it;
// one that was done and is not so any more begins anew.
func (l *Ledger) propose(ctx context.Context, a Action, r bug.Report, consent Mode) error {
	saw := SeenIn(r)
	return l.amend(ctx, a.ID(), a.On.String(), func(now Entry, known bool) (*event, error) {
		switch {
		case !known || now.Void != "" || !now.Done.IsZero() && !l.Stale && !l.stands(now, r):
			return &event{Kind: proposed, Action: &a, Saw: &saw, Consent: consent}, nil
		case !now.Done.IsZero() || !now.Begun.IsZero():
			return nil, nil
		case len(now.Decisions) > 0: // consent was for the thread as it was
			return &event{Kind: tightens, Consent: Stricter(now.Consent, consent)}, nil
		}
		return &event{Kind: looked, Saw: &saw, Consent: Stricter(now.Consent, consent)}, nil
	})
}

// stands reports whether what e did is still so. A label is renewed once a day.
func (l *Ledger) stands(e Entry, r bug.Report) bool {
	switch e.Action.Kind {
	case RenewLabel:
		return l.Now().Sub(e.Done) < 24*time.Hour
	case OpenPull: // what people did with it is their answer
		return true
	}
	return isSo(forge.Live{Report: r}, e)
}

var (
	// ErrAnonymous means that a decision does not say whose it is.
	ErrAnonymous = errors.New("a decision needs a name: use --by NAME")
	// ErrBudget means that enough was written for an hour.
	ErrBudget = errors.New("hourly write limit reached; the remaining actions wait")
)

// Apply carries out what is approved and not done, on one issue or, with a
// zero ref, on all of them, one write after the other. One issue that fails
// does not hold up the others. It returns the entries it dealt with.
func (l *Ledger) Apply(ctx context.Context, on bug.Ref) ([]Entry, error) {
	all, err := l.On(ctx, on)
	if err != nil {
		return nil, err
	}
	var dealt []Entry
	var errs []error
	for _, ref := range Issues(all, on) {
		mine := slices.DeleteFunc(slices.Clone(all), func(e Entry) bool {
			return e.Action.On != ref || e.Status() != Approved && !e.half() ||
				len(l.Only) > 0 && !e.half() && !slices.Contains(l.Only, e.Action.ID())
		})
		slices.SortStableFunc(mine, func(a, b Entry) int {
			return slices.Index(Kinds, a.Action.Kind) - slices.Index(Kinds, b.Action.Kind)
		})
		if ref.Number == 0 {
			err = l.pulls(ctx, mine)
		} else if len(mine) == 0 { // a crash may have left something
			err = l.putBack(ctx, ref, closedLast(all, ref))
		} else {
			err = l.issue(ctx, ref, mine)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%v: %w", ref, err))
		}
		dealt = append(dealt, mine...)
		if ctx.Err() != nil {
			break
		}
	}
	return dealt, errors.Join(errs...)
}

// closedLast reports whether the last thing done to an issue was to close it.
func closedLast(all []Entry, ref bug.Ref) bool {
	var last Entry
	for _, e := range all {
		if e.Action.On == ref && !e.Done.IsZero() && !e.Done.Before(last.Done) {
			last = e
		}
	}
	return last.Action.Kind == Close
}

// Issues are those that entries are about; with on, that one alone.
func Issues(all []Entry, on bug.Ref) []bug.Ref {
	var found []bug.Ref
	for _, e := range all {
		if (on == bug.Ref{} || e.Action.On == on) && !slices.Contains(found, e.Action.On) {
			found = append(found, e.Action.On)
		}
	}
	return found
}

// issue deals with the approved entries of one issue.
func (l *Ledger) issue(ctx context.Context, ref bug.Ref, mine []Entry) error {
	live, err := l.Writer.Live(ctx, ref)
	if err != nil {
		return errors.Join(err, l.failed(ctx, mine, err))
	}
	if live.Locked {
		l.Warn(fmt.Sprintf("%v is locked: only accounts with write access can change it", ref))
	}
	l.saveSubscription(ctx, ref)
	var errs []error
	closed := false
	for i := range mine {
		err := l.one(ctx, mine[i:])
		closed = closed || mine[i].Action.Kind == Close && !mine[i].Done.IsZero()
		if err == nil {
			continue
		}
		errs = append(errs, fmt.Errorf("%s %s: %w", mine[i].Action.Kind, mine[i].Action.Short(), err),
			l.failed(ctx, mine[i:i+1], err))
		if mine[i].Void == "" {
			break // the rest waits for this one
		}
	}
	if last := mine[len(mine)-1]; last.Action.Kind == Close && !last.Begun.IsZero() && !closed {
		// Perhaps it is closed all the same, and then the subscription must be left alone.
		now, err := l.Writer.Live(ctx, ref)
		if err != nil {
			return errors.Join(append(errs, err)...) // the next run looks again
		}
		closed = now.State == bug.Closed
	}
	return errors.Join(append(errs, l.putBack(ctx, ref, closed))...)
}

// failed puts on record why entries could not be done.
func (l *Ledger) failed(ctx context.Context, mine []Entry, why error) error {
	var errs []error
	for i := range mine {
		mine[i].Failed = why.Error()
		errs = append(errs, l.add(ctx, mine[i], event{Kind: failed, Why: why.Error()}))
	}
	return errors.Join(errs...)
}

// movedOn says what happened to a thread since e was proposed.
func movedOn(live forge.Live, e Entry) string {
	now := SeenIn(live.Report)
	switch {
	case now.Thread != e.Saw.Thread:
		return "the thread has changed since this was proposed"
	case now.State != e.Saw.State:
		return fmt.Sprintf("the issue is %s now", now.State)
	}
	return ""
}
