// Package githubtest is a GitHub for tests. It answers from what it holds,
// not from recordings, refuses what the real one would, and goes wrong on
// demand.
package githubtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// A Server holds issues.
type Server struct {
	*httptest.Server
	Token string // that requests must carry to write; empty for any
	Me    string // whose token it is

	// Check looks at every request and what was answered; nil for no check.
	Check func(req *http.Request, body []byte, status int, header http.Header, answer []byte)

	// Now is when things happen; nil for one and the same moment.
	Now func() time.Time

	mu       sync.Mutex
	fault    func(n int, req *http.Request) Fault
	issues   map[bug.Ref]*Issue
	writers  map[string][]string // by repository: who may write
	gits     map[string]*git     // likewise: commits, branches and pull requests
	requests int
	last     int64
}

// An Issue is one that the server holds.
type Issue struct {
	bug.Report
	Locked       bool
	Deleted      bool
	MovedTo      bug.Ref
	Reason       string
	Subscription forge.Subscription
	Suggests     bool     // the repository takes suggestions
	Suggested    []string // labels that wait
	ids          []int64
	updated      time.Time
}

// A Fault is something that goes wrong with one request.
type Fault struct {
	Status int         // answer this instead
	Header http.Header // with these
	Before bool        // cut the connection before anything happens
	After  bool        // cut it after it took effect
	Silent bool        // never answer, before anything happens
	Then   func()      // called before it is cut
}

// New starts a server. It must be closed.
func New() *Server {
	s := &Server{Me: "maintainer", issues: map[bug.Ref]*Issue{}, writers: map[string][]string{}, last: 100}
	s.Server = httptest.NewServer(s)
	return s
}

// Put holds an issue.
func (s *Server) Put(i Issue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range i.Comments {
		s.last++
		i.ids = append(i.ids, s.last)
	}
	if i.State == "" {
		i.State = bug.Open
	}
	i.updated = i.Created
	s.issues[i.Ref] = &i
}

