package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/store"
)

// browsing is what the page asks.
func browsing(t *testing.T, open Open) {
	ctx := t.Context()
	s, err := open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for i, id := range []string{"aaaaaaaaaaaa", "bbbbbbbbbbbb"} {
		must(t, s.PutCase(ctx, store.Case{ID: id, Ref: "o/r#" + id[:1], Title: id, Verdict: "fixed", Body: []byte("{}"),
			Updated: at.Add(time.Duration(i) * time.Hour), Listed: []byte(`{"repo": "o/r"}`)}))
	}
	all, err := s.Briefs(ctx, at.Add(time.Minute))
	if err != nil || len(all) != 1 || all[0].ID != "bbbbbbbbbbbb" || string(all[0].Brief) != `{"repo": "o/r"}` {
		t.Errorf("touched since: %v, %v", all, err)
	}
	if n, err := s.CountCases(ctx); err != nil || n != 2 {
		t.Errorf("%d cases, %v", n, err)
	}
	if first, err := s.FirstSaid(ctx, at); err != nil || !first["aaaaaaaaaaaa"].Equal(at) {
		t.Errorf("first said: %v, %v", first, err)
	}
	said, err := s.Saids(ctx, at.Add(time.Minute))
	if err != nil || len(said) != 1 {
		t.Errorf("said since: %v, %v", said, err)
	}
	ledger(t, s, at)
	visits(t, s, at)
	views(t, s)
	spent(t, s, at)
}

// ledger is what the page asks about what is proposed.
func ledger(t *testing.T, s *store.Store, at time.Time) {
	ctx := t.Context()
	event := func(action, kind string, at time.Time) {
		must(t, s.Amend(ctx, action, "o/r#"+action, func([]store.Event) (*store.Event, error) {
			return &store.Event{Kind: kind, At: at, Body: []byte("{}")}, nil
		}))
	}
	event("1", "proposed", at)
	event("2", "proposed", at)
	event("2", "done", at.Add(time.Hour))
	event("3", "void", at)
	event("3", "proposed", at.Add(time.Hour)) // once more
	open1, err := s.OpenRefs(ctx)
	if slices.Sort(open1); err != nil || !slices.Equal(open1, []string{"o/r#1", "o/r#3"}) {
		t.Errorf("open: %v, %v", open1, err)
	}
	touched, err := s.TouchedRefs(ctx, at.Add(time.Minute))
	if slices.Sort(touched); err != nil || !slices.Equal(touched, []string{"o/r#2", "o/r#3"}) {
		t.Errorf("touched: %v, %v", touched, err)
	}
	if n, err := s.CountActions(ctx, "proposed"); err != nil || n != 3 {
		t.Errorf("%d were proposed, %v", n, err)
	}
	if n, err := s.CountEvents(ctx, "proposed", at.Add(time.Minute)); err != nil || n != 1 {
		t.Errorf("%d were proposed since, %v", n, err)
	}
	if one, err := s.Action(ctx, "2"); err != nil || len(one) != 2 || one[1].Kind != "done" {
		t.Errorf("one action: %v, %v", one, err)
	}
	if none, err := s.Action(ctx, "9"); err != nil || len(none) != 0 {
		t.Errorf("no action: %v, %v", none, err)
	}
}

func visits(t *testing.T, s *store.Store, at time.Time) {
	ctx := t.Context()
	for i, who := range []string{"ann", "bob"} {
		must(t, s.Audit(ctx, store.Audited{ID: who, At: at.Add(time.Duration(i) * time.Second), Who: who, Did: "came in\x00"}))
	}
	if err := s.Audit(ctx, store.Audited{ID: "ann", At: at, Who: "eve"}); err == nil {
		t.Error("something on record was written over")
	}
	if all, err := s.Audits(ctx, 1); err != nil || len(all) != 1 || all[0].Who != "bob" {
		t.Errorf("audit: %v, %v", all, err)
	}
	if before, err := s.Visit(ctx, "ann", at); err != nil || !before.IsZero() {
		t.Errorf("the first visit: %v, %v", before, err)
	}
	if before, err := s.Visit(ctx, "ann", at.Add(time.Hour)); err != nil || !before.Equal(at) {
		t.Errorf("the second: %v, %v", before, err)
	}
}

func views(t *testing.T, s *store.Store) {
	ctx := t.Context()
	for _, v := range []store.View{{Name: "b", Query: "x"}, {Name: "a", Query: "y"}, {Name: "b", Query: "z"}} {
		must(t, s.PutView(ctx, "ann", v))
	}
	views, err := s.Views(ctx, "ann")
	if err != nil || !slices.Equal(views, []store.View{{Name: "a", Query: "y"}, {Name: "b", Query: "z"}}) {
		t.Errorf("views: %v, %v", views, err)
	}
	must(t, s.PutView(ctx, "ann", store.View{Name: "a"}))
	if views, err := s.Views(ctx, "ann"); err != nil || len(views) != 1 {
		t.Errorf("after one was forgotten: %v, %v", views, err)
	}
}

func spent(t *testing.T, s *store.Store, at time.Time) {
	ctx := t.Context()
	if _, err := s.Spend(ctx, "pens", 3, 10, time.Hour, at); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Budgets(ctx); err != nil || len(all) != 1 || all[0].Used != 3 {
		t.Errorf("budgets: %v, %v", all, err)
	}
	if all, err := s.Doing(ctx, 5); err != nil || len(all) != 0 {
		t.Errorf("in hand: %v, %v", all, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
