package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"scrub/internal/bug"
	"scrub/internal/forge"
)

// one carries out one entry: logged before, looked at before, and believed
// only when it is seen on the live issue.
func (l *Ledger) one(ctx context.Context, e *Entry) error {
	live, err := l.Writer.Live(ctx, e.Action.On)
	if err != nil {
		return err
	}
	if !done(live, *e) {
		if err := l.room(ctx); err != nil {
			return err
		}
		if e.Begun.IsZero() {
			e.Begun = l.Now()
			if err := l.put(ctx, *e); err != nil {
				return err
			}
		}
		if err := l.write(ctx, *e, live); err != nil {
			return err
		}
	}
	e.Done, e.Failed = l.Now(), ""
	return l.put(ctx, *e)
}

// room makes sure that not too much is written.
func (l *Ledger) room(ctx context.Context) error {
	all, err := l.Entries(ctx)
	if err != nil {
		return err
	}
	most, n := l.Hourly, 0
	if most == 0 {
		most = hourly
	}
	for _, e := range all {
		if !e.Done.IsZero() && l.Now().Sub(e.Done).Hours() < 1 {
			n++
		}
	}
	if n >= most {
		return fmt.Errorf("%w (%d)", ErrBudget, n)
	}
	return nil
}

// done reports whether what e wants is so.
func done(live forge.Live, e Entry) bool {
	has := slices.Contains(live.Labels, e.Action.Text)
	switch e.Action.Kind {
	case Comment:
		return slices.ContainsFunc(live.Comments, func(c forge.Posted) bool { return strings.Contains(c.Body, forge.Mark(e.Action.ID())) })
	case AddLabel:
		return has || slices.Contains(live.Proposed, e.Action.Text)
	case RemoveLabel:
		return !has
	case RenewLabel:
		return false // it has to be taken away and put back; see write
	case Close:
		return live.State == bug.Closed
	case Reopen:
		return live.State == bug.Open
	}
	return false
}

// write does it, and looks. A call that failed may have worked.
func (l *Ledger) write(ctx context.Context, e Entry, live forge.Live) error {
	for _, step := range l.steps(e, live) {
		if err := l.Wait(ctx, pause); err != nil {
			return err
		}
		failed := step.do(ctx)
		now, err := l.Writer.Live(ctx, e.Action.On)
		if err != nil {
			return errors.Join(failed, err)
		}
		if step.is(now) {
			continue
		}
		if failed == nil {
			failed = errors.New("it was accepted and cannot be seen: perhaps this account may not do that here")
		}
		return failed
	}
	return nil
}

// A step is one request and how to see that it worked.
type step struct {
	do func(context.Context) error
	is func(forge.Live) bool
}

func (l *Ledger) steps(e Entry, live forge.Live) []step {
	a, w := e.Action, l.Writer
	seen := func(l forge.Live) bool { return done(l, e) }
	has := func(l forge.Live) bool { return slices.Contains(l.Labels, a.Text) }
	add := step{func(ctx context.Context) error { return w.AddLabel(ctx, a.On, a.Text, a.Why) }, func(l forge.Live) bool { return has(l) || slices.Contains(l.Proposed, a.Text) }}
	remove := step{func(ctx context.Context) error { return w.RemoveLabel(ctx, a.On, a.Text) }, func(l forge.Live) bool { return !has(l) }}
	switch a.Kind {
	case Comment:
		// There is one comment of scrub's on an issue, which is edited when there is news.
		if i := slices.IndexFunc(live.Comments, func(c forge.Posted) bool { return forge.Marked(c.Body) }); i >= 0 {
			return []step{{func(ctx context.Context) error { return w.EditComment(ctx, a.On, live.Comments[i].ID, a.Body()) }, seen}}
		}
		return []step{{func(ctx context.Context) error { return w.Comment(ctx, a.On, a.Body()) }, seen}}
	case AddLabel:
		return []step{add}
	case RemoveLabel:
		return []step{remove}
	case RenewLabel:
		if has(live) {
			return []step{remove, add}
		}
		return []step{add}
	case Close:
		return []step{{func(ctx context.Context) error { return w.SetState(ctx, a.On, bug.Closed, a.Text) }, seen}}
	case Reopen:
		return []step{{func(ctx context.Context) error { return w.SetState(ctx, a.On, bug.Open, "reopened") }, seen}}
	}
	panic("a kind of action: " + string(a.Kind))
}
