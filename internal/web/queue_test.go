package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/dirforge"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/sweep"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// backlog is a sweep of some reports that wait for a worker.
func (w *world) backlog(n int) (id string) {
	w.t.Helper()
	d := swept.Desk{Desk: w.desk, Worker: "w1", Host: "here"}
	kept, err := w.desk.Kept(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	q, err := queue.Open(w.t.Context(), kept, queue.Options{ID: "w1"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(q.Close)
	if id, err = d.Begin(w.t.Context(), swept.Request{Depth: sweep.Triage}); err != nil {
		w.t.Fatal(err)
	}
	var found []swept.Found
	for i := range n {
		found = append(found, swept.Found{Source: fmt.Sprintf("octo/snail#%d", i+1), Report: bug.Report{
			Ref: bug.Ref{Repo: "octo/snail", Number: i + 1}, Title: "It is slow", Body: fmt.Sprint("very slow ", i)}})
	}
	if _, err := d.Add(w.t.Context(), q, id, found); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// Whoever runs the workers sees what waits for them, sets a report aside and stops a backlog; nobody else does.
func TestQueue(t *testing.T) {
	w := newWorld(t)
	id := w.backlog(3)
	ann := w.as("ann", everywhere)
	reader := w.as("rob", door.Grant{Repo: "*", Role: door.Reader})
	local := w.as("lee", door.Grant{Repo: "octo/snail", Role: door.Admin})
	stop := func() url.Values { return url.Values{"do": {"stop"}, "sweep": {id}} }
	for _, b := range []*browser{reader, local} {
		if code, _ := b.post("/queue", stop()); code != http.StatusForbidden {
			t.Errorf("somebody who does not run the workers stops a backlog: %d", code)
		}
	}
	if code, _ := local.get("/queue"); code != http.StatusForbidden {
		t.Errorf("the admin of one repository sees all that waits: %d", code)
	}
	if _, text := reader.get("/queue"); !strings.Contains(text, "octo/snail#2") || strings.Contains(text, "Set it aside") {
		t.Errorf("a reader sees %s", text)
	}
	_, text := ann.get("/queue")
	item := regexp.MustCompile(`(octo/snail#\d).*?name="sweep" value="[^"]*"><input type="hidden" name="n" value="(\d+)"`).FindStringSubmatch(text)
	if item == nil {
		t.Fatalf("nothing can be set aside: %s", text)
	}
	aside := url.Values{"do": {"aside"}, "sweep": {id}, "n": item[2:]}
	for _, want := range []int{http.StatusSeeOther, http.StatusConflict} { // the second time there is nothing to set aside
		if code, text := ann.post("/queue", aside); code != want {
			t.Errorf("set aside: %d, want %d: %s", code, want, text)
		}
	}
	if _, text := ann.get("/queue"); strings.Contains(text, item[1]) {
		t.Errorf("what was just set aside is shown as if it were not: %s", text)
	}
	if code, text := ann.post("/queue", stop()); code != http.StatusSeeOther {
		t.Errorf("stop: %d %s", code, text)
	}
	for _, odd := range []url.Values{{"do": {"burn"}}, {"do": {"now"}, "n": {"x"}}, {"do": {"now"}, "n": {"99999"}},
		{"do": {"aside"}, "sweep": {"none"}, "n": {"1"}}, {"do": {"stop"}, "sweep": {"none"}}} {
		if code, text := ann.post("/queue", odd); code != http.StatusConflict {
			t.Errorf("%v: %d %s", odd, code, text)
		}
	}
	p, err := swept.Desk{Desk: w.desk}.Progress(t.Context(), id)
	if err != nil || p.State == sweep.Going {
		t.Errorf("%v; the backlog is %s", err, p.State)
	}
	if _, audit := ann.get("/audit"); !strings.Contains(audit, "in the queue: stop") || strings.Contains(audit, "rob") {
		t.Errorf("the audit: %s", audit)
	}
}

// Before anything is written, the issue as it is now is shown with what would change.
func TestDifferenceToTheIssue(t *testing.T) {
	w := newWorld(t)
	w.web.Forge = w.forge(7)
	_, actions := w.put("octo/snail", 7, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	for _, a := range actions {
		if code, text := ann.post("/consent", url.Values{"ids": {a.ID()}, "said": {"yes"}}); code != http.StatusSeeOther {
			t.Fatal(code, text)
		}
	}
	_, text := ann.get("/apply")
	for _, want := range []string{"It fails", "<dt>state</dt><dd>open</dd>", "<ins>triaged</ins>",
		"no comment, and then <ins>It still fails."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown: %s", want, text)
		}
	}
}

// A comment of scrub's that is there already is edited: both are shown, whole.
func TestDifferenceToItsOwnComment(t *testing.T) {
	w := newWorld(t)
	w.web.Forge = w.forge(7)
	old := "It failed in June.\n\n" + forge.Mark("0123456789ab")
	file := filepath.Join(w.web.Forge, "octo", "snail", "7.md")
	text := "# It fails\n\nIndeed.\n\n<!-- comment: " + dirforge.Me + " 2024-06-01 -->\n" + old + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, actions := w.put("octo/snail", 7, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	for _, a := range actions {
		ann.post("/consent", url.Values{"ids": {a.ID()}, "said": {"yes"}})
	}
	_, page := ann.get("/apply")
	for _, want := range []string{"scrub&#39;s is edited", `<del class="whole">It failed in June.`,
		`<ins class="whole">It still fails.`} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not shown: %s", want, page)
		}
	}
}

// A whole batch that was agreed to can be taken back, and is shown as it was.
func TestBatchIsTakenBack(t *testing.T) {
	w := newWorld(t)
	var ids []string
	var all []action.Action
	for n := range 3 {
		_, actions := w.put("octo/snail", n+1, casefile.Reproduces)
		for _, a := range actions {
			ids, all = append(ids, a.ID()), append(all, a)
		}
	}
	ann := w.as("ann", everywhere)
	for _, step := range []struct {
		path string
		want action.Status
	}{{"/consent", action.Approved}, {"/withdraw", action.Proposed}} {
		form := url.Values{"ids": {strings.Join(ids, ",")}, "said": {"yes"}}
		if code, text := ann.post(step.path, form); code != http.StatusSeeOther {
			t.Fatal(code, text)
		}
		for _, a := range all {
			if s := w.said(a); s != step.want {
				t.Errorf("after %s, %s on %v is %s", step.path, a.Kind, a.On, s)
			}
		}
	}
}

// What cannot be put on record is not done.
func TestUnrecordedIsNotDone(t *testing.T) {
	w := newWorld(t)
	_, actions := w.put("octo/snail", 7, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	kept, err := w.desk.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	place, err := kept.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := place.File.ExecContext(t.Context(), "DROP TABLE audit"); err != nil {
		t.Fatal(err)
	}
	yes := url.Values{"ids": {actions[0].ID()}, "said": {"yes"}}
	if code, _ := ann.post("/consent", yes); code != http.StatusInternalServerError {
		t.Errorf("a yes that nobody can look up later: %d", code)
	}
	if s := w.said(actions[0]); s != action.Proposed {
		t.Errorf("it is %s", s)
	}
}

// One person cannot have everything run at once.
func TestJobsOfOne(t *testing.T) {
	w := newWorld(t)
	w.web.Forge = w.forge(7)
	id, _ := w.put("octo/snail", 7, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	refused := 0
	for range 40 {
		if code, _ := ann.post("/run", url.Values{"case": {id}, "do": {"again"}}); code == http.StatusConflict {
			refused++
		}
	}
	if refused == 0 {
		t.Error("forty jobs of one person were taken")
	}
}
