package desk

import (
	"context"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/refusal"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/project"
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

func answerAction(e action.Entry) Action { return Action{"action/1", e.Action.ID(), e.Status(), e} }

// ledger is the one that holds the pen; rules are asked before each write.
func (d *Desk) ledger(ctx context.Context, w forge.Writer,
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
	l, err := d.ledger(ctx, nil, rules)
	if err != nil {
		return err
	}
	if l.Stale = stale; !stale {
		err = l.Review(ctx, as)
	}
	return errors.Join(err, l.Propose(ctx, as, c.Proposals))
}

// Offer enters something that follows from no issue, such as a pull request.
func (d *Desk) Offer(ctx context.Context, a action.Action) (Action, error) {
	l, err := d.ledger(ctx, nil, project.Policy("", a.On.Repo, ""))
	if err != nil {
		return Action{}, err
	}
	if err := l.Propose(ctx, bug.Report{Ref: a.On}, []action.Action{a}); err != nil {
		return Action{}, err
	}
	all, err := d.Actions(ctx, ActionsRequest{All: true})
	at := slices.IndexFunc(all, func(one Action) bool { return one.ID == a.ID() })
	if err != nil || at < 0 {
		return Action{}, errors.Join(err, errors.New("the proposal is not on record"))
	}
	return all[at], nil
}

// An ActionsRequest says which actions to list.
type ActionsRequest struct {
	On  string `json:"on,omitempty"`  // an issue; empty for all
	All bool   `json:"all,omitempty"` // those that are over, too
}

// Actions lists what scrub wants to do in public, and what became of it.
func (d *Desk) Actions(ctx context.Context, r ActionsRequest) ([]Action, error) {
	on, err := refOf(r.On)
	if err != nil {
		return nil, err
	}
	l, err := d.ledger(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	entries, err := l.Entries(ctx)
	shown := []Action{}
	for _, e := range entries {
		if on != (bug.Ref{}) && e.Action.On != on || e.Status().Over() && !r.All {
			continue
		}
		shown = append(shown, answerAction(e))
	}
	return shown, err
}

// refOf is the issue that a text names, or none.
func refOf(text string) (bug.Ref, error) {
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
	l, err := d.ledger(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	var all []Action
	for _, id := range r.IDs {
		e, err := l.Decide(ctx, id, action.Vote{Yes: r.Yes, By: r.By, Why: r.Why, At: d.Now()})
		if err != nil {
			return all, refusal.Bad("%w", err)
		}
		all = append(all, answerAction(e))
	}
	return all, nil
}

// An ApplyRequest says what to carry out.
type ApplyRequest struct {
	On       string `json:"on,omitempty"`      // an issue; empty for all
	Forge    string `json:"forge,omitempty"`   // a folder or the address of a server
	Suggest  bool   `json:"suggest,omitempty"` // leave labels as GitHub's own suggestions
	Checkout string `json:"checkout,omitempty"`
	DryRun   bool   `json:"dry_run,omitempty"`
	// Request is shown each request of a dry run.
	Request func(text string) `json:"-"`
}

// Apply carries out what was agreed to, exactly once. What it gives back is
// what it dealt with, also if something failed.
func (d *Desk) Apply(ctx context.Context, r ApplyRequest) ([]Action, error) {
	on, err := refOf(r.On)
	if err != nil {
		return nil, err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	if !r.DryRun {
		release, err := kept.Lock(ctx, "apply")
		if err != nil {
			return nil, fmt.Errorf("another scrub apply is running: %w", err)
		}
		defer release()
	}
	l, err := d.ledger(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	entries, err := l.Entries(ctx)
	if err != nil {
		return nil, err
	}
	dealt := []Action{}
	var failed error
	for _, ref := range action.Issues(entries, on) {
		done, err := d.applyOn(ctx, r, ref)
		for _, e := range done {
			dealt = append(dealt, answerAction(e))
		}
		failed = errors.Join(failed, err)
	}
	return dealt, failed
}

// applyOn carries out what was agreed to on one issue.
func (d *Desk) applyOn(ctx context.Context, r ApplyRequest, ref bug.Ref) ([]action.Entry, error) {
	prof, err := project.For("", ref.Repo)
	if err != nil {
		return nil, err
	}
	w, err := d.forge(ctx, r.Forge, r.Suggest, ref)
	if err != nil {
		return nil, err
	}
	l, err := d.ledger(ctx, w, project.Policy("", ref.Repo, r.Checkout))
	if err != nil {
		return nil, err
	}
	l.Hourly, l.MostWrong = prof.Hourly, prof.MostWrong
	if r.DryRun {
		l.Writer, l.Store = &action.Rehearsal{Writer: w, Say: r.Request}, action.Unwritten(l.Store)
		l.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	return l.Apply(ctx, ref)
}

// A SubscriptionRequest says what to do about being told of an issue.
type SubscriptionRequest struct {
	Do    string `json:"do"` // show, save or restore
	On    string `json:"on"`
	Forge string `json:"forge,omitempty"`
}

// A Subscription is whether somebody is told of an issue.
type Subscription struct {
	Schema string             `json:"schema"`
	Ref    bug.Ref            `json:"ref"`
	State  forge.Subscription `json:"state"`
}

// Subscription shows, saves or puts back whether you are told of an issue.
func (d *Desk) Subscription(ctx context.Context, r SubscriptionRequest) (Subscription, error) {
	ref, err := refOf(r.On)
	if err != nil {
		return Subscription{}, err
	}
	w, err := d.forge(ctx, r.Forge, false, ref)
	if err != nil {
		return Subscription{}, err
	}
	l, err := d.ledger(ctx, w, nil)
	if err != nil {
		return Subscription{}, err
	}
	answer := Subscription{Schema: "subscription/1", Ref: ref}
	switch r.Do {
	case "show":
		answer.State, err = w.Subscription(ctx, ref)
	case "save":
		answer.State, err = l.SaveSubscription(ctx, ref)
	case "restore":
		answer.State, err = l.RestoreSubscription(ctx, ref)
	default:
		err = refusal.Bad("%q: must be show, save or restore", r.Do)
	}
	return answer, err
}
