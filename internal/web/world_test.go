package web_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/report/reporttest"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/web"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// A world is a page over a state with some cases.
type world struct {
	*httptest.Server
	web  *web.Server
	desk *desk.Desk
	t    testing.TB
}

const (
	apiToken     = "a-token-of-a-program"
	approveToken = "a-token-that-may-agree"
)

func newWorld(t testing.TB) *world {
	t.Helper()
	dir := t.TempDir()
	open := func(who string, tell event.Listener) *desk.Desk {
		m := &machine.Machine{Cache: dir, Now: time.Now, Token: func(context.Context, string) string { return "" }}
		return &desk.Desk{Machine: m, State: filepath.Join(dir, "scrub.db"), User: who, Now: time.Now, Tell: tell}
	}
	w := &world{desk: open("scrub", nil), t: t}
	digest := func(token string) string {
		sum := sha256.Sum256([]byte(token))
		return hex.EncodeToString(sum[:])
	}
	w.web = &web.Server{Index: &browsed.Index{Desk: w.desk}, Desk: open, Now: time.Now, Log: func(s string) { t.Log(s) },
		Door: &door.Door{Now: time.Now, Random: rand.Reader,
			Tokens: []door.Token{
				{Name: "robot", SHA256: digest(apiToken), Grants: []door.Grant{{Repo: "octo/snail", Role: door.Reader}}},
				{Name: "deputy", SHA256: digest(approveToken), Grants: []door.Grant{{Repo: "octo/snail", Role: door.Approver}}},
			}}}
	w.Server = httptest.NewServer(w.web.Handler())
	w.web.Door.Hosts = []string{strings.TrimPrefix(w.URL, "http://")}
	t.Cleanup(func() {
		w.CloseClientConnections()
		w.Close()
		w.web.Close()
		if err := w.desk.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// put puts a case with a proposed comment and a label on record.
func (w *world) put(repo string, number int, verdict casefile.Verdict) (id string, actions []action.Action) {
	w.t.Helper()
	c := reporttest.Whole(verdict)
	c.Report.Ref = bug.Ref{Repo: repo, Number: number}
	c.Report.Title = fmt.Sprintf("Report %d of %s", number, repo)
	if w.web.Forge != "" {
		live, err := w.desk.Read(w.t.Context(), desk.Source{Issue: c.Report.Ref.String(), Forge: w.web.Forge})
		if err == nil { // else it has gone since
			c.Report = live
		}
	}
	c.Repro = bug.Program(fmt.Sprintf("print(%d)\n", number))
	c.Proposals = []action.Action{{Kind: action.Comment, On: c.Report.Ref, Text: "It still fails.", Why: "seen"},
		{Kind: action.AddLabel, On: c.Report.Ref, Text: "triaged", Why: "seen"}}
	w.keep(c)
	l, err := w.desk.Ledger(w.t.Context(), nil, func() (action.Policy, error) { return action.PolicyOf(nil) })
	if err == nil {
		err = l.Propose(w.t.Context(), c.Report, c.Proposals)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return c.ID(), c.Proposals
}

func (w *world) keep(c casefile.Case) {
	w.t.Helper()
	kept, err := w.desk.Kept(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := json.Marshal(c.Document())
	if err != nil {
		w.t.Fatal(err)
	}
	brief, err := json.Marshal(c.Brief())
	if err != nil {
		w.t.Fatal(err)
	}
	verdict, _ := c.Verdict()
	if err := kept.PutCase(w.t.Context(), store.Case{ID: c.ID(), Ref: c.Report.Ref.String(), Title: c.Report.Title,
		Verdict: string(verdict), Body: body, Updated: time.Now(), Listed: brief}); err != nil {
		w.t.Fatal(err)
	}
	w.look()
}

func (w *world) look() {
	w.t.Helper()
	if _, err := w.web.Index.Refresh(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// A browser is somebody's.
type browser struct {
	*http.Client
	w     *world
	token string
}

// as lets somebody in with a role in some repositories.
func (w *world) as(name string, grants ...door.Grant) *browser {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	in := httptest.NewRecorder()
	if err := w.web.Door.Begin(in, door.Person{Name: name, Grants: grants}); err != nil {
		w.t.Fatal(err)
	}
	at, err := url.Parse(w.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	jar.SetCookies(at, in.Result().Cookies())
	b := &browser{Client: &http.Client{Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, w: w}
	_, text := b.get("/live")
	if m := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(text); m != nil {
		b.token = m[1]
	}
	return b
}

func (b *browser) do(r *http.Request) (int, string) {
	b.w.t.Helper()
	answer, err := b.Do(r)
	if err != nil {
		b.w.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func (b *browser) get(path string) (int, string) {
	b.w.t.Helper()
	return b.do(b.request(http.MethodGet, path, nil))
}

// post sends a form as the page does.
func (b *browser) post(path string, form url.Values) (int, string) {
	b.w.t.Helper()
	if !form.Has("token") {
		form.Set("token", b.token)
	}
	return b.do(b.request(http.MethodPost, path, form))
}

func (b *browser) request(method, path string, form url.Values) *http.Request {
	b.w.t.Helper()
	r, err := http.NewRequestWithContext(b.w.t.Context(), method, b.w.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.w.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.w.URL)
	}
	return r
}

// said is what has been decided about an action.
func (w *world) said(a action.Action) action.Status {
	w.t.Helper()
	l, err := w.desk.Ledger(w.t.Context(), nil, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	e, err := l.Entry(w.t.Context(), a.ID())
	if err != nil {
		w.t.Fatal(err)
	}
	return e.Status()
}

var everywhere = door.Grant{Repo: "*", Role: door.Admin}
