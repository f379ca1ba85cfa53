package web_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/report/reporttest"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A form about a program that somebody else has decided about in the meantime says nothing.
func TestStaleWordsAboutPrograms(t *testing.T) {
	w := newWorld(t)
	w.web.Forge = w.forge()
	c := reporttest.Whole(casefile.Reproduces)
	c.Report.Ref = bug.Ref{Repo: "octo/snail", Number: 9}
	c.Repro = bug.Program("print(9)\n")
	c.Asked, c.Consent, c.Triage, c.Findings = nil, casefile.Consent{}, nil, []vet.Finding{{Line: 1, Severity: vet.Error}}
	w.keep(c)
	ann, bob := w.as("ann", everywhere), w.as("bob", everywhere)
	_, text := ann.get("/case/" + c.ID())
	if !strings.Contains(text, "May this program run?") {
		t.Fatalf("nothing is asked: %s", text)
	}
	form := func(said, seen string) url.Values {
		return url.Values{"case": {c.ID()}, "program": {c.Repro.Digest()}, "said": {said}, "seen": {seen}}
	}
	if code, text := bob.post("/decide", form("skip", "")); code != http.StatusSeeOther {
		t.Fatal(code, text)
	}
	if code, _ := ann.post("/decide", form("proceed", "")); code != http.StatusConflict {
		t.Errorf("a yes to what was shown before the no: %d", code)
	}
	kept, err := w.desk.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if d, _, err := kept.Decision(t.Context(), c.Repro.Digest()); err != nil || d.Said != "skip" {
		t.Errorf("the last word is %v, %v", d, err)
	}
}

// forge is a folder with an issue.
func (w *world) forge(numbers ...int) string {
	w.t.Helper()
	dir := w.t.TempDir()
	for _, n := range numbers {
		name := filepath.Join(dir, "octo", "snail", fmt.Sprintf("%d.md", n))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("# It fails\n\nIndeed.\n"), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
	return dir
}

// ended waits for a job to end, and says how.
func ended(t *testing.T, news *bufio.Scanner) string {
	t.Helper()
	for news.Scan() {
		if strings.Contains(news.Text(), `"over":true`) {
			return news.Text()
		}
	}
	t.Fatal("the stream has ended before the job")
	return ""
}

// What is written is what was shown: not what somebody agreed to afterwards. An issue that cannot be written on
// keeps none of the others.
func TestWhatWasShownIsWritten(t *testing.T) {
	w := newWorld(t)
	w.web.Forge = w.forge(7, 8)
	_, seven := w.put("octo/snail", 7, casefile.Reproduces)
	_, eight := w.put("octo/snail", 8, casefile.Reproduces)
	_, gone := w.put("octo/snail", 3, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	agree := func(all ...action.Action) {
		for _, a := range all {
			if code, text := ann.post("/consent", url.Values{"ids": {a.ID()}, "said": {"yes"}}); code != http.StatusSeeOther {
				t.Fatal(code, text)
			}
		}
	}
	agree(gone[0], seven[0], eight[0])
	_, shown := ann.get("/apply")
	if !strings.Contains(shown, "Nothing can be written on these now") || strings.Contains(shown, gone[0].ID()) ||
		!strings.Contains(shown, eight[0].ID()) {
		t.Errorf("what would be written: %s", shown)
	}
	agree(seven[1])
	stream, err := ann.Do(ann.request(http.MethodGet, "/events", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	news := bufio.NewScanner(stream.Body)
	ids := url.Values{"ids": {gone[0].ID() + "," + seven[0].ID() + "," + eight[0].ID()}}
	if code, text := ann.post("/apply", ids); code != http.StatusSeeOther {
		t.Fatal(code, text)
	}
	if said := ended(t, news); !strings.Contains(said, "2 actions done, 1 issue left") {
		t.Errorf("it said %s", said)
	}
	for a, want := range map[*action.Action]action.Status{&seven[0]: action.Done, &eight[0]: action.Done,
		&gone[0]: action.Approved, &seven[1]: action.Approved} {
		if s := w.said(*a); s != want {
			t.Errorf("%s on %v is %s, want %s", a.Kind, a.On, s, want)
		}
	}
}

// A program's word is on record as what it was, and once.
func TestWordsOfPrograms(t *testing.T) {
	w := newWorld(t)
	_, actions := w.put("octo/snail", 7, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	token := w.as("nobody")
	token.Jar = nil
	for _, yes := range []bool{true, true, false} {
		body := fmt.Sprintf(`{"ids": [%q], "yes": %v}`, actions[0].ID(), yes)
		code, text := token.do(apiPost(token, "/api/v1/consent", body, func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+approveToken)
		}))
		if code != http.StatusOK {
			t.Fatal(code, text)
		}
	}
	l, err := w.desk.Ledger(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := l.Entry(t.Context(), actions[0].ID()); err != nil || len(e.Decisions) != 2 {
		t.Errorf("%v; decisions: %v", err, e.Decisions)
	}
	_, audit := ann.get("/audit")
	if strings.Count(audit, "said yes") != 1 || strings.Count(audit, "said no") != 1 {
		t.Errorf("the audit: %s", audit)
	}
}

// Searching for very many words, or for ever new times, costs no more than for a few.
func TestBoundsOfSearch(t *testing.T) {
	w := newWorld(t)
	w.put("octo/snail", 7, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	many := url.QueryEscape("report " + strings.Repeat("of ", 5000))
	if code, text := ann.get("/cases?q=" + many); code != http.StatusOK || !strings.Contains(text, "Report 7") {
		t.Errorf("very many words: %d", code)
	}
	nothing := url.QueryEscape("a b c d e f g h nothing-has-this")
	if _, text := ann.get("/cases?q=" + nothing); strings.Contains(text, "Report 7 of") {
		t.Error("words that are not there find something")
	}
}

// Who says that what was seen is not the reported failure has said it of exactly that, and it is on record.
func TestNotTheFailure(t *testing.T) {
	w := newWorld(t)
	c := reporttest.Whole(casefile.Reproduces)
	c.Report.Ref, c.Symptom, c.When = bug.Ref{Repo: "octo/snail", Number: 7}, bug.Symptom{}, nil
	w.keep(c)
	failure, ok := c.Failing()
	if !ok {
		t.Fatal("nobody is asked")
	}
	ann := w.as("ann", everywhere)
	_, text := ann.get("/case/" + c.ID())
	if !strings.Contains(text, "Is this the reported failure?") || !strings.Contains(text, failure) {
		t.Errorf("the page: %s", text)
	}
	no := url.Values{"case": {c.ID()}, "is": {"no"}, "expect": {"x"}}
	for _, shown := range []string{"", strings.Repeat("0", 64), failure} {
		no.Set("failure", shown)
		code, text := ann.post("/failure", no)
		if refused := code != http.StatusSeeOther; refused != (shown != failure) {
			t.Errorf("no to %q: %d %s", shown, code, text)
		}
	}
	all, err := w.desk.Decisions(t.Context())
	if err != nil || len(all) != 1 || all[0].Program != failure || all[0].Decision != casefile.NotThis ||
		all[0].By != "ann" {
		t.Errorf("on record: %+v, %v", all, err)
	}
}
