package action

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/store"
	"slices"
	"strings"
	"time"
)

// An event is one thing that happened to an action. Events are only ever
// added; what stands is derived from all of them. So two processes that write
// at once cannot undo each other's word.
type event struct {
	Kind     happening `json:"kind"`
	At       time.Time `json:"at"`
	Action   *Action   `json:"action,omitempty"`
	Saw      *Seen     `json:"saw,omitempty"`
	Consent  Mode      `json:"consent,omitempty"`
	Decision *Vote     `json:"decision,omitempty"`
	Why      string    `json:"why,omitempty"`
}

// A happening is a kind of event.
type happening string

const (
	proposed happening = "proposed" // anew: an earlier yes was for the thread as it was
	looked   happening = "looked"   // the same was proposed again before anybody decided
	tightens happening = "tightens" // the rules ask for more than when it was proposed
	decided  happening = "decided"
	withdrew happening = "withdrew" // somebody took back what they had said
	begun    happening = "begun"    // logged before anything is sent
	done     happening = "done"     // seen on the live issue
	voided   happening = "void"
	failed   happening = "failed"
	restored happening = "restored" // what was half done was taken back
	objected happening = "objected" // somebody said that it was wrong, or undid it
)

// entryOf is what stands after all events. A no stays, whatever comes after it, unless
// whoever said it takes it back.
func entryOf(events []store.Event) (Entry, error) {
	var e Entry
	for _, kept := range events {
		var ev event
		if err := json.Unmarshal(kept.Body, &ev); err != nil {
			return e, fmt.Errorf("read the ledger: %w", err)
		}
		switch ev.Kind {
		case "": // a whole entry, as an earlier scrub kept them
			if err := json.Unmarshal(kept.Body, &e); err != nil {
				return e, fmt.Errorf("read the ledger: %w", err)
			}
		case proposed:
			noes := slices.DeleteFunc(slices.Clone(e.Decisions), func(d Vote) bool { return d.Yes })
			e = Entry{Action: *ev.Action, Saw: *ev.Saw, Consent: ev.Consent, Decisions: noes, Proposed: ev.At, Wrong: e.Wrong,
				Edits: ev.Why}
		case looked:
			e.Saw, e.Consent = *ev.Saw, ev.Consent
		case tightens:
			e.Consent = ev.Consent
		case decided:
			e.Decisions = append(e.Decisions, *ev.Decision)
		case withdrew:
			e.Decisions = e.without(ev.Decision.By)
		case begun:
			e.Begun = ev.At
		case done:
			e.Done, e.Failed = ev.At, ""
		case voided:
			e.Void = ev.Why
		case failed:
			e.Failed = ev.Why
		case restored:
			e.Begun = time.Time{}
		case objected:
			e.Wrong = ev.Why
		}
	}
	return e, nil
}

// amend adds to what happened to the action called id, in one transaction with
// the look at what stands: f is told that and returns what to add, or nothing.
func (l *Ledger) amend(ctx context.Context, id, ref string, f func(now Entry, known bool) (*event, error)) error {
	return l.Store.Amend(ctx, id, ref, func(kept []store.Event) (*store.Event, error) {
		now, err := entryOf(kept)
		if err != nil {
			return nil, err
		}
		ev, err := f(now, len(kept) > 0)
		if err != nil || ev == nil {
			return nil, err
		}
		ev.At = l.Now()
		body, err := json.Marshal(ev)
		row := &store.Event{Kind: string(ev.Kind), Why: ev.Why, At: ev.At, Body: body}
		if ev.Decision != nil {
			row.Who, row.Why = ev.Decision.By, ev.Decision.Why
		}
		return row, err
	})
}

// add adds an event whatever stands. What was sent is on record even if
// somebody says stop.
func (l *Ledger) add(ctx context.Context, e Entry, ev event) error {
	return l.amend(context.WithoutCancel(ctx), e.Action.ID(), e.Action.On.String(),
		func(Entry, bool) (*event, error) { return &ev, nil })
}

// Entries are all there are, oldest first.
func (l *Ledger) Entries(ctx context.Context) ([]Entry, error) { return l.entries(ctx, "") }

// On are the entries about an issue, or about all if that is zero.
func (l *Ledger) On(ctx context.Context, on bug.Ref) ([]Entry, error) {
	return l.entries(ctx, on.String())
}