// Break has fault asked before each request is dealt with; the zero Fault is none.
func (s *Server) Break(fault func(n int, req *http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Writers says who may write to a repository.
func (s *Server) Writers(repo string, names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writers[repo] = names
}

// Issue is a copy of what is held.
func (s *Server) Issue(ref bug.Ref) Issue {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := *s.issues[ref]
	i.Comments, i.Labels = slices.Clone(i.Comments), slices.Clone(i.Labels)
	return i
}

// Say adds somebody else's comment.
func (s *Server) Say(ref bug.Ref, author, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.comment(s.issues[ref], author, body)
}

func (s *Server) comment(i *Issue, author, body string) {
	s.last++
	i.ids = append(i.ids, s.last)
	i.Comments = append(i.Comments, bug.Comment{Author: author, Created: day, Body: body})
	i.updated = s.now().UTC().Truncate(time.Second).Add(time.Second) // as a client that has just looked sees it
}

func (s *Server) now() time.Time {
	if s.Now == nil {
		return day
	}
	return s.Now()
}

// Requests is how many there were.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// A reply is what is answered.
type reply struct {
	status int
	body   any
	link   string
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	n := s.requests
	s.requests++
	fault := s.fault
	s.mu.Unlock()
	var f Fault
	if fault != nil {
		req.Body = io.NopCloser(bytes.NewReader(body))
		f = fault(n, req)
	}
	if f.Before {
		f.end(w)
		return
	}
	if f.Silent {
		<-req.Context().Done()
		return
	}
	r := reply{f.Status, message("a fault on demand"), ""}
	if f.Status == 0 {
		s.mu.Lock()
		r = s.answer(req, body)
		s.mu.Unlock()
	}
	for k, v := range f.Header {
		w.Header()[k] = v
	}
	if f.After {
		f.end(w)
		return
	}
	s.send(w, req, body, r, f.Status == 0)
}

// end cuts the connection without an answer.
func (f Fault) end(w http.ResponseWriter) {
	if f.Then != nil {
		f.Then()
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close() // that is the point
	}
}

func (s *Server) send(w http.ResponseWriter, req *http.Request, body []byte, r reply, check bool) {
	var text []byte
	if r.body != nil {
		var err error
		if text, err = json.Marshal(r.body); err != nil {
			panic(err) // of our own making
		}
	}
	h := w.Header()
	if r.link != "" {
		if r.status == http.StatusMovedPermanently {
			h.Set("Location", r.link)
		} else {
			h.Set("Link", "<"+r.link+">; rel=\"next\"")
		}
	}
	if len(text) > 0 {
		h.Set("Content-Type", "application/json; charset=utf-8")
	}
	if req.Method == http.MethodGet && r.status == http.StatusOK {
		tag := fmt.Sprintf(`"%x"`, sha256.Sum256(text))
		h.Set("Etag", tag)
		if req.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if check && s.Check != nil {
		s.Check(req, body, r.status, h, text)
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(text) // to a client that may be gone
}

// answer deals with a request. The caller holds the lock.
func (s *Server) answer(req *http.Request, body []byte) reply {
	writes := req.Method != http.MethodGet
	if s.Token != "" && req.Header.Get("Authorization") != "Bearer "+s.Token &&
		(writes || req.Header.Get("Authorization") != "") {
		return reply{http.StatusUnauthorized, message("Bad credentials"), ""}
	}
	if req.URL.Path == "/graphql" {
		return s.graph(body)
	}
	if r, ok := s.lists(req); ok {
		return r
	}
	parts := strings.Split(strings.TrimPrefix(req.URL.EscapedPath(), "/"), "/")
	if len(parts) < 3 || parts[0] != "repos" {
		return reply{http.StatusNotFound, message("Not Found"), ""}
	}
	repo, rest := parts[1]+"/"+parts[2], parts[3:]
	switch {
	case len(rest) == 0 || rest[0] == "git" || rest[0] == "pulls":
		return s.onGit(req, repo, rest, body)
	case rest[0] == "collaborators" && len(rest) == 3 && rest[2] == "permission":
		return s.permission(repo, rest[1])
	case rest[0] == "issues" && len(rest) == 3 && rest[1] == "comments":
		return s.edit(req.Method, repo, rest[2], body)
	case rest[0] == "issues" && len(rest) >= 2:
		return s.onNumber(req, repo, rest[1:], body)
	}
	return reply{http.StatusNotFound, message("Not Found"), ""}
}

func (s *Server) permission(repo, user string) reply {
	level := "read"
	if slices.Contains(s.writers[repo], user) {
		level = "write"
	}
	return reply{http.StatusOK, struct {
		Permission string `json:"permission"`
		Role       string `json:"role_name"`
		User       *user0 `json:"user"`
	}{level, level, person(user)}, ""}
}

// onIssue deals with a request about one issue.
func (s *Server) onIssue(req *http.Request, i *Issue, rest []string, body []byte) reply {
	what := req.Method + " " + strings.Join(rest, "/")
	if req.Method != http.MethodGet && !slices.Contains(s.writers[i.Ref.Repo], s.Me) {
		if i.Locked {
			return reply{http.StatusForbidden, message("Unable to create comment because issue is locked."), ""}
		}
		if what != "POST comments" {
			return reply{http.StatusForbidden, message("Must have admin rights to Repository."), ""}
		}
	}
	switch {
	case what == "GET ":
		return reply{http.StatusOK, s.issue(i), ""}
	case what == "PATCH ":
		return s.patch(i, body)
	case what == "GET comments":
		return s.list(req, i)
	case what == "POST comments":
		var c struct{ Body string }
		if json.Unmarshal(body, &c) != nil || c.Body == "" {
			return reply{http.StatusUnprocessableEntity, message("Validation Failed"), ""}
		}
		s.comment(i, s.Me, c.Body)
		i.Subscription = forge.Subscribed
		return reply{http.StatusCreated, s.posted(i, len(i.Comments)-1), ""}
	case what == "GET suggestions" && i.Suggests:
		return s.suggestions(i)
	case what == "POST labels":
		return s.addLabels(i, body)
	case req.Method == http.MethodDelete && len(rest) == 2 && rest[0] == "labels":
		name, _ := url.PathUnescape(rest[1])
		if !slices.Contains(i.Labels, name) {
			return reply{http.StatusNotFound, message("Label does not exist"), ""}
		}
		i.Labels = slices.DeleteFunc(i.Labels, func(l string) bool { return l == name })
		i.Subscription = forge.Subscribed
		return reply{http.StatusOK, labels(i.Labels), ""}
	}
	return reply{http.StatusNotFound, message("Not Found"), ""}
}

func (s *Server) patch(i *Issue, body []byte) reply {
	var p struct {
		State  bug.State `json:"state"`
		Reason string    `json:"state_reason"`
	}
	if json.Unmarshal(body, &p) != nil || p.State != bug.Open && p.State != bug.Closed ||
		!slices.Contains([]string{"", "completed", "not_planned", "duplicate", "reopened"}, p.Reason) {
		return reply{http.StatusUnprocessableEntity, message("Validation Failed"), ""}
	}
	i.State, i.Reason = p.State, p.Reason
	i.Subscription = forge.Subscribed
	return reply{http.StatusOK, s.issue(i), ""}
}

func (s *Server) addLabels(i *Issue, body []byte) reply {
	var plain struct{ Labels []string }
	var suggested struct {
		Labels []struct {
			Name    string
			Suggest bool
		}
	}
	if json.Unmarshal(body, &plain) != nil {
		if json.Unmarshal(body, &suggested) != nil || !i.Suggests {
			return reply{http.StatusUnprocessableEntity, message("Validation Failed"), ""}
		}
		for _, l := range suggested.Labels {
			i.Suggested = append(i.Suggested, l.Name)
		}
		return reply{http.StatusOK, labels(i.Labels), ""}
	}
	for _, n := range plain.Labels {
		if !slices.Contains(i.Labels, n) {
			i.Labels = append(i.Labels, n)
		}
	}
	i.Subscription = forge.Subscribed
	return reply{http.StatusOK, labels(i.Labels), ""}
}
