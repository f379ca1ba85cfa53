package action_test

import (
	"slices"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
)

// Whoever said yes or no can take it back until it is done, and nobody else can.
func TestWithdraw(t *testing.T) {
	w := newWorld(t, false)
	defer w.end()
	l := ledger(w.store, w.URL)
	comment := action.Action{Kind: action.Comment, On: ref, Text: "It is fixed.", Why: "seen"}
	status := func(e action.Entry, err error) action.Status {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e.Status()
	}
	if s := status(l.Decide(t.Context(), comment.ID(), action.Vote{By: "bob"})); s != action.Denied {
		t.Fatal(s)
	}
	if _, err := l.Withdraw(t.Context(), comment.ID(), "eve"); err == nil {
		t.Error("eve has taken back what bob said")
	}
	if s := status(l.Withdraw(t.Context(), comment.ID(), "bob")); s != action.Approved { // ann's yes stands
		t.Errorf("after bob has taken back his no: %s", s)
	}
	if err := w.apply(t); err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"ann", "bob"} {
		if _, err := l.Withdraw(t.Context(), comment.ID(), by); err == nil {
			t.Errorf("%s has taken back what is done", by)
		}
	}
}

// A comment that somebody put in other words waits for consent anew, is what is posted, and stays
// so for as long as the first one would be proposed.
func TestEdit(t *testing.T) {
	w := newWorld(t, false)
	defer w.end()
	l := ledger(w.store, w.URL)
	first := action.Action{Kind: action.Comment, On: ref, Text: "It is fixed.", Why: "seen"}
	for _, text := range []string{"", " \n", first.Text} {
		if _, err := l.Edit(t.Context(), first.ID(), text, "ann"); err == nil {
			t.Errorf("edited to %q", text)
		}
	}
	label := action.Action{Kind: action.AddLabel, On: ref, Text: "crash", Why: "seen"}
	if _, err := l.Edit(t.Context(), label.ID(), "other", "ann"); err == nil {
		t.Error("a label was edited")
	}
	e, err := l.Edit(t.Context(), first.ID(), "It is fixed, thank you.", "ann")
	if err != nil || e.Status() != action.Proposed {
		t.Fatal(e.Status(), err)
	}
	if _, err := l.Edit(t.Context(), first.ID(), "again", "bob"); err == nil {
		t.Error("what was edited away was edited")
	}
	live, err := l.Writer.Live(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		proposals []action.Action
		want      []action.Status
	}{
		{[]action.Action{first, label}, []action.Status{action.Void, action.Proposed}},
		{[]action.Action{label}, []action.Status{action.Void, action.Void}},
	} {
		if err := l.Propose(t.Context(), live.Report, c.proposals); err != nil {
			t.Fatal(err)
		}
		all, err := l.On(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		var got []action.Status
		for _, one := range all {
			if one.Action.Kind == action.Comment {
				got = append(got, one.Status())
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("after %v was proposed: %q, want %q", c.proposals, got, c.want)
		}
	}
}

// Who says no, then yes, and takes the yes back has still said no.
func TestWithdrawLeavesWhatWasSaidBefore(t *testing.T) {
	w := newWorld(t, false)
	defer w.end()
	l := ledger(w.store, w.URL)
	comment := action.Action{Kind: action.Comment, On: ref, Text: "It is fixed.", Why: "seen"}
	for _, yes := range []bool{false, true} {
		if _, err := l.Decide(t.Context(), comment.ID(), action.Vote{By: "bob", Yes: yes}); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := l.Withdraw(t.Context(), comment.ID(), "bob"); err != nil || e.Status() != action.Denied {
		t.Errorf("%v: %s", err, e.Status())
	}
}

// An edited comment that went void for a while does not take the first one along: that is proposed again.
func TestNoCommentIsLostByEditing(t *testing.T) {
	w := newWorld(t, false)
	defer w.end()
	l := ledger(w.store, w.URL)
	first := action.Action{Kind: action.Comment, On: ref, Text: "It is fixed.", Why: "seen"}
	if _, err := l.Edit(t.Context(), first.ID(), "Fixed.", "ann"); err != nil {
		t.Fatal(err)
	}
	live, err := l.Writer.Live(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	for _, proposals := range [][]action.Action{nil, {first}} {
		if err := l.Propose(t.Context(), live.Report, proposals); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := l.Entry(t.Context(), first.ID()); err != nil || e.Status() != action.Proposed {
		t.Errorf("%v: %s", err, e.Status())
	}
	if _, err := l.Edit(t.Context(), first.ID(), "x"+string(make([]byte, 70_000)), "ann"); err == nil {
		t.Error("a comment that no forge takes")
	}
}
