package action_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
	"github.com/scrub-dev/scrub/internal/store"
)

// kindOf is the kind of action that a request writes for; empty for one that
// writes nothing in public.
func kindOf(r *http.Request) action.Kind {
	path := strings.TrimPrefix(r.URL.Path, "/repos/octo/snail/issues/")
	switch {
	case r.Method == http.MethodGet || r.URL.Path == "/graphql":
		return ""
	case strings.Contains(path, "comments"):
		return action.Comment
	case r.Method == http.MethodDelete && path == "7/labels/bug":
		return action.RemoveLabel
	case r.Method == http.MethodPost && path == "7/labels" && adds(r):
		return action.AddLabel
	case strings.HasPrefix(path, "7/labels"):
		return action.RenewLabel
	}
	return action.Close
}

// adds reports whether a request adds labels that were not there before.
func adds(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	return err == nil && !strings.Contains(string(body), "triaged")
}

// A sent is a write that reached the server.
type sent struct {
	at   int
	what string
}

// sweep applies once with a fault at a request, during which stop happens, and
// twice more after that. It returns the writes of a kind after the request.
func sweep(t *testing.T, w *world, l *action.Ledger, at int, f githubtest.Fault, kind action.Kind, stop func()) []sent {
	var late []sent
	hook := func(k int, r *http.Request) githubtest.Fault {
		if k > at && kindOf(r) == kind {
			late = append(late, sent{k, r.Method + " " + r.URL.Path})
		}
		if k != at {
			return githubtest.Fault{}
		}
		stop()
		return f
	}
	w.Break(hook)
	for range 3 {
		_, _ = l.Apply(t.Context(), bug.Ref{}) // what it says is tested elsewhere
	}
	return late
}

// A label that was taken away to be put back is put back: that leaves the issue
// as it was.
func putsBack(late []sent) bool {
	return len(late) == 1 && strings.HasPrefix(late[0].what, "POST ") && strings.HasSuffix(late[0].what, "/labels")
}

// After a no there is no write, at whatever request of a whole scrub it comes,
// with and without a fault at that request; and so after the rules turn to never.
func TestNoWriteAfterANo(t *testing.T) {
	all := map[string]githubtest.Fault{"none": {}}
	for name, f := range faults {
		all[name] = f
	}
	n := requests(t, true)
	kinds := []action.Kind{action.Comment, action.RenewLabel, action.RemoveLabel, action.AddLabel, action.Close}
	type count struct{ cases, back int }
	table := map[string]count{}
	cases := 0
	for _, how := range []string{"a no", "never"} {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			f := all[name]
			for _, kind := range kinds {
				for at := range n {
					if cases++; testing.Short() && cases%6 != 0 {
						continue
					}
					w := newWorld(t, true)
					l := ledger(w.store, w.URL)
					forbidden := false
					l.Policy = func() (action.Policy, error) {
						if forbidden {
							return action.PolicyOf(map[string]string{string(kind): "never"})
						}
						return action.PolicyOf(nil)
					}
					stop := func() { forbidden = true }
					if how == "a no" {
						stop = func() { deny(t, w, kind) }
					}
					late := sweep(t, w, l, at, f, kind, stop)
					c := table[how+", fault: "+name]
					c.cases++
					if kind == action.RenewLabel && putsBack(late) {
						c.back++
					} else if len(late) > 0 {
						t.Errorf("%s of %s at request %d, fault %s: %v", how, kind, at, name, late)
					}
					if !slices.Contains(w.Issue(ref).Labels, "triaged") {
						t.Errorf("%s of %s at request %d, fault %s: the label is lost", how, kind, at, name)
					}
					table[how+", fault: "+name] = c
					w.end()
				}
			}
		}
	}
	total := 0
	for what, c := range table {
		total += c.cases
		t.Logf("%-32s %d cases, no write after it (%d times a label was put back)", what, c.cases, c.back)
	}
	t.Logf("%d cases of a no and of rules that turn to never", total)
}

// deny has somebody else say no to an action, from another process's store. One
// that is done already cannot be denied.
func deny(t *testing.T, w *world, kind action.Kind) {
	other, err := store.Open(context.Background(), w.file)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	l := ledger(other, w.URL)
	all, err := l.Entries(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Action.Kind == kind && e.Status() != "done" {
			if _, err := l.Decide(context.Background(), e.Action.ID(), action.Vote{By: "bob"}); err != nil {
				t.Error(err)
			}
		}
	}
}

// Two scrubs with state files of their own and one account write on one issue at
// the same moment, round after round: one comment stays.
func TestTwoMachinesOneComment(t *testing.T) {
	const rounds = 200
	for round := range rounds {
		w := newWorld(t, false)
		machines := []*store.Store{w.store, second(t, w, round)}
		var wg sync.WaitGroup
		for _, s := range machines {
			wg.Go(func() {
				for range 2 {
					// one of them may be told that the other was faster
					_, _ = ledger(s, w.URL).Apply(t.Context(), bug.Ref{})
				}
			})
		}
		wg.Wait()
		var own []string
		for _, c := range w.Issue(ref).Comments {
			if forge.Own(c.Body, c.Author, w.Me) {
				own = append(own, c.Body)
			}
		}
		if len(own) != 1 {
			t.Errorf("round %d: %d comments: %q", round, len(own), own)
		}
		w.end()
	}
	t.Logf("%d rounds of two machines on one issue", rounds)
}

// second is the state file of another machine that has come to the same, or in
// every other round to another comment.
func second(t *testing.T, w *world, round int) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "second.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	text := "It is fixed."
	if round%2 == 1 {
		text = fmt.Sprintf("It is fixed, says the other machine in round %d.", round)
	}
	a := action.Action{Kind: action.Comment, On: ref, Text: text, Why: "seen"}
	l := ledger(s, w.URL)
	if err := l.Propose(t.Context(), w.read(t), []action.Action{a}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Decide(t.Context(), a.ID(), action.Vote{By: "ann", Yes: true}); err != nil {
		t.Fatal(err)
	}
	return s
}
