package swept

import (
	"fmt"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// Nobody waits for one that waits.
func TestLeader(t *testing.T) {
	item := func(n, leader int64, state string, step sweep.Step) store.Item {
		return store.Item{N: n, Leader: leader, State: state, Step: string(step)}
	}
	for name, tt := range map[string]struct {
		items []store.Item // in the order of the group
		want  int64        // 0 for none
	}{
		"all are to begin": {[]store.Item{item(4, 0, sweep.Gather, sweep.When), item(2, 0, sweep.Gather, sweep.When)}, 4},
		"one came late, with a smaller program": {[]store.Item{item(9, 1, sweep.Behind, sweep.When),
			item(1, 1, sweep.Running, sweep.Small)}, 1},
		"who led when they ran leads nobody yet": {[]store.Item{item(2, 2, sweep.Gather, sweep.When),
			item(3, 0, sweep.Gather, sweep.When)}, 2},
		"who waits is no leader": {[]store.Item{item(3, 5, sweep.Behind, sweep.Run), item(5, 0, sweep.Gather, sweep.Run)}, 5},
		"all wait":               {[]store.Item{item(3, 5, sweep.Behind, sweep.Run)}, 0},
		"one is over":            {[]store.Item{item(3, 0, sweep.Gather, sweep.When), item(7, 7, sweep.Done, sweep.Small)}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			var group []int64
			items := map[int64]store.Item{}
			for _, i := range tt.items {
				group, items[i.N] = append(group, i.N), i
			}
			at := sweep.When
			if class(tt.items[0].Step) == sweep.Run {
				at = sweep.Run
			}
			if first, ok := leader(at, group, items); first.N != tt.want || ok != (tt.want != 0) {
				t.Errorf("%d goes first, want %d", first.N, tt.want)
			}
		})
	}
}

// Reports that have run wait for one that is still running, also when it is time for those that claim the same.
func TestGatherWaits(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 3, Request{Sources: []string{"a"}, Depth: sweep.Small})
	kept, err := d.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	set := func(n int64, state string, step sweep.Step, claim string) {
		t.Helper()
		i, err := kept.Item(t.Context(), id, n)
		if err != nil {
			t.Fatal(err)
		}
		i.State, i.Step, i.Claim, i.Case = state, string(step), claim, fmt.Sprint("case", n)
		if err := kept.SetItem(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	stands := func(n int64, want string) {
		t.Helper()
		if i, err := kept.Item(t.Context(), id, n); err != nil || i.State != want {
			t.Errorf("%d is %s, want %s (%v)", n, i.State, want, err)
		}
	}
	set(1, sweep.Running, sweep.Run, "")
	set(2, sweep.Gather, sweep.When, "")
	set(3, sweep.Gather, sweep.Run, "the same")
	if err := d.gather(t.Context(), q, id); err != nil {
		t.Fatal(err)
	}
	stands(2, sweep.Gather)
	stands(3, sweep.Waiting)
	set(1, sweep.Gather, sweep.When, "")
	set(3, sweep.Gather, sweep.When, "the same")
	if err := d.gather(t.Context(), q, id); err != nil {
		t.Fatal(err)
	}
	stands(1, sweep.Waiting)
	stands(2, sweep.Waiting)
}

// A report that was edited while it was being worked on begins anew.
func TestEditedMeanwhile(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 1, Request{Sources: []string{"a"}})
	kept, err := d.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	old, err := kept.Item(t.Context(), id, 1)
	if err != nil {
		t.Fatal(err)
	}
	edited := old
	edited.Digest = "another"
	if _, err := kept.AddItems(t.Context(), id, []store.Item{edited}); err != nil {
		t.Fatal(err)
	}
	old.State, old.Verdict = sweep.Done, "fixed"
	if err := kept.SetItem(t.Context(), old); err == nil {
		t.Error("what was found out about the old text is kept for the new one")
	}
	if now, err := kept.Item(t.Context(), id, 1); err != nil || now.Digest != "another" || now.State != sweep.Waiting {
		t.Errorf("%+v, %v", now, err)
	}
}

// Those that wait for one which is over go on with the same command.
func TestNobodyWaitsForWhatIsOver(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 2, Request{Sources: []string{"a"}})
	kept, err := d.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n, state := range map[int64]string{1: sweep.Done, 2: sweep.Behind} {
		i, err := kept.Item(t.Context(), id, n)
		if err != nil {
			t.Fatal(err)
		}
		i.State, i.Leader = state, 1
		if err := kept.SetItem(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.GoOn(t.Context(), q, id); err != nil {
		t.Fatal(err)
	}
	if p := works(t, d, id); p.Done != 2 {
		t.Errorf("%+v", p)
	}
}

// A report that makes scrub itself panic is set aside, and the others go on.
func TestPanicIsSetAside(t *testing.T) {
	d, q := at(t)
	id := entered(t, d, q, 1, Request{Sources: []string{"a"}})
	calm := d.Now
	j := queue.Job{Task: queue.Task{Sweep: id, Item: 1, Do: "triage"}}
	for range 2 {
		n := 0
		d.Desk.Now = func() time.Time {
			if n++; n == 3 { // while the step is taken
				panic("a bug of ours")
			}
			return calm()
		}
		err := d.Do(t.Context(), q, j)
		d.Desk.Now = calm
		if err == nil {
			t.Fatal("nothing is said of it")
		}
		j.Failures = append(j.Failures, err.Error())
	}
	b, err := d.Report(t.Context(), id)
	if err != nil || len(b.Rows) != 1 || !b.Rows[0].Aside {
		t.Errorf("%+v, %v", b, err)
	}
}
