package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// one carries out the first of some entries of an issue, again where the forge wanted
// to be asked later: each time all that speaks against it is looked at anew.
func (l *Ledger) one(ctx context.Context, mine []Entry) error {
	e := &mine[0]
	if e.Status() != Approved {
		return l.restore(ctx, e)
	}
	for try := 1; ; try++ {
		err := l.once(ctx, mine)
		switch {
		case errors.Is(err, errNotAgreed) && e.half():
			return errors.Join(err, l.restore(ctx, e))
		case !errors.Is(err, forge.ErrLimited) || try == tries:
			return err
		}
	}
}

const tries = 4

// restore puts back a label that was taken away to be renewed, when somebody has
// said no in between: the issue is left as it was.
func (l *Ledger) restore(ctx context.Context, e *Entry) error {
	live, err := l.Writer.Live(ctx, e.Action.On)
	for try := 1; err == nil && !has(live.Labels, e.Action.Text) && try <= tries; try++ {
		failed := errors.Join(l.Wait(ctx, pause), l.Writer.AddLabels(ctx, e.Action.On, forge.Label{Name: e.Action.Text}))
		if live, err = l.Writer.Live(ctx, e.Action.On); err == nil && failed != nil &&
			!errors.Is(failed, forge.ErrLimited) && !has(live.Labels, e.Action.Text) {
			err = failed
		}
	}
	if err != nil {
		return fmt.Errorf("restore the label %q: %w", e.Action.Text, err)
	}
	e.Begun = time.Time{}
	return l.add(ctx, *e, event{Kind: restored})
}

// once carries out the first of some entries: logged before, looked at before, and
// believed only when it is seen on the live issue. What the same request can do of
// the others goes with it, and is believed when it is their turn.
func (l *Ledger) once(ctx context.Context, mine []Entry) error {
	e := &mine[0]
	live, err := l.Writer.Live(ctx, e.Action.On)
	if err != nil {
		return err
	}
	if !isSo(live, *e) {
		if live, err = l.due(ctx, e); err != nil {
			return err
		}
		if err := l.write(ctx, e, l.along(ctx, mine, live), live); err != nil {
			return err
		}
	}
	e.Done, e.Failed = l.Now(), ""
	return l.add(ctx, *e, event{Kind: done})
}

// due makes sure, after the pause before a write, that e may still be done:
// nobody has said anything in the thread meanwhile, nobody has said no, and
// the rules allow it. It returns the issue as it was then.
func (l *Ledger) due(ctx context.Context, e *Entry) (live forge.Live, err error) {
	if err := errors.Join(l.room(ctx), l.Wait(ctx, pause)); err != nil {
		return live, err
	}
	if live, err = l.Writer.Live(ctx, e.Action.On); err != nil {
		return live, err
	}
	// What is half done is finished, whatever is said in between: the label was
	// there before, and is put back.
	if e.half() && !has(live.Labels, e.Action.Text) {
		return live, nil
	}
	if why := movedOn(live, *e); why != "" {
		e.Void = why
		err := fmt.Errorf("not applied: %s; run scrub issue again for a new proposal", why)
		return live, errors.Join(err, l.add(ctx, *e, event{Kind: voided, Why: why}))
	}
	return live, l.claim(ctx, e)
}

// along are the labels that can be added in one request with that of the first entry: those
// of the next ones that may be done as well. Whatever speaks against one is said in its turn.
func (l *Ledger) along(ctx context.Context, mine []Entry, live forge.Live) []forge.Label {
	var labels []forge.Label
	for i := range mine {
		e := &mine[i]
		if e.Action.Kind != AddLabel {
			break
		}
		if i > 0 && (e.Status() != Approved || isSo(live, *e) || movedOn(live, *e) != "" || l.claim(ctx, e) != nil) {
			continue
		}
		labels = append(labels, forge.Label{Name: e.Action.Text, Why: e.Action.Why})
	}
	return labels
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

// isSo reports whether what e wants is so.
func isSo(live forge.Live, e Entry) bool {
	label := has(live.Labels, e.Action.Text)
	switch e.Action.Kind {
	case Comment:
		return slices.ContainsFunc(live.Comments, func(c bug.Comment) bool {
			return c.Own &&
				strings.Contains(c.Body, forge.Mark(e.Action.ID()))
		})
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
func (l *Ledger) write(ctx context.Context, e *Entry, labels []forge.Label, live forge.Live) error {
	for i, step := range l.steps(*e, labels, live) {
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
		if step.only {
			if now, err = l.oldest(ctx, e, now); err != nil {
				return errors.Join(failed, err)
			}
		}
		if step.is(now) {
			continue
		}
		if failed == nil {
			failed = errors.New("it was accepted but is not visible: this account may lack the permission, or " +
				"another scrub did it first")
		}
		return failed
	}
	return nil
}

// oldest leaves one comment of scrub's on an issue, the first. Another scrub, on
// another machine, may have written one at the same moment; then it sees this
// too, and takes away the same one.
func (l *Ledger) oldest(ctx context.Context, e *Entry, now forge.Live) (forge.Live, error) {
	var own []bug.Comment
	for _, c := range now.Comments {
		if c.Own {
			own = append(own, c)
		}
	}
	if len(own) < 2 {
		return now, nil
	}
	for _, c := range own[1:] {
		// It may be gone already, and what is left is looked at again.
		_ = l.Writer.DeleteComment(ctx, e.Action.On, c.ID)
	}
	return l.Writer.Live(ctx, e.Action.On)
}

// A step is one request and how to see that it worked.
type step struct {
	do   func(context.Context) error
	is   func(forge.Live) bool
	only bool // what it leaves must be the only one of its kind
}

func (l *Ledger) steps(e Entry, labels []forge.Label, live forge.Live) []step {
	a, w := e.Action, l.Writer
	seen := func(l forge.Live) bool { return isSo(l, e) }
	labelled := func(l forge.Live) bool { return has(l.Labels, a.Text) }
	add := step{do: func(ctx context.Context) error { return w.AddLabels(ctx, a.On, labels...) }, is: seen}
	remove := step{do: func(ctx context.Context) error { return w.RemoveLabel(ctx, a.On, a.Text) },
		is: func(l forge.Live) bool { return !labelled(l) }}
	switch a.Kind {
	case Comment:
		// There is one comment of scrub's on an issue, which is edited when there is news.
		if i := slices.IndexFunc(live.Comments, func(c bug.Comment) bool { return c.Own }); i >= 0 {
			return []step{{do: func(ctx context.Context) error {
				return w.EditComment(ctx, a.On, live.Comments[i].ID,
					a.Body())
			}, is: seen}}
		}
		return []step{{do: func(ctx context.Context) error { return w.Comment(ctx, a.On, a.Body()) }, is: seen,
			only: true}}
	case AddLabel:
		return []step{add}
	case RemoveLabel:
		return []step{remove}
	case RenewLabel:
		// It was there before, so it needs no reason and is never only suggested.
		back := step{do: func(ctx context.Context) error { return w.AddLabels(ctx, a.On, forge.Label{Name: a.Text}) },
			is: labelled}
		if labelled(live) {
			return []step{remove, back}
		}
		return []step{back}
	case Close:
		return []step{{do: func(ctx context.Context) error { return w.SetState(ctx, a.On, bug.Closed, a.Text) },
			is: seen}}
	case Reopen:
		return []step{{do: func(ctx context.Context) error { return w.SetState(ctx, a.On, bug.Open, "reopened") },
			is: seen}}
	}
	panic("a kind of action: " + string(a.Kind))
}
