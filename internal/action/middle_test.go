package action_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
)

// during has f happen when the n-th request comes in.
func (w *world) during(n int, f func()) {
	w.Break(func(k int, _ *http.Request) githubtest.Fault {
		if k == n {
			w.Break(nil)
			f()
		}
		return githubtest.Fault{}
	})
}

// Whenever somebody objects or says no, what has not begun by then is not done.
func TestObjectionsInTheMiddle(t *testing.T) {
	n := requests(t, true)
	for at := range n {
		w := newWorld(t, true)
		w.during(at, func() { w.Say(ref, "bob", "No! It is still broken.") })
		_ = w.apply(t) // that it says so is tested elsewhere
		i := w.Issue(ref)
		objected := slices.IndexFunc(i.Comments, func(c bug.Comment) bool { return strings.HasPrefix(c.Body, "No!") })
		all, err := ledger(w.store, w.URL).Entries(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			isClosed := e.Action.Kind == action.Close && i.State == bug.Closed
			if isClosed && e.Status() != "done" || e.Action.Kind == action.Close && e.Status() == "done" &&
				i.State != bug.Closed {
				t.Errorf("objected at %d (comment %d): the ledger says %s of a close, and the issue is %s", at,
					objected, e.Status(), i.State)
			}
		}
		if i.State == bug.Open && i.Subscription != forge.Ignored {
			t.Errorf("objected at %d: subscription %s", at, i.Subscription)
		}
		if !slices.Contains(i.Labels, "triaged") {
			t.Errorf("objected at %d: the label is lost: %q", at, i.Labels)
		}
		w.end()
	}
}

// A no that comes while others are carried out still counts.
func TestANoInTheMiddle(t *testing.T) {
	w := newWorld(t, true)
	defer w.end()
	closing := action.Action{Kind: action.Close, On: ref, Text: "completed", Why: "seen"}
	w.during(6, func() {
		if _, err := ledger(w.store, w.URL).Decide(context.Background(), closing.ID(),
			action.Vote{By: "bob"}); err != nil {
			t.Error(err)
		}
	})
	if err := w.apply(t); err == nil {
		t.Error("nothing was said of the no")
	}
	all, err := ledger(w.store, w.URL).Entries(t.Context())
	if i := slices.IndexFunc(all, func(e action.Entry) bool { return e.Action == closing }); err != nil ||
		all[i].Status() != "denied" || w.Issue(ref).State != bug.Open {
		t.Errorf("%s, %v; the issue is %s", all[i].Status(), err, w.Issue(ref).State)
	}
}

// An account that may comment and not close leaves no subscription behind.
func TestAClosingThatIsRefused(t *testing.T) {
	w := newWorld(t, true)
	defer w.end()
	w.Break(func(_ int, r *http.Request) githubtest.Fault {
		if r.Method == http.MethodPatch {
			return githubtest.Fault{Status: 403}
		}
		return githubtest.Fault{}
	})
	if err := w.apply(t); err == nil {
		t.Error("the refusal was not told")
	}
	if i := w.Issue(ref); i.State != bug.Open || i.Subscription != forge.Ignored {
		t.Errorf("%s, %s", i.State, i.Subscription)
	}
}

// A newer look takes the place of an older one.
func TestASecondLook(t *testing.T) {
	w := newWorld(t, true)
	defer w.end()
	l := ledger(w.store, w.URL)
	still := action.Action{Kind: action.Comment, On: ref, Text: "It still fails.", Why: "seen"}
	if err := l.Propose(t.Context(), w.read(t), []action.Action{still}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Decide(t.Context(), still.ID(), action.Vote{By: "ann", Yes: true}); err != nil {
		t.Fatal(err)
	}
	if err := w.apply(t); err != nil {
		t.Fatal(err)
	}
	i := w.Issue(ref)
	if i.State != bug.Open || len(i.Comments) != 2 || !strings.HasPrefix(i.Comments[1].Body, "It still fails.") {
		t.Errorf("%s, %+v", i.State, i.Comments)
	}
}
