package desk

import (
	"context"
	"errors"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/refusal"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/forge"
)

// An Action is something to do in public, and what became of it.
type Action struct {
	Schema string        `json:"schema"`
	ID     string        `json:"id"` // stands for exactly this, on this issue
	Status action.Status `json:"status"`
	action.Entry
}

// Waits reports whether a person must say yes or no.
func (a Action) Waits() bool { return a.Status == action.Proposed }

// AnswerAction is an action as it is answered.
func AnswerAction(e action.Entry) Action { return Action{"action/1", e.Action.ID(), e.Status(), e} }

// Ledger is the one that holds the pen; rules are asked before each write.
func (d *Desk) Ledger(ctx context.Context, w forge.Writer,
	rules func() (action.Policy, error)) (*action.Ledger, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	warn := func(text string) { d.warn("%s", text) }
	return &action.Ledger{Store: kept, Writer: w, Policy: rules, Now: d.Now, Wait: machine.Wait, Warn: warn}, nil
}

// propose enters what follows from a case.
func (d *Desk) propose(ctx context.Context, c casefile.Case, rules func() (action.Policy, error), as bug.Report,
	stale bool) error {
	if as.Ref.Repo == "" {
		return nil
	}
	l, err := d.Ledger(ctx, nil, rules)
	if err != nil {
		return err
	}
	if l.Stale = stale; !stale {
		err = l.Review(ctx, as)
	}
	return errors.Join(err, l.Propose(ctx, as, c.Proposals))
}

// standing says what has become of the proposals of a case.
func (d *Desk) standing(ctx context.Context, c *casefile.Case) error {
	if len(c.Proposals) == 0 || c.Report.Ref.Repo == "" {
		return nil
	}
	l, err := d.Ledger(ctx, nil, nil)
	if err != nil {
		return err
	}
	all, err := l.On(ctx, c.Report.Ref)
	c.Standing = map[string]string{}
	for _, e := range all {
		c.Standing[e.Action.Short()] = e.Words()
	}
	return err
}

// An ActionsRequest says which actions to list.
type ActionsRequest struct {
	On  string `json:"on,omitempty"`  // an issue; empty for all
	All bool   `json:"all,omitempty"` // those that are over, too
}

// Actions lists what scrub wants to do in public, and what became of it.
func (d *Desk) Actions(ctx context.Context, r ActionsRequest) ([]Action, error) {
	on, err := RefOf(r.On)
	if err != nil {
		return nil, err
	}
	l, err := d.Ledger(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	entries, err := l.On(ctx, on)
	shown := []Action{}
	for _, e := range entries {
		if e.Status().Over() && !r.All {
			continue
		}
		shown = append(shown, AnswerAction(e))
	}
	return shown, err
}

// RefOf is the issue that a text names, or none.
func RefOf(text string) (bug.Ref, error) {
	if text == "" {
		return bug.Ref{}, nil
	}
	ref, err := bug.ParseRef(text)
	if err != nil {
		return ref, refusal.Bad("%w", err)
	}
	return ref, nil
}

// A ConsentRequest is a person's yes or no to actions.
type ConsentRequest struct {
	IDs []string `json:"ids"`
	Yes bool     `json:"yes"`
	By  string   `json:"by"`
	Why string   `json:"why,omitempty"`
}

// Consent puts on record what somebody says to actions. Nothing is sent.
func (d *Desk) Consent(ctx context.Context, r ConsentRequest) ([]Action, error) {
	l, err := d.Ledger(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	var all []Action
	for _, id := range r.IDs {
		e, err := l.Decide(ctx, id, action.Vote{Yes: r.Yes, By: r.By, Why: r.Why, At: d.Now()})
		if err != nil {
			return all, refusal.Bad("%w", err)
		}
		all = append(all, AnswerAction(e))
	}
	return all, nil
}
