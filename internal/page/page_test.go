package page_test

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	g "maragu.dev/gomponents"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/report/reporttest"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/vet"
)

// further are poisons for pages: what gets out of attributes, and what is too much.
var further = []string{
	`"><script>alert(1)</script>`, `' onmouseover='alert(1)`, `" autofocus onfocus="alert(1)`, `javascript:alert(1)`,
	`</textarea></pre></style></title><svg onload=alert(1)>`, "\u202e\u2066gnp.exe",
	`&lt;script&gt;alert(1)&lt;/script&gt;`,
	"{{.}}${alert(1)}", strings.Repeat("A", 1<<20), strings.Repeat("<b>\n", 100_000),
}

// known are the elements of our pages.
var known = strings.Fields("html head meta title link script style body a header strong span nav form input button main div h1 h2 h3 p " +
	"section pre code i ul li br kbd details summary label textarea table thead tbody tr th td time figure svg text line path rect " +
	"figcaption article progress ins del dl dt dd")

// rendered is a page, and what in it is not ours. It is read as a browser reads it.
func rendered(t *testing.T, n g.Node, scripts int) (page, wrong string) {
	t.Helper()
	var b strings.Builder
	if err := n.Render(&b); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for n := range tree.Descendants() {
		// What somebody edits must be there to the letter.
		if n.Type == html.TextNode && n.Parent.Data != "textarea" && strings.ContainsAny(n.Data, "\u202e\u2066") {
			return b.String(), "text that runs the other way"
		}
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "script" {
			found++
		}
		if !slices.Contains(known, n.Data) {
			return b.String(), "<" + n.Data + ">"
		}
		for _, a := range n.Attr {
			address := slices.Contains([]string{"href", "src", "action", "formaction"}, a.Key)
			ours := strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") || strings.HasPrefix(a.Val, "?") ||
				a.Val == "" ||
				strings.HasPrefix(a.Val, "#") || strings.HasPrefix(a.Val, "https://github.com/octo/snail/")
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || address && !ours {
				return b.String(), a.Key + "=" + a.Val
			}
		}
	}
	if found != scripts {
		return b.String(), "a script"
	}
	return b.String(), ""
}

func poisoned(p string, verdict casefile.Verdict) page.CaseView {
	c := reporttest.Whole(verdict)
	reporttest.Poison(reflect.ValueOf(&c).Elem(), p)
	c.Package = "snail"
	doc := c.Document()
	doc.ID = "0123456789ab"
	a := action.Entry{Action: action.Action{Kind: action.Comment, On: c.Report.Ref, Text: p, Why: p}}
	return page.CaseView{Document: doc, MayRun: true, MayAgree: true, Actions: []desk.Action{desk.AnswerAction(a)},
		Moments: []browsed.Moment{{At: time.Unix(0, 0), Who: p, What: p}}}
}

// Whatever strangers write, on no page is anything of theirs a tag, an attribute or an address.
func TestStrangersWordsAreInert(t *testing.T) {
	n := 0
	for i, p := range append(further, reporttest.Poisons...) {
		view := poisoned(p, casefile.Reproduces)
		row := browsed.Row{ID: "0123456789ab", Ref: p, Title: p, Verdict: casefile.Verdict(p)}
		row.Brief = casefile.Brief{Repo: p, Reason: p, Component: p, Failure: p, Labels: []string{p}, Author: p,
			Waits: casefile.Question(p)}
		list := browsed.Listing{Rows: []browsed.Row{row}, Total: 1, Pages: 3, Page: 2,
			Facets: []browsed.Facet{{Name: "verdict",
				Values: []browsed.Count{{Value: p, N: 1}}}}}
		query := url.Values{"q": {p}, "verdict": {p}, "at": {p}}
		f := page.Frame{Title: p, Who: p, Role: p, Token: "t", Flash: p, Undo: p, Flags: p, Next: p}
		for name, node := range map[string]g.Node{
			"case": f.Case(view), "inbox": f.Inbox(list, query, &view),
			"cases": f.Cases(list, query, []store.View{{Name: p, Query: p}}, p),
			"batch": f.Batch(view.Actions, query.Encode()), "apply": f.Apply(view.Actions, p, []page.Blocked{{Ref: p, Why: p}},
				[]page.Change{{Ref: p, Title: p, State: p, Labels: []string{p}, Actions: view.Actions}}),
			"live": f.Live([]page.Job{{ID: "1", What: p, By: p, Words: p, Show: p, May: true}},
				[]store.Item{{Source: p, Title: p, Step: p, Doing: p}}, time.Now()),
			"charts": f.Charts(page.Charts{Verdicts: []page.Bar{{Name: p, N: 1, Words: p}}, Wrong: p}),
			"fleet": f.Fleet([]store.Worker{{ID: p, Machine: p}}, []page.Home{{Name: p, Detail: p}},
				[]page.Home{{Name: p, Detail: p}}, []page.Home{{Name: p, Detail: p}}, nil),
			"queue": f.Queue([]swept.Job{{Sweep: p, Source: p, Title: p, Do: p, State: "retryable", Item: 1,
				Failed: []string{p}}}, []page.Home{{Name: p, Detail: "going" + p}}, 1, true),
			"audit": f.Audit([]store.Audited{{Who: p, Did: p, Target: p, Detail: p}}), "message": f.Message(p),
		} {
			if text, wrong := rendered(t, node, 1); wrong != "" {
				t.Errorf("%s, poison %d: %s in %d bytes", name, i, wrong, len(text))
			}
			n++
		}
		text, err := page.Export(view)
		if _, wrong := rendered(t, g.Raw(string(text)), 0); err != nil || wrong != "" {
			t.Errorf("export, poison %d: %v %s", i, err, wrong)
		}
		if len(text) > 3<<20 {
			t.Errorf("export, poison %d: %d bytes", i, len(text))
		}
	}
	t.Logf("held: %d hostile pages", n)
}

