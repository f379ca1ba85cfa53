package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/report/reporttest"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// Whoever does not come from the page, is not let in, or may not do something gets nothing done and nothing told.
func TestAttacks(t *testing.T) {
	w := newWorld(t)
	mine, actions := w.put("octo/snail", 7, casefile.Reproduces)
	other, theirs := w.put("octo/slug", 8, casefile.Reproduces)
	ann := w.as("ann", everywhere)
	reader := w.as("rob", door.Grant{Repo: "octo/snail", Role: door.Reader})
	runner := w.as("rita", door.Grant{Repo: "octo/snail", Role: door.Runner})
	approver := w.as("abe", door.Grant{Repo: "octo/snail", Role: door.Approver})
	yes := func(a action.Action) url.Values { return url.Values{"ids": {a.ID()}, "said": {"yes"}} }
	form := func(b *browser, path string, v url.Values, change func(*http.Request)) *http.Request {
		if !v.Has("token") {
			v.Set("token", b.token)
		}
		r := b.request(http.MethodPost, path, v)
		change(r)
		return r
	}
	get := func(b *browser, path string, change func(*http.Request)) *http.Request {
		r := b.request(http.MethodGet, path, nil)
		change(r)
		return r
	}
	nothing := func(*http.Request) {}
	stranger := &browser{Client: &http.Client{CheckRedirect: ann.CheckRedirect}, w: w}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	bearer := header("Authorization", "Bearer "+apiToken)
	for _, a := range []struct {
		name string
		who  *browser
		r    *http.Request
		want int
	}{
		{"no session", stranger, get(stranger, "/case/"+mine, nothing), 401},
		{"no session, list", stranger, get(stranger, "/cases", nothing), 401},
		{"no session, stream", stranger, get(stranger, "/events", nothing), 401},
		{"no session, API", stranger, get(stranger, "/api/v1/cases", nothing), 401},
		{"a made up session", stranger, get(stranger, "/cases", header("Cookie", "scrub=AAAA")), 401},
		{"a made up token", stranger, get(stranger, "/api/v1/cases", header("Authorization", "Bearer x")), 401},
		{"DNS rebinding", ann, get(ann, "/cases", host("evil.example")), 421},
		{"DNS rebinding to the same port", ann, get(ann, "/cases", host("evil.example:"+port(w.URL))), 421},
		{"another name of this machine", ann, get(ann, "/cases", host("[::1]:"+port(w.URL))), 421},
		{"CSRF without a token", ann,
			form(ann, "/consent", url.Values{"ids": {actions[0].ID()}, "said": {"yes"}, "token": {""}}, nothing), 403},
		{"CSRF with another's token", ann,
			form(ann, "/consent", url.Values{"ids": {actions[0].ID()}, "said": {"yes"}, "token": {reader.token}}, nothing),
			403},
		{"CSRF from another site", ann, form(ann, "/consent", yes(actions[0]), header("Origin", "https://evil.example")),
			403},
		{"CSRF, as browsers tell", ann, form(ann, "/consent", yes(actions[0]), header("Sec-Fetch-Site", "cross-site")), 403},
		{"CSRF from the same host, another port", ann,
			form(ann, "/consent", yes(actions[0]), header("Sec-Fetch-Site", "same-site")), 403},
		{"a decision by GET", ann, get(ann, "/consent?ids="+actions[0].ID()+"&said=yes", nothing), 405},
		{"a reader agrees", reader, form(reader, "/consent", yes(actions[0]), nothing), 403},
		{"a runner agrees", runner, form(runner, "/consent", yes(actions[0]), nothing), 403},
		{"a reader has a program run", reader, form(reader, "/run", url.Values{"case": {mine}, "do": {"again"}}, nothing),
			403},
		{"a reader decides about a program", reader,
			form(reader, "/decide", url.Values{"case": {mine}, "said": {"proceed"}}, nothing), 403},
		{"a reader edits", reader, form(reader, "/edit", url.Values{"id": {actions[0].ID()}, "text": {"x"}}, nothing), 403},
		{"a reader stops work", reader, form(reader, "/cancel", url.Values{"job": {"1"}}, nothing), 404},
		{"a reader reads the audit", reader, get(reader, "/audit", nothing), 403},
		{"IDOR: a case of another repository", reader, get(reader, "/case/"+other, nothing), 404},
		{"IDOR: its JSON", reader, get(reader, "/case/"+other+".json", nothing), 404},
		{"IDOR: its page in one file", reader, get(reader, "/case/"+other+".html", nothing), 404},
		{"IDOR: by its issue", reader, get(reader, "/case/of?ref=octo/slug%238", nothing), 404},
		{"IDOR: agree there", approver, form(approver, "/consent", yes(theirs[0]), nothing), 404},
		{"IDOR: agree to both", approver,
			form(approver, "/consent", url.Values{"ids": {actions[0].ID() + "," + theirs[0].ID()}, "said": {"yes"}}, nothing),
			404},
		{"IDOR: take back there", approver, form(approver, "/withdraw", url.Values{"ids": {theirs[0].ID()}}, nothing), 404},
		{"IDOR: edit there", approver, form(approver, "/edit", url.Values{"id": {theirs[0].ID()}, "text": {"x"}}, nothing),
			404},
		{"IDOR: run there", approver, form(approver, "/run", url.Values{"case": {other}, "do": {"again"}}, nothing), 404},
		{"IDOR: API, a case", stranger, get(stranger, "/api/v1/cases/"+other, bearer), 404},
		{"IDOR: API, actions", stranger, get(stranger, "/api/v1/actions?on=octo/slug%238", bearer), 404},
		{"a token sends a form", stranger, form(stranger, "/consent", yes(actions[0]), bearer), 403},
		{"a session calls the API to decide", ann, form(ann, "/api/v1/consent", url.Values{}, nothing), 403},
		{"a reader's token agrees", stranger,
			apiPost(stranger, "/api/v1/consent", fmt.Sprintf(`{"ids": [%q], "yes": true}`, actions[0].ID()), bearer), 403},
		{"a reader's token decides", stranger,
			apiPost(stranger, "/api/v1/decide", `{"program": "`+strings.Repeat("a", 64)+`", "decision": "proceed"}`, bearer),
			403},
		{"unknown fields", stranger, apiPost(stranger, "/api/v1/consent", `{"ids": [], "sudo": true}`, bearer), 409},
		{"path traversal", ann, get(ann, "/case/..%2f..%2fetc%2fpasswd", nothing), 404},
		{"path traversal in static files", ann, get(ann, "/static/..%2flayout.go", nothing), 404},
		{"the folder of static files", ann, get(ann, "/static/", nothing), 404},
		{"the beginning of an action's ID", ann,
			form(ann, "/consent", url.Values{"ids": {actions[0].ID()[:12]}, "said": {"yes"}}, nothing), 409},
		{"neither yes nor no", ann, form(ann, "/consent", url.Values{"ids": {actions[0].ID()}, "said": {"maybe"}},
			nothing), 409},
		{"another program than was shown", ann,
			form(ann, "/decide", url.Values{"case": {mine}, "program": {strings.Repeat("0", 64)}, "said": {"proceed"}},
				nothing), 409},
		{"a form of two megabytes", ann,
			form(ann, "/edit", url.Values{"id": {actions[0].ID()}, "text": {strings.Repeat("x", 2<<20)}}, nothing), 403},
		{"a used link", stranger, get(stranger, "/enter?key=AAAA", nothing), 403},
	} {
		code, text := a.who.do(a.r)
		if code != a.want {
			t.Errorf("%s: %d, want %d: %.200s", a.name, code, a.want, text)
		}
		if code != 200 && (strings.Contains(text, "Report 8") || strings.Contains(text, "It still fails.") ||
			strings.Contains(text, "root:")) {
			t.Errorf("%s: it tells what it should not: %s", a.name, text)
		}
	}
	for _, a := range slices.Concat(actions, theirs) {
		if s := w.said(a); s != action.Proposed {
			t.Errorf("%s on %s is %s", a.Kind, a.On, s)
		}
	}
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

func apiPost(b *browser, path, body string, change func(*http.Request)) *http.Request {
	r, err := http.NewRequestWithContext(b.w.t.Context(), http.MethodPost, b.w.URL+path, strings.NewReader(body))
	if err != nil {
		b.w.t.Fatal(err)
	}
	change(r)
	return r
}

// Lists, searches, charts and streams show nobody what they may not see.
func TestListsAreForThoseWhoMaySeeThem(t *testing.T) {
	w := newWorld(t)
	w.put("octo/snail", 7, casefile.Reproduces)
	w.put("octo/slug", 8, casefile.Fixed)
	reader := w.as("rob", door.Grant{Repo: "octo/snail", Role: door.Approver})
	for _, path := range []string{"/inbox", "/cases", "/cases?q=slug", "/cases?repo=octo/slug", "/charts", "/batch",
		"/apply", "/live", "/api/v1/cases",
		"/api/v1/cases?q=slug", "/cases?sort=certain&page=2"} {
		if code, text := reader.get(path); code != http.StatusOK || strings.Contains(text, "Report 8") ||
			strings.Contains(text, "fixed</span>") {
			t.Errorf("%s: %d: it shows what is of another repository", path, code)
		}
	}
	if _, text := reader.get("/cases"); !strings.Contains(text, "Report 7") {
		t.Error("and nothing of the reader's own")
	}
}

// News is for those who may see what it is about, too.
func TestNewsIsForThoseWhoMaySeeIt(t *testing.T) {
	w := newWorld(t)
	theirs, other := w.put("octo/slug", 8, casefile.Fixed)
	mine, own := w.put("octo/snail", 7, casefile.Reproduces)
	rob, bob := w.as("rob", door.Grant{Repo: "octo/snail", Role: door.Approver}), w.as("bob", everywhere)
	news, err := rob.Do(rob.request(http.MethodGet, "/events", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer news.Body.Close()
	bob.post("/consent", url.Values{"ids": {other[0].ID()}, "said": {"yes"}})
	bob.post("/consent", url.Values{"ids": {own[0].ID()}, "said": {"yes"}})
	lines := bufio.NewScanner(news.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), mine) {
		if strings.Contains(lines.Text(), theirs) {
			t.Errorf("told of another repository: %s", lines.Text())
		}
	}
	if !strings.Contains(lines.Text(), mine) {
		t.Error("and not of the reader's own")
	}
}

// A repository of the same name on another server is another one.
func TestAnotherHostIsAnotherPlace(t *testing.T) {
	w := newWorld(t)
	c := reporttest.Whole(casefile.Reproduces)
	c.Report.Ref = bug.Ref{Host: "ghe.example", Repo: "octo/snail", Number: 7}
	w.keep(c)
	for grant, want := range map[string]int{"octo/snail": 404, "octo/*": 404, "ghe.example/octo/*": 200, "*": 200} {
		b := w.as("u"+grant, door.Grant{Repo: grant, Role: door.Reader})
		if code, _ := b.get("/case/" + c.ID()); code != want {
			t.Errorf("a reader of %s: %d, want %d", grant, code, want)
		}
	}
}

// Who leaves hears nothing more, and nobody gets round the limit by saying that they are somebody else.
func TestAfterLeaving(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.as("ann", everywhere), w.as("bob", everywhere)
	news, err := ann.Do(ann.request(http.MethodGet, "/events", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer news.Body.Close()
	if code, _ := ann.post("/leave", url.Values{}); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	_, actions := w.put("octo/snail", 7, casefile.Reproduces)
	bob.post("/consent", url.Values{"ids": {actions[0].ID()}, "said": {"yes"}})
	if text, err := io.ReadAll(news.Body); err != nil || strings.Contains(string(text), "changed") {
		t.Errorf("%v: who has left is told %s", err, text)
	}
	refused := false
	for i := range 200 {
		r := bob.request(http.MethodGet, "/enter?key=x", nil)
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.0.%d.%d", i/250, i%250))
		code, _ := bob.do(r)
		refused = refused || code == http.StatusTooManyRequests
	}
	if !refused {
		t.Error("whoever says to be somebody else may ask without end")
	}
}

// A session that somebody else put into a browser is not the one that its owner gets, a link works once,
// and nothing can be framed.
func TestSessions(t *testing.T) {
	w := newWorld(t)
	eve := w.as("eve", door.Grant{Repo: "x/y", Role: door.Reader})
	at, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	planted := eve.Jar.Cookies(at)
	key, err := w.web.Door.Key(door.Person{Name: "ann", Grants: []door.Grant{everywhere}})
	if err != nil {
		t.Fatal(err)
	}
	ann := w.as("nobody")
	ann.Jar.SetCookies(at, planted)
	r := ann.request(http.MethodGet, "/enter?key="+key, nil)
	answer, err := ann.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if now := ann.Jar.Cookies(at); len(now) != 1 || now[0].Value == planted[0].Value {
		t.Errorf("the session is the planted one: %v", now)
	}
	if code, text := eve.get("/inbox"); code != http.StatusUnauthorized {
		t.Errorf("the planted session still works: %d %s", code, text)
	}
	if code, _ := ann.get("/enter?key=" + key); code != http.StatusForbidden {
		t.Errorf("a link worked twice: %d", code)
	}
	set := answer.Header.Get("Set-Cookie")
	for _, set := range answer.Header.Values("Set-Cookie") {
		if !strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Strict") {
			t.Errorf("cookie: %s", set)
		}
	}
	for name, want := range map[string]string{"X-Frame-Options": "DENY",
		"Content-Security-Policy": "frame-ancestors 'none'",
		"X-Content-Type-Options":  "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin"} {
		if got := answer.Header.Get(name); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if policy := answer.Header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe") ||
		strings.Contains(policy, "http") {
		t.Errorf("policy: %s", policy)
	}
	if set == "" {
		t.Error("no session was begun")
	}
	if code, _ := ann.post("/leave", url.Values{"token": {tokenOf(ann)}}); code != http.StatusSeeOther {
		t.Errorf("leave: %d", code)
	}
	if code, _ := ann.get("/inbox"); code != http.StatusUnauthorized {
		t.Errorf("after leaving: %d", code)
	}
}

func tokenOf(b *browser) string {
	_, text := b.get("/live")
	_, after, _ := strings.Cut(text, `name="token" value="`)
	token, _, _ := strings.Cut(after, `"`)
	return token
}

// A thousand streams are not opened, and who asks too often is told so.
func TestBounds(t *testing.T) {
	w := newWorld(t)
	var open, refused int
	for i := range 140 {
		b := w.as(fmt.Sprintf("user%d", i), everywhere)
		for range 9 {
			answer, err := b.Do(b.request(http.MethodGet, "/events", nil))
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				open++
			} else {
				refused++
			}
		}
		if i == 0 && (open != 8 || refused != 1) {
			t.Errorf("one person: %d streams, %d refused", open, refused)
		}
	}
	if open != 512 || refused != 140*9-512 {
		t.Errorf("%d streams are open, %d were refused", open, refused)
	}
	ann := w.as("ann", everywhere)
	for range 400 {
		if code, _ := ann.get("/healthz"); code != http.StatusOK {
			t.Fatal(code)
		}
	}
	code := http.StatusOK
	for range 2000 {
		if code, _ = ann.get("/live"); code == http.StatusTooManyRequests {
			break
		}
	}
	if code != http.StatusTooManyRequests {
		t.Error("two thousand requests at once were answered")
	}
}
