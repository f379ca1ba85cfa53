// Package web is the face of the desk that people open in a browser.
package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	g "maragu.dev/gomponents"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/web/door"
	"github.com/scrub-dev/scrub/internal/web/jobs"
	"github.com/scrub-dev/scrub/internal/web/news"
	"github.com/scrub-dev/scrub/internal/web/shown"
)

// A Server answers browsers. Its fields are set before it is used.
type Server struct {
	Door  *door.Door
	Index *browsed.Index
	// Desk is the application in somebody's name; who has it closes it.
	Desk func(who string, tell event.Listener) *desk.Desk
	// Issue is what work that is asked for here begins with: interpreters, versions, box.
	Issue desk.IssueRequest
	Forge string // what stands in for GitHub; empty for GitHub
	Flags string // what sets this server apart, for people
	Now   func() time.Time
	// Enter is told that a one-time link was used, so that there can be another.
	Enter func()
	// Again is told that a link was tried that works no more.
	Again func()
	// Log is told what went wrong and could not be told to anybody.
	Log func(string)
	// Login begins and ends logging in elsewhere; nil if there are only one-time links.
	Login http.Handler

	reading chan struct{} // whoever reads reports through the API; nil until there is a handler

	hub    news.Hub
	jobs   jobs.Jobs
	said   flashes
	seen   shown.Views
	since  map[string]string // when people were last here, by the token of their session
	count  atomic.Int64      // things that people did
	crew   shown.Recent[crew]
	line   shown.Recent[line]
	looked sync.Once
	has    atomic.Pointer[[]page.Home] // what this machine has, once that is known
}

// A visit is one request of somebody who has come in.
type visit struct {
	*Server
	w     http.ResponseWriter
	r     *http.Request
	who   door.Person
	token string
}

type handler func(v visit) error

// policy is what pages may do: nothing but show themselves, and talk to where they are from.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const (
	mostBody      = 1 << 20     // that a form may carry
	slowestAnswer = time.Minute // that an answer may take, a stream aside
)

// Handler is all of it.
func (s *Server) Handler() http.Handler {
	s.reading = make(chan struct{}, 1)
	s.jobs.Desk, s.jobs.Tell, s.jobs.Done, s.jobs.Log, s.jobs.Now = s.Desk, s.tellJob, s.look, s.Log, s.Now
	mux := http.NewServeMux()
	for path, f := range map[string]handler{
		"GET /{$}": visit.home, "GET /inbox": visit.inbox, "GET /cases": visit.cases, "GET /case/{id}": visit.showCase,
		"GET /live": visit.live, "GET /charts": visit.charts, "GET /fleet": visit.fleet, "GET /queue": visit.queue,
		"GET /audit": visit.audit, "GET /batch": visit.batch, "GET /apply": visit.rehearse, "GET /events": visit.events,
	} {
		mux.Handle(path, s.in(f, false))
	}
	for path, f := range map[string]handler{
		"POST /decide": visit.decide, "POST /failure": visit.failure, "POST /consent": visit.consent,
		"POST /withdraw": visit.withdraw,
		"POST /edit":     visit.edit, "POST /apply": visit.apply, "POST /run": visit.run, "POST /cancel": visit.cancel,
		"POST /queue": visit.queued, "POST /views": visit.view, "POST /leave": visit.leave,
	} {
		mux.Handle(path, s.in(f, true))
	}
	s.api(mux)
	static := http.FileServerFS(page.Static)
	mux.Handle("GET /static/{name}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=300")
		static.ServeHTTP(w, r)
	}))
	mux.HandleFunc("GET /favicon.ico",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /enter", s.enter)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	if s.Login != nil {
		mux.Handle("/login/", s.Login)
	}
	return s.guarded(mux)
}

// Close stops all work that was asked for and waits for it.
func (s *Server) Close() { s.jobs.Close() }

// guarded is what holds for every request.
func (s *Server) guarded(next http.Handler) http.Handler {
	other := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
			"Permissions-Policy": "camera=(), microphone=(), geolocation=()"} {
			w.Header().Set(name, value)
		}
		if s.Door.Secure {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		switch {
		case !s.Door.Known(r):
			http.Error(w, "this page is not called by that name", http.StatusMisdirectedRequest)
			return
		case other.Check(r) != nil:
			http.Error(w, "another site has sent this", http.StatusForbidden)
			return
		}
		_ = http.NewResponseController(w).SetWriteDeadline(s.Now().Add(slowestAnswer)) // if it can be set
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(w, r)
	})
}

