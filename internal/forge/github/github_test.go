package github_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/forgetest"
	"github.com/scrub-dev/scrub/internal/forge/github"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
)

// newServer is a GitHub with the issue of the conformance suite, checked
// against GitHub's own description if there is a path to it.
func newServer(t *testing.T) *githubtest.Server {
	s := githubtest.New()
	t.Cleanup(s.Close)
	s.Token = "ghp_canary"
	s.Writers("octo/snail", forgetest.Collaborator, s.Me)
	s.Put(githubtest.Issue{Report: forgetest.Issue, Subscription: forge.Unsubscribed})
	contract(t, s)
	return s
}

func client(t *testing.T, s *githubtest.Server, o github.Options) *github.Client {
	o.URL, o.Token = s.URL, s.Token
	c, err := github.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type answers map[string][]byte

func (a answers) Get(_ context.Context, key string) ([]byte, bool, error) {
	v, ok := a[key]
	return v, ok, nil
}

func (a answers) Put(_ context.Context, key string, value []byte) error {
	a[key] = value
	return nil
}

func TestConformance(t *testing.T) {
	s := newServer(t)
	c := client(t, s, github.Options{})
	forgetest.Run(t, c)
	forgetest.RunLists(t, c)
	forgetest.RunWrites(t, c)
	t.Logf("%d requests", s.Requests())
}

func TestPulls(t *testing.T) {
	s := githubtest.New()
	t.Cleanup(s.Close)
	s.Writers(forgetest.Issue.Ref.Repo, s.Me)
	base := s.Git(forgetest.Issue.Ref.Repo, map[string]string{"AGENTS.md": "old\n"})
	c := client(t, s, github.Options{})
	forgetest.RunPulls(t, c, base)
	all := s.Pulls(forgetest.Issue.Ref.Repo)
	if len(all) != 1 || len(all[0].Files) != 2 || all[0].On != base {
		t.Errorf("%+v", all)
	}
	// A branch of that name with something else in it is nobody's consent.
	other := forge.Pull{Branch: "scrub/abc", Base: base, Title: "t", Files: map[string]string{"AGENTS.md": "other\n"}}
	if err := c.OpenPull(t.Context(), bug.Ref{Repo: forgetest.Issue.Ref.Repo}, other); err == nil ||
		!strings.Contains(err.Error(), "has something else") {
		t.Errorf("%v", err)
	}
	p := forge.Pull{Branch: "scrub/x", Base: strings.Repeat("0", 40), Title: "t", Files: map[string]string{"a": "b"}}
	if err := c.OpenPull(t.Context(), bug.Ref{Repo: forgetest.Issue.Ref.Repo}, p); !errors.Is(err, forge.ErrNotFound) {
		t.Errorf("a commit that is not there: %v", err)
	}
}

func TestManyPagesAndNothingTwice(t *testing.T) {
	s := newServer(t)
	for range 250 {
		s.Say(forgetest.Issue.Ref, "bob", "again")
	}
	cache := answers{}
	for range 2 {
		r, err := client(t, s, github.Options{Cache: cache}).Report(t.Context(), forgetest.Issue.Ref)
		if err != nil || len(r.Comments) != 251 {
			t.Fatalf("%d comments, %v", len(r.Comments), err)
		}
	}
}

// A search goes on behind the thousand results that GitHub shows.
func TestSearchBeyondAThousand(t *testing.T) {
	s := githubtest.New()
	t.Cleanup(s.Close)
	for n := 1; n <= 2300; n++ {
		r := forgetest.Issue
		r.Ref.Number, r.Comments = n, nil
		r.Created = r.Created.Add(time.Duration(n/3) * time.Second) // some at the same moment
		s.Put(githubtest.Issue{Report: r})
	}
	seen := map[int]bool{}
	err := client(t, s, github.Options{}).Search(t.Context(), bug.Ref{Repo: forgetest.Issue.Ref.Repo}, "is:open",
		func(l forge.Listed) error {
			if seen[l.Ref.Number] {
				t.Errorf("%v comes twice", l.Ref)
			}
			seen[l.Ref.Number] = true
			return nil
		})
	if err != nil || len(seen) != 2300 {
		t.Errorf("%d issues, %v", len(seen), err)
	}
}

// What has not changed is not sent again.
func TestNothingChanged(t *testing.T) {
	s := newServer(t)
	same := 0
	s.Check = func(*http.Request, []byte, int, http.Header, []byte) { same++ }
	c := client(t, s, github.Options{Cache: answers{}})
	for range 3 {
		if err := c.Changed(t.Context(), bug.Ref{Repo: forgetest.Issue.Ref.Repo}, time.Time{},
			func(forge.Listed) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if same != 1 {
		t.Errorf("the list was sent %d times", same)
	}
}

func TestLinksOfAnIssue(t *testing.T) {
	s := newServer(t)
	want := []bug.Link{{Pull: 12, Closes: true}, {Commit: "0123456789012345678901234567890123456789"},
		{Commit: "9876543210987654321098765432109876543210", Closes: true}, {Pull: 13}}
	r := forgetest.Issue
	r.Ref.Number, r.Links = 30, want
	s.Put(githubtest.Issue{Report: r})
	got, err := client(t, s, github.Options{}).Report(t.Context(), r.Ref)
	if err != nil || !slices.Equal(got.Links, want) {
		t.Errorf("links %+v, %v, want %+v", got.Links, err, want)
	}
}

// Labels can be left as suggestions where the repository takes them.
func TestSuggestions(t *testing.T) {
	s := newServer(t)
	c := client(t, s, github.Options{Suggest: true})
	if err := c.AddLabels(t.Context(), forgetest.Issue.Ref, forge.Label{Name: "x", Why: "why"}); !errors.Is(err, forge.ErrNoSuggestions) {
		t.Errorf("a repository that takes none: %v", err)
	}
	r := forgetest.Issue
	r.Ref.Number = 31
	s.Put(githubtest.Issue{Report: r, Suggests: true})
	if err := c.AddLabels(t.Context(), r.Ref, forge.Label{Name: "module: new", Why: strings.Repeat("because ", 60)}); err != nil {
		t.Fatal(err)
	}
	live, err := c.Live(t.Context(), r.Ref)
	if err != nil || !slices.Equal(live.Proposed, []string{"module: new"}) || !slices.Equal(live.Labels, r.Labels) {
		t.Errorf("live: %+v, %v", live, err)
	}
}

// A token goes to its own host and no other.
func TestNoRedirectToAnotherHost(t *testing.T) {
	got := ""
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		got = r.Header.Get("Authorization")
	}))
	defer other.Close()
	first := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusMovedPermanently))
	defer first.Close()
	c, err := github.New(github.Options{URL: first.URL, Token: "ghp_canary"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Report(t.Context(), forgetest.Issue.Ref); err == nil || got != "" {
		t.Errorf("redirected: %v, the other host got %q", err, got)
	}
}

// The hundred and first comment is seen though the page before it has not changed.
func TestAPageThatComesLater(t *testing.T) {
	s := newServer(t)
	for range 99 {
		s.Say(forgetest.Issue.Ref, "bob", "again")
	}
	cache := answers{}
	for want := range 2 {
		r, err := client(t, s, github.Options{Cache: cache}).Report(t.Context(), forgetest.Issue.Ref)
		if err != nil || len(r.Comments) != 100+want {
			t.Fatalf("%d comments, %v, want %d", len(r.Comments), err, 100+want)
		}
		s.Say(forgetest.Issue.Ref, "bob", "one more")
	}
}

func TestKindsOfGone(t *testing.T) {
	s := newServer(t)
	at := func(n int) bug.Ref { return bug.Ref{Repo: "octo/snail", Number: n} }
	s.Put(githubtest.Issue{Report: bug.Report{Ref: at(20)}, Deleted: true})
	s.Put(githubtest.Issue{Report: bug.Report{Ref: at(21)}, MovedTo: at(7)})
	c := client(t, s, github.Options{})
	if _, err := c.Report(t.Context(), at(20)); !errors.Is(err, forge.ErrGone) {
		t.Errorf("deleted: %v", err)
	}
	var moved forge.Moved
	if _, err := c.Report(t.Context(), at(21)); !errors.As(err, &moved) || moved.To != at(7) {
		t.Errorf("moved: %v", err)
	}
	if _, err := c.Report(t.Context(), at(99)); !errors.Is(err, forge.ErrNotFound) {
		t.Errorf("not there: %v", err)
	}
	s.Writers("octo/snail")
	s.Put(githubtest.Issue{Report: bug.Report{Ref: at(22)}, Locked: true})
	if err := c.Comment(t.Context(), at(22), "x"); !errors.Is(err, forge.ErrForbidden) ||
		!strings.Contains(err.Error(), "locked") {
		t.Errorf("locked: %v", err)
	}
	s.Token = "another"
	if _, err := c.Report(t.Context(), at(7)); !errors.Is(err, forge.ErrToken) {
		t.Errorf("a token that is not accepted: %v", err)
	}
}

// Limits are waited for, visibly and as long as they say; what failed
// otherwise is asked again only if it cannot have done anything.
func TestWaitsAndAsksAgainOnlyWhereItIsSafe(t *testing.T) {
	read := func(c *github.Client) error {
		_, err := c.Live(context.Background(), forgetest.Issue.Ref)
		return err
	}
	write := func(c *github.Client) error {
		return c.AddLabels(context.Background(), forgetest.Issue.Ref, forge.Label{Name: "x", Why: "why"})
	}
	after := http.Header{"Retry-After": {"7"}}
	spent := http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"1767323105"},
		"Date": {"Fri, 02 Jan 2026 03:04:05 GMT"}}
	for _, k := range []struct {
		name  string
		fault githubtest.Fault
		do    func(*github.Client) error
		waits time.Duration // of the first wait; 0 for an error at once
	}{
		{"429 with retry-after", githubtest.Fault{Status: 429, Header: after}, write, 7 * time.Second},
		{"429 without", githubtest.Fault{Status: 429}, write, time.Minute},
		{"secondary limit", githubtest.Fault{Status: 403, Header: after}, write, 7 * time.Second},
		{"primary limit", githubtest.Fault{Status: 403, Header: spent}, read, 61 * time.Second},
		{"403 that is a no", githubtest.Fault{Status: 403}, write, 0},
		{"502 on a read", githubtest.Fault{Status: 502}, read, 2 * time.Second},
		{"502 on a write", githubtest.Fault{Status: 502}, write, 0},
		{"cut on a read", githubtest.Fault{Before: true}, read, 2 * time.Second},
		{"cut on a write", githubtest.Fault{After: true}, write, 0},
		{"422", githubtest.Fault{Status: 422}, write, 0},
		{"no answer to a read", githubtest.Fault{Silent: true}, read, 2 * time.Second},
		{"no answer to a write", githubtest.Fault{Silent: true}, write, 0},
	} {
		t.Run(k.name, func(t *testing.T) {
			s := newServer(t)
			s.Break(func(n int, _ *http.Request) githubtest.Fault {
				if n == 0 {
					return k.fault
				}
				return githubtest.Fault{}
			})
			var waited []time.Duration
			impatient := http.DefaultTransport.(*http.Transport).Clone()
			if k.fault.Silent {
				impatient.ResponseHeaderTimeout = 200 * time.Millisecond
			}
			c := client(t, s, github.Options{Base: impatient,
				Wait: func(_ context.Context, d time.Duration, _ string) error {
					waited = append(waited, d)
					return nil
				}})
			err := k.do(c)
			if errors.Is(err, forge.ErrLimited) { // a write is for whoever knows whether it still may be
				err = k.do(c)
			}
			if k.waits == 0 && (err == nil || len(waited) > 0) || k.waits > 0 &&
				(err != nil || len(waited) != 1 || waited[0] != k.waits) {
				t.Errorf("%v after waiting %v, want to wait %v", err, waited, k.waits)
			}
		})
	}
}

// No error says the token.
func TestTheTokenIsNotInErrors(t *testing.T) {
	s := newServer(t)
	c := client(t, s, github.Options{})
	var said bytes.Buffer
	for _, f := range []githubtest.Fault{{Status: 401}, {Status: 500}, {Before: true}, {Status: 422}} {
		s.Break(func(int, *http.Request) githubtest.Fault { return f })
		if err := c.Comment(t.Context(), forgetest.Issue.Ref, "x"); err != nil {
			said.WriteString(err.Error())
		}
	}
	if said.Len() == 0 || strings.Contains(said.String(), s.Token) {
		t.Errorf("said: %s", said.String())
	}
}
