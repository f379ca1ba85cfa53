// Package applied is the part of the desk that carries out in public what was
// agreed to.
package applied

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// A Desk is the application, asked to do what was agreed to.
type Desk struct{ *desk.Desk }

// An ApplyRequest says what to carry out.
type ApplyRequest struct {
	On       string   `json:"on,omitempty"`      // an issue; empty for all
	Forge    string   `json:"forge,omitempty"`   // a folder or the address of a server
	Suggest  bool     `json:"suggest,omitempty"` // leave labels as GitHub's own suggestions
	Checkout string   `json:"checkout,omitempty"`
	DryRun   bool     `json:"dry_run,omitempty"`
	Only     []string `json:"only,omitempty"` // of what was agreed to only these, by their whole IDs; empty for all
	// Request is shown each request of a dry run.
	Request func(text string) `json:"-"`
}

// Apply carries out what was agreed to, exactly once. What it gives back is
// what it dealt with, also if something failed.
func (d Desk) Apply(ctx context.Context, r ApplyRequest) ([]desk.Action, error) {
	on, err := desk.RefOf(r.On)
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
	l, err := d.Ledger(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	entries, err := l.On(ctx, on)
	if err != nil {
		return nil, err
	}
	dealt := []desk.Action{}
	var failed error
	for _, ref := range action.Issues(entries, on) {
		done, err := d.applyOn(ctx, r, ref)
		for _, e := range done {
			dealt = append(dealt, desk.AnswerAction(e))
		}
		failed = errors.Join(failed, err)
	}
	return dealt, failed
}

// applyOn carries out what was agreed to on one issue.
func (d Desk) applyOn(ctx context.Context, r ApplyRequest, ref bug.Ref) ([]action.Entry, error) {
	prof, err := project.For("", ref.Repo)
	if err != nil {
		return nil, err
	}
	w, err := d.ForgeOf(ctx, r.Forge, r.Suggest, ref)
	if err != nil {
		return nil, err
	}
	l, err := d.Ledger(ctx, w, project.Policy("", ref.Repo, r.Checkout))
	if err != nil {
		return nil, err
	}
	l.Hourly, l.MostWrong, l.Only = prof.Hourly, prof.MostWrong, r.Only
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
func (d Desk) Subscription(ctx context.Context, r SubscriptionRequest) (Subscription, error) {
	ref, err := desk.RefOf(r.On)
	if err != nil {
		return Subscription{}, err
	}
	w, err := d.ForgeOf(ctx, r.Forge, false, ref)
	if err != nil {
		return Subscription{}, err
	}
	l, err := d.Ledger(ctx, w, nil)
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