// in lets those in who have come in, and only them. A form must carry its token.
func (s *Server) in(f handler, form bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, token, ok := s.Door.Who(r)
		v := visit{s, w, r, who, token}
		switch {
		case !s.Door.MayAsk(r, who):
			w.Header().Set("Retry-After", "2")
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		case !ok && r.Header.Get("Sec-Fetch-Site") == "cross-site" && !form:
			// Whoever follows a link from another site does not bring the cookie along, and does when they come
			// from here.
			w.Header().Set("Refresh", "0")
			v.show(http.StatusOK, page.Frame{Title: "One moment"}.Message("One moment"))
			return
		case !ok:
			v.show(http.StatusUnauthorized, s.outside())
			return
		case form && token == "":
			http.Error(w, "a token cannot send forms: use /api/v1", http.StatusForbidden)
			return
		case form && !door.Sent(r.PostFormValue("token"), token):
			v.show(http.StatusForbidden,
				v.frame("Not sent").Message("This form is too old: go back, load the page again, and send it once more."))
			return
		}
		if err := f(v); err != nil {
			v.failed(err)
		}
	})
}

// outside is what those see who have not come in.
func (s *Server) outside() g.Node {
	f := page.Frame{Title: "Log in", Flags: s.Flags}
	if s.Login != nil {
		return f.Message("Log in", page.Login())
	}
	return f.Message("Log in",
		page.Words("Open the link that scrub serve has printed. It works once; a new one is printed then."))
}

// errHidden is that something is not there, or not for whoever asks.
var errHidden = errors.New("there is nothing here, or nothing for you")

// errRole is that somebody may not do something.
var errRole = errors.New("you may not do this here")

// failed says what went wrong.
func (v visit) failed(err error) {
	var no refusal.Refusal
	code := http.StatusInternalServerError
	switch {
	case v.r.Context().Err() != nil:
		return
	case errors.Is(err, errHidden):
		code = http.StatusNotFound
	case errors.Is(err, errRole):
		code = http.StatusForbidden
	case errors.As(err, &no):
		code = http.StatusConflict
	default:
		v.Log(err.Error())
		err = errors.New("scrub could not do this; its log says why")
	}
	if strings.HasPrefix(v.r.URL.Path, "/api/") {
		v.json(code, problem{err.Error()})
		return
	}
	v.show(code, v.frame("Not done").Message(sentence(err.Error())))
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// show writes a page.
func (v visit) show(code int, n g.Node) {
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(code)
	if err := n.Render(v.w); err != nil && v.r.Context().Err() == nil {
		v.Log(err.Error())
	}
}

// frame is what is around a page for whoever asks.
func (v visit) frame(title string) page.Frame {
	f := page.Frame{Title: title, At: v.r.URL.Path, Who: v.who.Name, Token: v.token, Flags: v.Flags}
	if v.who.Name != "" {
		f.Role = v.who.Best().String()
	}
	f.Flash, f.Undo = v.flash()
	return f
}

// home leads to the inbox.
func (v visit) home() error {
	http.Redirect(v.w, v.r, "/inbox", http.StatusSeeOther)
	return nil
}

// enter begins a session with a one-time link. The page leads on by itself: a redirect would be
// followed without the cookie that was just set.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	v := visit{Server: s, w: w, r: r}
	if !s.Door.MayAsk(r, door.Person{}) {
		http.Error(w, "too many requests", http.StatusTooManyRequests)
		return
	}
	who, ok, err := s.Door.Enter(w, r, r.URL.Query().Get("key"))
	switch {
	case err != nil:
		v.failed(err)
	case !ok:
		if s.Again != nil {
			s.Again()
		}
		v.show(http.StatusForbidden, page.Frame{Title: "Log in"}.Message(
			"This link was used already, or is too old. Use the newest one that was printed."))
	default:
		if s.Enter != nil {
			s.Enter()
		}
		v.who = who
		if err := v.note("came in", "", "", ""); err != nil {
			v.failed(err)
			return
		}
		w.Header().Set("Refresh", "0; url=/inbox")
		v.show(http.StatusOK, page.Frame{Title: "Welcome"}.Message("Welcome", page.Onward("/inbox")))
	}
}

// Came puts on record that somebody has logged in elsewhere.
func (s *Server) Came(who string) {
	v := visit{Server: s, r: new(http.Request), who: door.Person{Name: who}}
	if err := v.note("logged in", "", "", ""); err != nil {
		s.Log(err.Error())
	}
}

func (v visit) leave() error {
	v.Door.Leave(v.w, v.r) // whatever becomes of the record: who wants to leave leaves
	http.Redirect(v.w, v.r, "/", http.StatusSeeOther)
	return v.note("left", "", "", "")
}

// look looks what has changed, and tells those who watch.
func (s *Server) look(ctx context.Context) {
	changed, err := s.Index.Refresh(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log("look for news: " + err.Error())
	}
	s.tellChanged(changed)
}

// Watch looks every now and then what has changed, and tells those who watch, until ctx is done.
func (s *Server) Watch(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		s.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}
