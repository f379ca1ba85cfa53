// Package storetest checks what every store must do.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/store"
)

// An Open opens the state of one test, each time it is called.
type Open func(ctx context.Context) (*store.Store, error)

// Run checks stores. Fresh is how to open one that is empty at first.
func Run(t *testing.T, fresh func(t *testing.T) Open) {
	for name, check := range map[string]func(*testing.T, Open){
		"many at once":               manyAtOnce,
		"the first answer stays":     firstStays,
		"cases by ref and beginning": casesByName,
		"the last word counts":       lastWord,
		"events in order":            events,
		"one event after another":    amends,
		"subscriptions":              subscriptions,
		"locks":                      locks,
		"prune keeps decisions":      prunes,
		"any text":                   anyText,
		"sweeps":                     sweeps,
		"items of a sweep":           items,
		"items that are there":       itemsAgain,
		"what was said of a case":    said,
		"budgets are shared":         budgets,
		"holding a lock":             holds,
		"who has what":               homes,
		"what the page asks":         browsing,
	} {
		t.Run(name, func(t *testing.T) { check(t, fresh(t)) })
	}
}

// opened is a store that is closed with the test.
func opened(t *testing.T, open Open) *store.Store {
	t.Helper()
	s, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func manyAtOnce(t *testing.T, open Open) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := open(context.Background())
			if err != nil {
				t.Errorf("open %d: %v", i, err)
				return
			}
			defer s.Close()
			for j := range 20 {
				key := fmt.Sprint("many ", j)
				got, err := s.Put(context.Background(), key, []byte(fmt.Sprint("from ", i)))
				if err != nil {
					t.Errorf("put: %v", err)
				}
				again, ok, err := s.Get(context.Background(), key)
				if !ok || err != nil || !bytes.Equal(again, got) {
					t.Errorf("%s is %q, then %q (%v)", key, got, again, err)
				}
			}
		})
	}
	wg.Wait()
}

func firstStays(t *testing.T, open Open) {
	s := opened(t, open)
	for _, value := range []string{"1", "2"} {
		if got, err := s.Put(t.Context(), "first", []byte(value)); err != nil || string(got) != "1" {
			t.Errorf("Put(%s) = %s, %v", value, got, err)
		}
	}
	if _, ok, err := s.Get(t.Context(), "never"); ok || err != nil {
		t.Errorf("an answer that nobody gave: %v, %v", ok, err)
	}
	answers := store.Answers{Store: s}
	for _, value := range []string{"1", "2"} {
		if err := answers.Put(t.Context(), "last", []byte(value)); err != nil {
			t.Error(err)
		}
	}
	if got, ok, err := answers.Get(t.Context(), "last"); !ok || err != nil || string(got) != "2" {
		t.Errorf("the last answer of a forge is %s, %v, %v", got, ok, err)
	}
}