func (l *Ledger) entries(ctx context.Context, ref string) ([]Entry, error) {
	all, err := l.Store.Actions(ctx, ref)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(all))
	for i, events := range all {
		if entries[i], err = entryOf(events); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// shortest is how much of an ID names an action at least.
const shortest = 8

// named is the one action whose ID begins with id.
func (l *Ledger) named(ctx context.Context, id string) (Entry, error) {
	if kept, err := l.Store.Action(ctx, id); err != nil {
		return Entry{}, err
	} else if len(kept) > 0 {
		return entryOf(kept)
	}
	all, err := l.Entries(ctx)
	if err != nil {
		return Entry{}, err
	}
	var found []Entry
	for _, e := range all {
		if len(id) >= shortest && strings.HasPrefix(e.Action.ID(), id) {
			found = append(found, e)
		}
	}
	switch {
	case len(found) == 0:
		return Entry{}, fmt.Errorf("no action %s: scrub actions lists them", id)
	case len(found) > 1:
		return Entry{}, fmt.Errorf("%s matches more than one action: give the whole id, as in scrub actions --json", id)
	}
	return found[0], nil
}

// without are the decisions without the last one of somebody's: what they said before that stands.
func (e Entry) without(by string) []Vote {
	for i, d := range slices.Backward(e.Decisions) {
		if d.By == by {
			return slices.Delete(slices.Clone(e.Decisions), i, i+1)
		}
	}
	return e.Decisions
}

// Entry is the action called id.
func (l *Ledger) Entry(ctx context.Context, id string) (Entry, error) { return l.named(ctx, id) }

// Withdraw takes back what somebody has said about the action called id. What has begun cannot be stopped so.
func (l *Ledger) Withdraw(ctx context.Context, id, by string) (Entry, error) {
	e, err := l.named(ctx, id)
	if err != nil {
		return e, err
	}
	err = l.amend(ctx, e.Action.ID(), e.Action.On.String(), func(now Entry, _ bool) (*event, error) {
		said := slices.ContainsFunc(now.Decisions, func(d Vote) bool { return d.By == by })
		if !said || !now.Begun.IsZero() || now.Void != "" {
			return nil, fmt.Errorf("action %s: there is nothing that %s could take back", id, by)
		}
		e = now
		e.Decisions = now.without(by)
		return &event{Kind: withdrew, Decision: &Vote{By: by, At: l.Now()}}, nil
	})
	return e, err
}

// Edit puts a comment in other words in the place of the one called id, which nobody has begun to post. Consent
// was for the old words: the new ones wait for it.
func (l *Ledger) Edit(ctx context.Context, id, text, by string) (Entry, error) {
	e, err := l.named(ctx, id)
	if err != nil {
		return e, err
	}
	a := e.Action
	a.Text, a.Why = text, editedBy+by
	switch {
	case a.Kind != Comment:
		return e, errors.New("only a comment can be edited")
	case e.Status().Over() || !e.Begun.IsZero():
		return e, fmt.Errorf("action %s is already %s", id, e.Words())
	case len(text) > longestComment:
		return e, fmt.Errorf("a comment has at most %d bytes", longestComment)
	case strings.TrimSpace(text) == "" || text == e.Action.Text:
		return e, errors.New("an edited comment must say something, and something else")
	}
	// The new words come first: whoever is stopped in between leaves two comments to decide about, and none is lost.
	first := cmp.Or(e.Edits, e.Action.ID())
	edited := Entry{Action: a, Saw: e.Saw, Consent: Stricter(Ask, e.Consent), Proposed: l.Now(), Edits: first}
	err = l.amend(ctx, a.ID(), a.On.String(), func(now Entry, known bool) (*event, error) {
		if known && now.Void == "" {
			return nil, errors.New("these very words were proposed before, and decided about")
		}
		return &event{Kind: proposed, Action: &a, Saw: &e.Saw, Consent: edited.Consent, Why: first}, nil
	})
	if err != nil {
		return e, err
	}
	err = l.amend(ctx, e.Action.ID(), e.Action.On.String(), func(now Entry, _ bool) (*event, error) {
		if now.Status().Over() || !now.Begun.IsZero() {
			return nil, fmt.Errorf("action %s is already %s", id, now.Words())
		}
		return &event{Kind: voided, Why: editedBy + by}, nil
	})
	if err != nil {
		return e, errors.Join(err, l.add(ctx, edited, event{Kind: voided,
			Why: "what it puts in other words was decided about"}))
	}
	return edited, nil
}

// editedBy begins why an action is void that somebody has put in other words.
const editedBy = "edited by "

// longestComment is what GitHub takes.
const longestComment = 65_536

// Decide enters what a person decided about the action called id.
func (l *Ledger) Decide(ctx context.Context, id string, d Vote) (Entry, error) {
	if d.By == "" {
		return Entry{}, ErrAnonymous
	}
	e, err := l.named(ctx, id)
	if err != nil {
		return e, err
	}
	err = l.amend(ctx, e.Action.ID(), e.Action.On.String(), func(now Entry, _ bool) (*event, error) {
		if now.Status() == Done || now.Status() == Void {
			return nil, fmt.Errorf("action %s is already %s", id, now.Status())
		}
		e = now
		e.Decisions = append(slices.Clone(now.Decisions), d)
		return &event{Kind: decided, Decision: &d}, nil
	})
	return e, err
}

var errNotAgreed = errors.New("it is no longer approved")

// claim says, right before the write and in one transaction with the last look
// at what everybody has decided and at the rules, that e is being done now.
func (l *Ledger) claim(ctx context.Context, e *Entry) error {
	policy, err := l.rules(ctx, e.Action.On)
	if err != nil {
		return err
	}
	return l.amend(ctx, e.Action.ID(), e.Action.On.String(), func(now Entry, _ bool) (*event, error) {
		now.Consent = Stricter(now.Consent, policy[e.Action.Kind])
		e.Decisions, e.Consent = now.Decisions, now.Consent
		switch {
		case !now.Approved() || now.Void != "":
			return nil, errNotAgreed
		case !now.Begun.IsZero():
			return nil, nil
		}
		e.Begun = l.Now()
		return &event{Kind: begun}, nil
	})
}
