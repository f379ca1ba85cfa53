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
		if live, err = l.due(ctx, e); err != nil {
			return err
		}
		if err := l.write(ctx, *e, live); err != nil {
			return err
		}
	}
	e.Done, e.Failed = l.Now(), ""
	return l.put(ctx, *e)
}

// due makes sure, after the pause before a write, that e may still be done:
// nobody has said no meanwhile, and nobody has said anything in the thread.
// It returns the issue as it was then.
func (l *Ledger) due(ctx context.Context, e *Entry) (live forge.Live, err error) {
	if err := errors.Join(l.room(ctx), l.Wait(ctx, pause)); err != nil {
		return live, err
	}
	kept, ok, err := l.entry(ctx, e.Action.ID())
	if err != nil {
		return live, err
	}
	if ok {
		e.Decisions = kept.Decisions
	}
	if !e.Approved() {
		return live, errors.New("it is not agreed to any more")
	}
	if live, err = l.Writer.Live(ctx, e.Action.On); err != nil {
		return live, err
	}
	// What is half done is finished, whatever is said in between.
	half := !e.Begun.IsZero() && e.Action.Kind == RenewLabel && !has(live.Labels, e.Action.Text)
	if why := movedOn(live, *e); why != "" && !half {
		e.Void = why
		return live, fmt.Errorf("not applied: %s; look again and propose afresh", why)
	}
	if e.Begun.IsZero() {
		e.Begun = l.Now()
		return live, l.put(ctx, *e)
	}
	return live, nil
}

// has reports whether a label is among others. GitHub does not tell upper
// from lower case in them.
func has(labels []string, label string) bool {
	return slices.ContainsFunc(labels, func(l string) bool { return strings.EqualFold(l, label) })
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
	label := has(live.Labels, e.Action.Text)
	switch e.Action.Kind {
	case Comment:
		return slices.ContainsFunc(live.Comments, func(c bug.Comment) bool { return c.Own && strings.Contains(c.Body, forge.Mark(e.Action.ID())) })
	case AddLabel:
		return label || has(live.Proposed, e.Action.Text)
	case RemoveLabel:
		return !label
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
	for i, step := range l.steps(e, live) {
		if i > 0 {
			if err := l.Wait(ctx, pause); err != nil {
				return err
			}
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
	labelled := func(l forge.Live) bool { return has(l.Labels, a.Text) }
	add := step{func(ctx context.Context) error { return w.AddLabel(ctx, a.On, a.Text, a.Why) }, seen}
	remove := step{func(ctx context.Context) error { return w.RemoveLabel(ctx, a.On, a.Text) }, func(l forge.Live) bool { return !labelled(l) }}
	switch a.Kind {
	case Comment:
		// There is one comment of scrub's on an issue, which is edited when there is news.
		if i := slices.IndexFunc(live.Comments, func(c bug.Comment) bool { return c.Own }); i >= 0 {
			return []step{{func(ctx context.Context) error { return w.EditComment(ctx, a.On, live.Comments[i].ID, a.Body()) }, seen}}
		}
		return []step{{func(ctx context.Context) error { return w.Comment(ctx, a.On, a.Body()) }, seen}}
	case AddLabel:
		return []step{add}
	case RemoveLabel:
		return []step{remove}
	case RenewLabel:
		// It was there before, so it needs no reason and is never only suggested.
		back := step{func(ctx context.Context) error { return w.AddLabel(ctx, a.On, a.Text, "") }, labelled}
		if labelled(live) {
			return []step{remove, back}
		}
		return []step{back}
	case Close:
		return []step{{func(ctx context.Context) error { return w.SetState(ctx, a.On, bug.Closed, a.Text) }, seen}}
	case Reopen:
		return []step{{func(ctx context.Context) error { return w.SetState(ctx, a.On, bug.Open, "reopened") }, seen}}
	}
	panic("a kind of action: " + string(a.Kind))
}