func casesByName(t *testing.T, open Open) {
	s := opened(t, open)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for i, id := range []string{"aa11", "aa22", "bb33"} {
		c := store.Case{
			ID: id, Ref: fmt.Sprintf("o/r#%d", i), Title: "t", Verdict: "v", Body: []byte(`{"n":1}`),
			Updated: at.Add(time.Duration(i) * time.Hour),
		}
		for range 2 { // the same again takes its place
			if err := s.PutCase(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, want := range map[string]string{"bb": "bb33", "aa2": "aa22", "o/r#0": "aa11"} {
		if c, err := s.Case(t.Context(), name); c.ID != want || err != nil || string(c.Body) != `{"n":1}` {
			t.Errorf("Case(%q) = %+v, %v, want %s", name, c, err, want)
		}
	}
	for _, name := range []string{"aa", "zz", "", "%"} {
		if c, err := s.Case(t.Context(), name); err == nil {
			t.Errorf("Case(%q) = %v, want an error", name, c)
		}
	}
	if _, err := s.Case(t.Context(), "zz"); !errors.Is(err, store.ErrNoCase) {
		t.Errorf("unknown case: %v", err)
	}
	all, err := s.Cases(t.Context())
	if err != nil || len(all) != 3 || all[0].ID != "bb33" || !all[0].Updated.Equal(at.Add(2*time.Hour)) {
		t.Errorf("Cases = %v, %v", all, err)
	}
}

func lastWord(t *testing.T, open Open) {
	s := opened(t, open)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for i, said := range []string{"proceed", "skip"} {
		d := store.Decision{Program: "p1", Said: said, Who: "ann", At: at.Add(time.Duration(i) * time.Nanosecond)}
		if err := s.Decide(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	d, ok, err := s.Decision(t.Context(), "p1")
	if !ok || err != nil || d.Said != "skip" || d.Who != "ann" || !d.At.Equal(at.Add(1)) {
		t.Errorf("Decision = %+v, %v, %v", d, ok, err)
	}
	if _, ok, err := s.Decision(t.Context(), "p2"); ok || err != nil {
		t.Errorf("a decision nobody made: %v, %v", ok, err)
	}
	if all, err := s.Decisions(t.Context()); err != nil || len(all) != 2 || all[0].Said != "skip" {
		t.Errorf("Decisions = %+v, %v", all, err)
	}
}

// add adds an event to an action.
func add(t *testing.T, s *store.Store, id string, e store.Event) {
	t.Helper()
	err := s.Amend(t.Context(), id, "o/r#1", func([]store.Event) (*store.Event, error) { return &e, nil })
	if err != nil {
		t.Fatal(err)
	}
}

func events(t *testing.T, open Open) {
	s := opened(t, open)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	add(t, s, "later", store.Event{Kind: "proposed", At: at.Add(time.Hour), Body: []byte(`{"n":1}`)})
	add(t, s, "sooner", store.Event{Kind: "proposed", At: at, Body: []byte(`{"n":2}`)})
	said := store.Event{Kind: "decided", Who: "ann", Why: "no", At: at.Add(2 * time.Hour), Body: []byte(`{"n":3}`)}
	add(t, s, "sooner", said)
	all, err := s.Actions(t.Context(), "")
	if err != nil || len(all) != 2 || len(all[0]) != 2 || len(all[1]) != 1 {
		t.Fatalf("Actions = %+v, %v", all, err)
	}
	last := all[0][1]
	if last.Kind != said.Kind || last.Who != said.Who || last.Why != said.Why || !last.At.Equal(said.At) ||
		!bytes.Equal(last.Body, said.Body) {
		t.Errorf("the last event is %+v, want %+v", last, said)
	}
	err = s.Amend(t.Context(), "sooner", "o/r#1", func([]store.Event) (*store.Event, error) { return nil, errStop })
	if again, _ := s.Actions(t.Context(), ""); !errors.Is(err, errStop) || len(again[0]) != 2 {
		t.Errorf("an amendment that was given up: %v, %+v", err, again)
	}
}

var errStop = errors.New("stop")

// amends has many add to one action at once: each sees all that came before it.
func amends(t *testing.T, open Open) {
	s := opened(t, open)
	const many = 24
	var wg sync.WaitGroup
	for range many {
		wg.Go(func() {
			err := s.Amend(t.Context(), "busy", "o/r#2", func(kept []store.Event) (*store.Event, error) {
				return &store.Event{Kind: fmt.Sprint(len(kept)), At: time.Unix(0, 0)}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	err := s.Amend(t.Context(), "busy", "o/r#2", func(kept []store.Event) (*store.Event, error) {
		for i, e := range kept {
			if e.Kind != fmt.Sprint(i) {
				t.Errorf("event %d was added by one that saw %s", i, e.Kind)
			}
		}
		if len(kept) != many {
			t.Errorf("%d events of %d", len(kept), many)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}

func subscriptions(t *testing.T, open Open) {
	s := opened(t, open)
	for _, state := range []string{"IGNORED", "SUBSCRIBED"} { // the first is what it was
		if err := s.PutSubscription(t.Context(), "o/r#3", state); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := s.Subscription(t.Context(), "o/r#3"); got != "IGNORED" || !ok || err != nil {
		t.Errorf("Subscription = %s, %v, %v", got, ok, err)
	}
	if err := s.DropSubscription(t.Context(), "o/r#3"); err != nil {
		t.Error(err)
	}
	if _, ok, err := s.Subscription(t.Context(), "o/r#3"); ok || err != nil {
		t.Errorf("a subscription that was dropped: %v, %v", ok, err)
	}
}

func locks(t *testing.T, open Open) {
	one, other := opened(t, open), opened(t, open)
	release, err := one.Lock(t.Context(), "apply")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Lock(t.Context(), "apply"); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a lock that another holds: %v", err)
	}
	free, err := other.Lock(t.Context(), "else")
	if err != nil {
		t.Errorf("a lock of another name: %v", err)
	} else {
		free()
	}
	release()
	again, err := other.Lock(t.Context(), "apply")
	if err != nil {
		t.Fatalf("a lock that was let go of: %v", err)
	}
	again()
}

func prunes(t *testing.T, open Open) {
	s := opened(t, open)
	day := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	long := []byte(`"` + strings.Repeat("said more than once ", 10000) + `"`)
	_, err := s.Put(t.Context(), "run/1:x", long)
	err = errors.Join(err, s.PutCase(t.Context(), store.Case{ID: "old", Body: long, Updated: day}),
		s.PutCase(t.Context(), store.Case{ID: "new", Body: long, Updated: day.AddDate(90, 0, 0)}),
		s.Decide(t.Context(), store.Decision{Program: "p9", Said: "skip", Who: "ann", At: day}))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok, err := s.Get(t.Context(), "run/1:x"); !ok || err != nil || !bytes.Equal(got, long) {
		t.Errorf("what was kept is not what was put: %d bytes, %v, %v", len(got), ok, err)
	}
	dry, err := s.Prune(t.Context(), day.AddDate(0, 0, 1), true)
	if err != nil || dry.Cases != 1 || dry.Answers != 0 || dry.Before <= 0 {
		t.Errorf("%+v, %v", dry, err)
	}
	p, err := s.Prune(t.Context(), day.AddDate(80, 0, 0), false)
	if err != nil || p.Cases < 1 || p.Answers < 1 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, ok, err := s.Get(t.Context(), "run/1:x"); ok || err != nil {
		t.Errorf("an old answer is still there: %v", err)
	}
	if _, err := s.Case(t.Context(), "new"); err != nil {
		t.Errorf("a case that is not old is gone: %v", err)
	}
	if d, ok, err := s.Decision(t.Context(), "p9"); !ok || err != nil || d.Said != "skip" {
		t.Errorf("a decision is gone: %+v, %v, %v", d, ok, err)
	}
}

// anyText keeps what strangers may write.
func anyText(t *testing.T, open Open) {
	s := opened(t, open)
	odd := "a\x00b\xff é 👩\u200d🔬 ' \" \\ $1 ?"
	c := store.Case{ID: "odd1", Ref: "o/odd#1", Title: odd, Body: []byte(`{}`), Updated: time.Unix(0, 0)}
	if err := s.PutCase(t.Context(), c); err != nil {
		t.Error(err)
	}
	got, err := s.Case(t.Context(), "odd1")
	if want := "a\uFFFDb\uFFFD é 👩\u200d🔬 ' \" \\ $1 ?"; err != nil || got.Title != want {
		t.Errorf("%q, %v, want %q", got.Title, err, want)
	}
	add(t, s, "odd", store.Event{Kind: "decided", Who: odd, Why: odd, At: time.Unix(0, 0), Body: []byte(`{}`)})
}
