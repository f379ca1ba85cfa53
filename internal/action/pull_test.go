package action_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
	"github.com/scrub-dev/scrub/internal/store"
)

// pullWorld is a server with a repository, and a ledger that holds a pull request for it.
func pullWorld(t *testing.T) (*githubtest.Server, *action.Ledger, action.Action) {
	t.Helper()
	s := githubtest.New()
	t.Cleanup(s.Close)
	s.Token = "ghp_canary"
	s.Writers(ref.Repo, s.Me)
	base := s.Git(ref.Repo, map[string]string{"AGENTS.md": "old\n", "a.py": "1\n"})
	kept, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	text, err := action.PullText(forge.Pull{Base: base, Title: "Say what goes together", Body: "Counted.\n\nTwice.",
		Files: map[string]string{"AGENTS.md": "new\n"}})
	if err != nil {
		t.Fatal(err)
	}
	l := ledger(kept, s.URL)
	a := action.Action{Kind: action.OpenPull, On: bug.Ref{Repo: ref.Repo}, Text: text, Why: "counted"}
	if err := l.Propose(t.Context(), bug.Report{Ref: a.On}, []action.Action{a}); err != nil {
		t.Fatal(err)
	}
	return s, l, a
}

func agree(t *testing.T, l *action.Ledger, a action.Action, yes bool) {
	t.Helper()
	if _, err := l.Decide(t.Context(), a.ID(), action.Vote{Yes: yes, By: "ann"}); err != nil {
		t.Fatal(err)
	}
}

// Whatever request goes wrong, before it took effect or after, there is one pull request in the end, with the very
// bytes that were agreed to.
func TestPullIsOpenedOnce(t *testing.T) {
	for n := range 12 {
		for _, fault := range []githubtest.Fault{{Before: true}, {After: true}, {Status: http.StatusInternalServerError}} {
			s, l, a := pullWorld(t)
			agree(t, l, a, true)
			from := s.Requests()
			s.Break(func(now int, _ *http.Request) githubtest.Fault {
				if now == from+n {
					return fault
				}
				return githubtest.Fault{}
			})
			for range 3 {
				_, _ = l.Apply(t.Context(), bug.Ref{}) // it may fail; the next finishes it
			}
			all := s.Pulls(ref.Repo)
			if len(all) != 1 || all[0].Files["AGENTS.md"] != "new\n" || len(all[0].Files) != 1 || all[0].Title != "Say what goes together" ||
				!strings.HasPrefix(all[0].Body, "Counted.\n\nTwice.\n") || all[0].Base != "main" {
				t.Errorf("request %d, %+v: %+v", n, fault, all)
			}
			entries, err := l.Entries(t.Context())
			if err != nil || len(entries) != 1 || entries[0].Status() != action.Done {
				t.Errorf("request %d, %+v: %+v, %v", n, fault, entries, err)
			}
			before := s.Requests()
			if err := l.Propose(t.Context(), bug.Report{Ref: a.On}, []action.Action{a}); err != nil {
				t.Fatal(err)
			}
			if dealt, err := l.Apply(t.Context(), bug.Ref{}); err != nil || len(dealt) != 0 || s.Requests() != before {
				t.Errorf("it was done again: %+v, %v", dealt, err)
			}
		}
	}
}

// Nothing is sent without a yes, after a no, against the rules, by who may not write, or in a rehearsal.
func TestPullIsNotOpened(t *testing.T) {
	for name, prepare := range map[string]func(*githubtest.Server, *action.Ledger, action.Action){
		"nobody said yes": func(*githubtest.Server, *action.Ledger, action.Action) {},
		"somebody said no": func(_ *githubtest.Server, l *action.Ledger, a action.Action) {
			agree(t, l, a, true)
			agree(t, l, a, false)
		},
		"the rules say never": func(_ *githubtest.Server, l *action.Ledger, a action.Action) {
			agree(t, l, a, true)
			l.Policy = func() (action.Policy, error) { return action.PolicyOf(map[string]string{"open-pull": "never"}) }
		},
		"no rights": func(s *githubtest.Server, l *action.Ledger, a action.Action) {
			agree(t, l, a, true)
			s.Writers(ref.Repo)
		},
		"a rehearsal": func(_ *githubtest.Server, l *action.Ledger, a action.Action) {
			agree(t, l, a, true)
			l.Writer, l.Store = &action.Rehearsal{Writer: l.Writer, Say: func(string) {}}, action.Unwritten(l.Store)
		},
	} {
		s, l, a := pullWorld(t)
		prepare(s, l, a)
		_, _ = l.Apply(t.Context(), bug.Ref{})
		if all := s.Pulls(ref.Repo); len(all) != 0 {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// What a person reads stands for exactly these files; what cannot be told apart is refused.
func TestPullText(t *testing.T) {
	p := forge.Pull{Base: "abc", Title: "t", Body: "b\n\nOn commit x", Files: map[string]string{"a": "1\n", "b/c": ""}}
	if _, err := action.PullText(p); err != nil {
		t.Error(err)
	}
	for _, bad := range []map[string]string{{"a": "-- b --\nx\n"}, {"a": "no end"}, {"a\nb": "x\n"}, {}} {
		p.Files = bad
		if text, err := action.PullText(p); err == nil {
			t.Errorf("%q became %q", bad, text)
		}
	}
}
