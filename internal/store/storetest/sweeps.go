package storetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/store"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func sweeps(t *testing.T, open Open) {
	s, ctx := opened(t, open), t.Context()
	for _, id := range []string{"old", "new"} {
		if err := s.PutSweep(ctx, store.Sweep{ID: id, At: noon, State: "going", Body: []byte(`{"n":1}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.SetSweep(ctx, "old", "stopped", "why"), s.UseUp(ctx, "old", time.Second),
		s.UseUp(ctx, "old", time.Second)); err != nil {
		t.Fatal(err)
	}
	if w, err := s.Sweep(ctx, "ol"); err != nil || w.State != "stopped" || w.Why != "why" || w.Used != 2e9 {
		t.Errorf("%+v, %v", w, err)
	}
	if _, err := s.Sweep(ctx, "nothing"); !errors.Is(err, store.ErrNoSweep) {
		t.Errorf("a sweep that is not there: %v", err)
	}
}

// two are items of a sweep, of which the second has a leader and is done.
func two(t *testing.T, s *store.Store) (one store.Item) {
	t.Helper()
	one = store.Item{Source: "a", Digest: "1", Repo: "o/r", Title: "t\x00", State: "waiting", Step: "run", Place: 3,
		Updated: noon}
	other := one
	other.Source = "b"
	begin, err := s.AddItems(t.Context(), "new", []store.Item{one, other})
	if err != nil || len(begin) != 2 || begin[1].N != 2 {
		t.Fatalf("%+v, %v", begin, err)
	}
	i, err := s.ItemOf(t.Context(), "new", "b")
	if err != nil || i.N != 2 || !i.Updated.Equal(noon) {
		t.Fatalf("%+v, %v", i, err)
	}
	i.State, i.Leader, i.Verdict, i.Updated = "done", 1, "fixed", noon.Add(time.Hour)
	if err := s.SetItem(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	return one
}

func itemsAgain(t *testing.T, open Open) {
	s, ctx := opened(t, open), t.Context()
	one := two(t, s)
	changed := one
	changed.Digest = "2"
	for k, tt := range []struct {
		add  func(context.Context, string, []store.Item) ([]store.Item, error)
		item store.Item
		want int
	}{{s.AddItems, one, 0}, {s.AddNew, changed, 0}, {s.AddItems, changed, 1}} {
		if begin, err := tt.add(ctx, "new", []store.Item{tt.item}); err != nil || len(begin) != tt.want {
			t.Errorf("%d: %+v, %v", k, begin, err)
		}
	}
}

func items(t *testing.T, open Open) {
	s, ctx := opened(t, open), t.Context()
	two(t, s)
	if led, err := s.Led(ctx, "new", 1, "done", "waiting"); err != nil || len(led) != 1 || led[0].N != 2 {
		t.Errorf("%+v, %v", led, err)
	}
	if touched, err := s.Touched(ctx, "new", noon.Add(time.Minute), "done"); err != nil || len(touched) != 1 {
		t.Errorf("%+v, %v", touched, err)
	}
	tallies, err := s.Tallies(ctx, "new")
	if err != nil || len(tallies) != 2 || tallies[0] != (store.Tally{State: "done", Step: "run", Verdict: "fixed", N: 1}) {
		t.Errorf("%+v, %v", tallies, err)
	}
	for states, want := range map[string]bool{"done": true, "waiting": true, "gather": false} {
		if yes, err := s.Any(ctx, "new", []string{states}, []string{"triage", "run"}); yes != want || err != nil {
			t.Errorf("any %s: %v, %v", states, yes, err)
		}
	}
	if yes, err := s.Any(ctx, "new", []string{"done", "waiting"}, []string{"small"}); yes || err != nil {
		t.Errorf("any small: %v, %v", yes, err)
	}
	last, err := s.LastPlace(ctx, "o/r", []string{"done"})
	first, err2 := s.Foremost(ctx, "waiting")
	if last != 3 || first != 3 || err != nil || err2 != nil {
		t.Errorf("%d, %d, %v, %v", last, first, err, err2)
	}
}

func said(t *testing.T, open Open) {
	s := opened(t, open)
	for k, v := range []string{"reproduces", "reproduces", "fixed", "reproduces"} {
		c := store.Case{ID: "aa", Verdict: v, Body: []byte("{}"), Version: string(rune('1' + k)), Updated: noon}
		if err := s.PutCase(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	short := store.Case{ID: "0123abcd", Ref: "o/r#9", Verdict: "reproduces", Body: []byte("{}"), Updated: noon}
	long := short
	long.ID, long.Verdict = "0123abcd4567", "fixed"
	if err := errors.Join(s.PutCase(t.Context(), short), s.PutCase(t.Context(), long)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.PutCase(t.Context(), short), s.PutCase(t.Context(), long)); err != nil {
		t.Fatalf("an earlier scrub wrote it once more: %v", err)
	}
	both, err := s.Said(t.Context(), long.ID)
	one, err2 := s.Case(t.Context(), short.ID)
	if err != nil || err2 != nil || len(both) != 2 || one.ID != long.ID {
		t.Errorf("a case whose name grew: %+v, %+v, %v, %v", both, one, err, err2)
	}
	all, err := s.Said(t.Context(), "aa")
	if err != nil || len(all) != 3 || all[1].Verdict != "fixed" || all[1].Version != "3" || !all[0].At.Equal(noon) {
		t.Errorf("%+v, %v", all, err)
	}
}

func budgets(t *testing.T, open Open) {
	s, ctx := opened(t, open), t.Context()
	var spent atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				wait, err := s.Spend(ctx, "requests", 1, 7, time.Hour, noon)
				if err != nil {
					t.Error(err)
				}
				if wait == 0 {
					spent.Add(1)
				} else if wait != time.Hour {
					t.Errorf("wait %v", wait)
				}
			}
		})
	}
	wg.Wait()
	if n := spent.Load(); n != 7 {
		t.Errorf("%d were spent of 7", n)
	}
	if wait, err := s.Spend(ctx, "requests", 1, 7, time.Hour, noon.Add(30*time.Minute)); wait != 30*time.Minute || err != nil {
		t.Errorf("half an hour later: %v, %v", wait, err)
	}
	if wait, err := s.Spend(ctx, "requests", 1, 7, time.Hour, noon.Add(time.Hour)); wait != 0 || err != nil {
		t.Errorf("an hour later: %v, %v", wait, err)
	}
	if wait, err := s.Spend(ctx, "others", 1, 7, time.Hour, noon); wait != 0 || err != nil {
		t.Errorf("another one: %v, %v", wait, err)
	}
}

func holds(t *testing.T, open Open) {
	one, two := opened(t, open), opened(t, open)
	ctx := t.Context()
	release, err := one.Hold(ctx, "x")
	if err != nil {
		t.Fatal(err)
	}
	if free, err := two.Free(ctx, "x"); free || err != nil {
		t.Errorf("what is held is free: %v", err)
	}
	if _, err := two.Hold(ctx, "x"); !errors.Is(err, store.ErrLocked) {
		t.Errorf("what is held is taken: %v", err)
	}
	release()
	if free, err := two.Free(ctx, "x"); !free || err != nil {
		t.Errorf("what was let go is not free: %v", err)
	}
	again, err := two.Hold(ctx, "x")
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func homes(t *testing.T, open Open) {
	s, ctx := opened(t, open), t.Context()
	for _, m := range []string{"near", "far"} {
		w := store.Worker{ID: "w " + m, Machine: m, Slots: 1, Started: noon}
		if err := errors.Join(s.PutWorker(ctx, w), s.PutWorker(ctx, w)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.PutHome(ctx, "snail 1.0", "far"), s.PutHome(ctx, "snail 1.0", "far")); err != nil {
		t.Fatal(err)
	}
	if here, there, err := s.AtHome(ctx, "snail 1.0", "near"); here || !there || err != nil {
		t.Errorf("%v, %v, %v", here, there, err)
	}
	if here, there, err := s.AtHome(ctx, "snail 1.0", "far"); !here || there || err != nil {
		t.Errorf("%v, %v, %v", here, there, err)
	}
	if err := s.DropWorker(ctx, "w far"); err != nil {
		t.Fatal(err)
	}
	if _, there, err := s.AtHome(ctx, "snail 1.0", "near"); there || err != nil {
		t.Errorf("a machine where nobody works: %v, %v", there, err)
	}
	all, err := s.Workers(ctx)
	if err != nil || len(all) != 1 || all[0].Machine != "near" || !all[0].Started.Equal(noon) {
		t.Errorf("%+v, %v", all, err)
	}
}