// An exported page says itself that nothing is fetched for it, and is the page that a server shows.
func TestExport(t *testing.T) {
	c := reporttest.Whole(casefile.Fixed)
	text, err := page.Export(page.CaseView{Document: c.Document()})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"default-src 'none'; style-src 'sha256-", "<h1>", "The report says",
		"Smallest program", "Versions"} {
		if !strings.Contains(html.UnescapeString(string(text)), want) {
			t.Errorf("no %q in it", want)
		}
	}
	if strings.Contains(string(text), "style=\"") || strings.Contains(string(text), "<form") {
		t.Error("a style that the policy forbids, or a form that nobody answers")
	}
}

// The lines that something was found in are marked, and Python is told apart.
func TestDangersAreAtTheirLines(t *testing.T) {
	view := poisoned("import os  # \"x\"\nos.remove('a')\n", casefile.Reproduces)
	text, _ := rendered(t, page.Frame{Who: "ann"}.Case(view), 1)
	for _, want := range []string{`<span class="line danger"><i>1</i><span class="k">import</span> os`,
		`<span class="c"># `, `<span class="s">&#39;a&#39;</span>`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the page", want)
		}
	}
}

// Whoever is asked about a program, or about a comment, sees all of it: nothing is cut, and no home is left out.
func TestWhatIsAskedIsShownWhole(t *testing.T) {
	var code, comment strings.Builder
	for i := range 900 {
		fmt.Fprintf(&code, "x%d = '/home/ann/%d'\n", i, i)
		fmt.Fprintf(&comment, "line %d of /home/ann/x.py\n", i)
	}
	view := poisoned("x", casefile.Reproduces)
	view.Asked, view.Consent, view.Triage, view.Findings = nil, casefile.Consent{}, nil,
		[]vet.Finding{{Line: 450, Severity: vet.Error, Why: "it is bad"}}
	view.Repro = bug.Program(code.String())
	view.Actions[0].Action.Text = comment.String()
	text, wrong := rendered(t, page.Frame{Who: "ann"}.Case(view), 1)
	tree, err := html.Parse(strings.NewReader(text))
	if err != nil || wrong != "" {
		t.Fatal(err, wrong)
	}
	var shown strings.Builder
	for n := range tree.Descendants() {
		if n.Type == html.TextNode {
			shown.WriteString(n.Data)
		}
	}
	for _, want := range []string{"May this program run?", "x449 = '/home/ann/449'error: it is bad",
		"line 450 of /home/ann/x.py\nline 451 of"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	// One that is too long to be read here cannot be agreed to here.
	view.Repro = bug.Program(strings.Repeat("x = 1\n", 50_000))
	if text, _ := rendered(t, page.Frame{Who: "ann"}.Case(view), 1); strings.Contains(text, "Yes, run it") ||
		len(text) > 300_000 {
		t.Errorf("%d bytes, and it could be agreed to", len(text))
	}
}

// A page is small: what a report holds is cut to what people look at. Only a program that somebody is asked about is
// shown whole, up to the length that can be asked about.
func TestPagesAreSmall(t *testing.T) {
	const most = 150 << 10
	c := reporttest.Whole(casefile.Fixed)
	long := strings.Repeat("values = [f(x, 'a text', 1.5) for x in range(10) if x is not None]  # a note\n", 2000)
	c.Repro.Files = bug.Files{bug.Script: long}
	for i := range c.Asked {
		for j := range c.Asked[i].Tally.Outcomes {
			c.Asked[i].Tally.Outcomes[j].Stdout = strings.Repeat("a line that a program has printed\n", 100_000)
		}
	}
	text, err := page.Export(page.CaseView{Document: c.Document()})
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > most {
		t.Errorf("a case of a long program has %d bytes", len(text))
	}
	var rows []browsed.Row
	for range 50 {
		rows = append(rows, browsed.Row{ID: "0123456789ab", Ref: "octo/snail#123456", Title: strings.Repeat("long ", 1000),
			Brief: casefile.Brief{Reason: strings.Repeat("why ", 1000), Failure: strings.Repeat("x", 1000)}})
	}
	var b strings.Builder
	list := browsed.Listing{Rows: rows, Total: 50_000, Pages: 1000, Page: 1}
	if err := (page.Frame{}).Cases(list, nil, nil, "").Render(&b); err != nil {
		t.Fatal(err)
	}
	if b.Len() > most {
		t.Errorf("a list has %d bytes", b.Len())
	}
}
