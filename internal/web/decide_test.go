package web_test

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// Two people decide at once: a no wins, nothing is lost, and the other is told.
func TestTwoDecideAtOnce(t *testing.T) {
	w := newWorld(t)
	id, actions := w.put("octo/snail", 7, casefile.Reproduces)
	ann, bob := w.as("ann", everywhere), w.as("bob", everywhere)
	news, err := ann.Do(ann.request(http.MethodGet, "/events", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer news.Body.Close()
	heard := make(chan string, 10)
	go func() {
		for lines := bufio.NewScanner(news.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				heard <- data
			}
		}
	}()
	done := make(chan int, 2)
	for b, said := range map[*browser]string{ann: "yes", bob: "no"} {
		go func() {
			code, _ := b.post("/consent", url.Values{"ids": {actions[0].ID()}, "said": {said}})
			done <- code
		}()
	}
	for range 2 {
		if code := <-done; code != http.StatusSeeOther {
			t.Errorf("a decision: %d", code)
		}
	}
	if s := w.said(actions[0]); s != action.Denied {
		t.Errorf("after a yes and a no it is %s", s)
	}
	if data := <-heard; !strings.Contains(data, id) {
		t.Errorf("ann was told %s, not of %s", data, id)
	}
	l, err := w.desk.Ledger(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := l.Entry(t.Context(), actions[0].ID()); err != nil || len(e.Decisions) != 2 {
		t.Errorf("%v; decisions: %v", err, e.Decisions)
	}
	// What was decided is said once more to whoever sends the same again, and nothing is undone for others.
	if code, _ := ann.post("/withdraw", url.Values{"ids": {actions[0].ID()}}); code != http.StatusSeeOther {
		t.Errorf("ann takes back her yes: %d", code)
	}
	if s := w.said(actions[0]); s != action.Denied {
		t.Errorf("after ann took back her yes it is %s", s)
	}
}

// A yes that is sent again says nothing new, and does nothing to what is done.
func TestReplayedApprovals(t *testing.T) {
	w := newWorld(t)
	_, actions := w.put("octo/snail", 7, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	yes := url.Values{"ids": {actions[0].ID()}, "said": {"yes"}}
	for range 3 {
		if code, text := ann.post("/consent", yes); code != http.StatusSeeOther {
			t.Fatal(code, text)
		}
	}
	l, err := w.desk.Ledger(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := l.Entry(t.Context(), actions[0].ID()); err != nil || len(e.Decisions) != 1 {
		t.Errorf("%v; decisions: %v", err, e.Decisions)
	}
	if code, _ := ann.post("/withdraw", url.Values{"ids": {actions[0].ID()}}); code != http.StatusSeeOther {
		t.Error(code)
	}
	if code, _ := ann.post("/withdraw", url.Values{"ids": {actions[0].ID()}}); code != http.StatusConflict {
		t.Errorf("taken back twice: %d", code)
	}
	if s := w.said(actions[0]); s != action.Proposed {
		t.Errorf("after it was taken back: %s", s)
	}
}

// Approving approves bytes: what was put in other words in the meantime is not agreed to.
func TestChangedBytes(t *testing.T) {
	w := newWorld(t)
	_, actions := w.put("octo/snail", 7, casefile.Reproduces)
	ann, bob := w.as("ann", everywhere), w.as("bob", everywhere)
	if code, text := bob.post("/edit",
		url.Values{"id": {actions[0].ID()}, "text": {"It still fails, alas."}}); code != http.StatusSeeOther {
		t.Fatal(code, text)
	}
	if code, _ := ann.post("/consent",
		url.Values{"ids": {actions[0].ID()}, "said": {"yes"}}); code != http.StatusSeeOther {
		t.Error(code)
	}
	_, text := ann.get("/inbox")
	if !strings.Contains(text, "Left alone") {
		t.Error("ann is not told that the comment has changed")
	}
	edited := actions[0]
	edited.Text, edited.Why = "It still fails, alas.", "edited by bob"
	if a, b := w.said(actions[0]), w.said(edited); a != action.Void || b != action.Proposed {
		t.Errorf("the first is %s, the edited one %s", a, b)
	}
}

// Somebody keeps a list under a name, finds it again, and forgets it; nobody else sees it.
func TestSavedViews(t *testing.T) {
	w := newWorld(t)
	w.put("octo/snail", 7, casefile.Reproduces)
	ann, bob := w.as("ann", everywhere), w.as("bob", everywhere)
	keep := url.Values{"name": {"mine <b>"}, "query": {"verdict=reproduces&q=snail"}}
	if code, _ := ann.post("/views", keep); code != http.StatusSeeOther {
		t.Fatalf("keep: %d", code)
	}
	const link = `href="/cases?verdict=reproduces&amp;q=snail"`
	if _, text := ann.get("/cases"); !strings.Contains(text, link) || !strings.Contains(text, "mine &lt;b&gt;") {
		t.Error("ann does not find her list")
	}
	if _, text := bob.get("/cases"); strings.Contains(text, "mine") {
		t.Error("bob finds ann's list")
	}
	for name, refused := range map[string]bool{"": true, strings.Repeat("x", 61): true, "another": false} {
		code, _ := ann.post("/views", url.Values{"name": {name}, "query": {"q=x"}})
		if (code != http.StatusSeeOther) != refused {
			t.Errorf("a list called %q: %d", name, code)
		}
	}
	if code, _ := ann.post("/views", url.Values{"name": {"mine <b>"}}); code != http.StatusSeeOther {
		t.Errorf("forget: %d", code)
	}
	if _, text := ann.get("/cases"); strings.Contains(text, "mine &lt;b&gt;") || !strings.Contains(text, "another") {
		t.Error("ann's list is not forgotten, or another one is")
	}
}
