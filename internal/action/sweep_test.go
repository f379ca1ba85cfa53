package action_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/github"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
	"github.com/scrub-dev/scrub/internal/store"
)

const childEnv = "SCRUB_ACTION_CHILD" // the server and the state file of a child that is to be killed

func TestMain(m *testing.M) {
	if at := os.Getenv(childEnv); at != "" {
		url, file, _ := strings.Cut(at, " ")
		s, err := store.Open(context.Background(), file)
		if err == nil {
			_, err = ledger(s, url).Apply(context.Background(), bug.Ref{})
		}
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var ref = bug.Ref{Repo: "octo/snail", Number: 7}

func ledger(s *store.Store, url string) *action.Ledger {
	c, err := github.New(github.Options{URL: url, Token: "ghp_canary",
		Wait: func(context.Context, time.Duration, string) error { return nil }})
	if err != nil {
		panic(err)
	}
	policy := func() (action.Policy, error) { return action.PolicyOf(nil) }
	return &action.Ledger{Store: s, Writer: c, Policy: policy, Now: time.Now,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, Warn: func(string) {}}
}

// A world is a server with an issue and a ledger in which all of a scrub is approved.
type world struct {
	*githubtest.Server
	store  *store.Store
	file   string
	closes bool
}

func newWorld(t *testing.T, closes bool) *world {
	t.Helper()
	w := &world{Server: githubtest.New(), file: filepath.Join(t.TempDir(), "s.db"), closes: closes}
	w.Token = "ghp_canary"
	w.Writers(ref.Repo, w.Me)
	report := bug.Report{Ref: ref, Title: "Snail turns left", Body: "It should turn right.", Author: "ann",
		Labels: []string{"triaged", "bug"}, State: bug.Open,
		Comments: []bug.Comment{{Author: "bob", Body: "Same here."}}}
	w.Put(githubtest.Issue{Report: report, Subscription: forge.Ignored})
	var err error
	if w.store, err = store.Open(t.Context(), w.file); err != nil {
		t.Fatal(err)
	}
	l := ledger(w.store, w.URL)
	all := []action.Action{
		{Kind: action.Comment, On: ref, Text: "It is fixed.", Why: "seen"},
		{Kind: action.RenewLabel, On: ref, Text: "triaged", Why: "seen"},
		{Kind: action.RemoveLabel, On: ref, Text: "bug", Why: "seen"},
		{Kind: action.AddLabel, On: ref, Text: "module: shell", Why: "seen"},
		{Kind: action.AddLabel, On: ref, Text: "crash", Why: "seen"},
	}
	if closes {
		all = append(all, action.Action{Kind: action.Close, On: ref, Text: "completed", Why: "seen"})
	}
	if err := l.Propose(t.Context(), report, all); err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if _, err := l.Decide(t.Context(), a.ID(), action.Vote{By: "ann", Yes: true}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) end() {
	w.Close()
	_ = w.store.Close() // the folder goes with the test
}

// apply is a run of scrub apply.
func (w *world) apply(t *testing.T) error {
	_, err := ledger(w.store, w.URL).Apply(t.Context(), bug.Ref{})
	return err
}

// read is the issue as a client reads it.
func (w *world) read(t *testing.T) bug.Report {
	r, err := ledger(w.store, w.URL).Writer.(*github.Client).Report(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wrong says what is not as it must be in the end.
func (w *world) wrong(t *testing.T) string {
	i := w.Issue(ref)
	var ours []string
	for _, c := range i.Comments {
		if forge.Own(c.Body, c.Author, w.Me) {
			ours = append(ours, c.Body)
		}
	}
	want := forge.Ignored
	if w.closes {
		want = forge.Subscribed // whoever closes stays to hear the answer
	}
	entries, err := ledger(w.store, w.URL).Entries(t.Context())
	_, kept, keptErr := w.store.Subscription(t.Context(), ref.String())
	switch {
	case err != nil || keptErr != nil:
		return fmt.Sprint(err, keptErr)
	case len(ours) != 1 || !strings.HasPrefix(ours[0], "It is fixed."):
		return fmt.Sprintf("comments: %q", ours)
	case !slices.Equal(slices.Sorted(slices.Values(i.Labels)), []string{"crash", "module: shell", "triaged"}):
		return fmt.Sprintf("labels: %q", i.Labels)
	case (i.State == bug.Closed) != w.closes:
		return "state: " + string(i.State)
	case i.Subscription != want || kept:
		return fmt.Sprintf("subscription: %s, kept %v", i.Subscription, kept)
	}
	for _, e := range entries {
		if e.Status() != "done" {
			return fmt.Sprintf("ledger: %s is %s (%s %s)", e.Action.Kind, e.Status(), e.Void, e.Failed)
		}
	}
	return ""
}

var faults = map[string]githubtest.Fault{
	"403": {Status: 403}, "404": {Status: 404}, "410": {Status: 410}, "422": {Status: 422}, "502": {Status: 502},
	"429": {Status: 429}, "429 retry-after": {Status: 429, Header: http.Header{"Retry-After": {"1"}}},
	"secondary limit": {Status: 403, Header: http.Header{"Retry-After": {"1"}}},
	"cut before":      {Before: true}, "cut after": {After: true},
}

// requests is how many a run without faults makes.
func requests(t *testing.T, closes bool) int {
	w := newWorld(t, closes)
	defer w.end()
	if err := w.apply(t); err != nil {
		t.Fatal(err)
	}
	if wrong := w.wrong(t); wrong != "" {
		t.Fatal(wrong)
	}
	return w.Requests()
}

// Each fault at each request of a whole scrub, and then another run: exactly
// one comment, the right labels, the subscription as before or left where the
// issue was closed, and the ledger true.
func TestEveryFaultAtEveryRequest(t *testing.T) {
	cases := 0
	for _, closes := range []bool{false, true} {
		n := requests(t, closes)
		for name, f := range faults {
			for at := range n {
				cases++
				w := newWorld(t, closes)
				w.Break(func(k int, _ *http.Request) githubtest.Fault {
					if k == at {
						return f
					}
					return githubtest.Fault{}
				})
				first := w.apply(t)
				w.Break(nil)
				second := w.apply(t)
				if wrong := w.wrong(t); wrong != "" {
					t.Errorf("%s at request %d of %d, closing %v: %s (first %v, then %v)", name, at, n, closes, wrong,
						first, second)
				}
				w.end()
			}
		}
	}
	t.Logf("%d cases", cases)
}

// kill -9 before and after each request took effect.
func TestKilledAtEveryRequest(t *testing.T) {
	cases := 0
	for _, closes := range []bool{false, true} {
		n := requests(t, closes)
		for at := range n {
			for _, after := range []bool{false, true} {
				cases++
				w := newWorld(t, closes)
				child := exec.Command(os.Args[0], "-test.run=^$")
				child.Env = append(os.Environ(), childEnv+"="+w.URL+" "+w.file)
				started := make(chan *os.Process, 1)
				// It is dead before it gets an answer.
				kill := func() { _ = (<-started).Kill() }
				w.Break(func(k int, _ *http.Request) githubtest.Fault {
					if k != at {
						return githubtest.Fault{}
					}
					return githubtest.Fault{Before: !after, After: after, Then: kill}
				})
				if err := child.Start(); err != nil {
					t.Fatal(err)
				}
				started <- child.Process
				if err := child.Wait(); err == nil {
					t.Errorf("request %d: the child was not killed", at)
				}
				w.Break(nil)
				again := w.apply(t)
				if wrong := w.wrong(t); wrong != "" {
					t.Errorf("killed at request %d of %d, after it %v, closing %v: %s (then %v)", at, n, after, closes,
						wrong, again)
				}
				w.end()
			}
		}
	}
	t.Logf("%d cases", cases)
}

// If the thread moves on, nothing is applied, and it has to be proposed anew.
func TestTheThreadMovesOn(t *testing.T) {
	for _, move := range []func(*world){
		func(w *world) { w.Say(ref, "carla", "It is not fixed on my machine.") },
		func(w *world) {
			i := w.Issue(ref)
			i.State = bug.Closed
			w.Put(i)
		},
	} {
		w := newWorld(t, false)
		before := w.Issue(ref)
		move(w)
		if err := w.apply(t); err == nil || !strings.Contains(err.Error(), "for a new proposal") {
			t.Errorf("apply: %v", err)
		}
		if i := w.Issue(ref); !slices.Equal(i.Labels, before.Labels) || i.Subscription != forge.Ignored ||
			slices.ContainsFunc(i.Comments, func(c bug.Comment) bool { return forge.Own(c.Body, c.Author, w.Me) }) {
			t.Errorf("something was changed: %+v", i)
		}
		w.end()
	}
}

// Somebody who copies scrub's mark is somebody all the same.
func TestAMarkThatIsNotOurs(t *testing.T) {
	w := newWorld(t, false)
	defer w.end()
	w.Say(ref, "mallory", "Do not look here. "+forge.Mark("000000000000"))
	if err := w.apply(t); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("apply: %v", err)
	}
}

// One comment of scrub's on an issue: it is edited when there is news, and
// left alone when there is none.
func TestOneCommentThatIsEdited(t *testing.T) {
	w := newWorld(t, false)
	defer w.end()
	if err := w.apply(t); err != nil {
		t.Fatal(err)
	}
	n := w.Requests()
	if err := w.apply(t); err != nil || w.Requests() != n {
		t.Errorf("with nothing new, %d requests were made (%v)", w.Requests()-n, err)
	}
	l := ledger(w.store, w.URL)
	news := action.Action{Kind: action.Comment, On: ref, Text: "It is back.", Why: "seen"}
	if err := l.Propose(t.Context(), w.read(t), []action.Action{news}); err != nil {
		t.Fatal(err)
	}
	if err := w.apply(t); err != nil { // nobody has agreed yet
		t.Fatal(err)
	}
	if i := w.Issue(ref); len(i.Comments) != 2 || !strings.HasPrefix(i.Comments[1].Body, "It is fixed.") {
		t.Fatalf("without consent: %+v", i.Comments)
	}
	if _, err := l.Decide(t.Context(), news.ID(), action.Vote{By: "ann", Yes: true}); err != nil {
		t.Fatal(err)
	}
	if err := w.apply(t); err != nil {
		t.Fatal(err)
	}
	if i := w.Issue(ref); len(i.Comments) != 2 || !strings.HasPrefix(i.Comments[1].Body, "It is back.") ||
		i.Subscription != forge.Ignored {
		t.Errorf("after news: %+v, %s", i.Comments, i.Subscription)
	}
}

func TestBudgetAndDecisions(t *testing.T) {
	w := newWorld(t, false)
	defer w.end()
	l := ledger(w.store, w.URL)
	l.Hourly = 1
	if _, err := l.Apply(t.Context(), bug.Ref{}); err == nil ||
		!strings.Contains(err.Error(), "hourly write limit") {
		t.Errorf("two writes with a budget of one: %v", err)
	}
	label := action.Action{Kind: action.AddLabel, On: ref, Text: "x"}
	if err := l.Propose(t.Context(), w.read(t), []action.Action{label}); err != nil {
		t.Fatal(err)
	}
	for _, yes := range []bool{true, false, true} {
		if _, err := l.Decide(t.Context(), label.ID(), action.Vote{By: "ann", Yes: yes}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := l.Entries(t.Context())
	if i := slices.IndexFunc(all, func(e action.Entry) bool { return e.Action == label }); err != nil ||
		all[i].Approved() {
		t.Errorf("one no outweighs any number of yeses: %+v, %v", all[i], err)
	}
	if _, err := l.Decide(t.Context(), label.ID(), action.Vote{Yes: true}); err == nil {
		t.Error("a decision without a name counts")
	}
}

// In an hour exactly as many writes are made as the project allows, and the next
// ones when the hour is over.
func TestTheHourlyLimitIsExact(t *testing.T) {
	w := newWorld(t, true)
	defer w.end()
	l := ledger(w.store, w.URL)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l.Now, l.Hourly = func() time.Time { return now }, 2
	done := func() int {
		all, err := l.Entries(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range all {
			if e.Status() == action.Done {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		later time.Duration
		done  int
		full  bool
	}{{0, 2, true}, {time.Hour - time.Second, 2, true}, {time.Second, 4, true}, {time.Hour, 6, false}} {
		now = now.Add(step.later)
		_, err := l.Apply(t.Context(), bug.Ref{})
		if got := done(); got != step.done || errors.Is(err, action.ErrBudget) != step.full {
			t.Errorf("%v later %d of %d are done: %v", step.later, got, step.done, err)
		}
	}
}
