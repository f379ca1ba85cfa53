package browsed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/store"
)

// indexOf is an index of some cases, without a store.
func indexOf(n int) *Index {
	x := &Index{}
	var briefs []store.Brief
	words := strings.Fields("snail slug shell speed slow fast wrong")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		b := store.Brief{Case: store.Case{ID: fmt.Sprintf("%012d", i), Ref: fmt.Sprintf("octo/p%d#%d", i%3, i),
			Verdict: []string{"fixed",
				"reproduces", "flaky"}[r.IntN(3)], Title: words[r.IntN(7)] + " " + words[r.IntN(7)],
			Updated: time.Unix(int64(i), 0)}}
		b.Brief = fmt.Appendf(nil, `{"repo": "octo/p%d", "component": %q, "labels": [%q], "certainty": %.2f}`, i%3,
			words[r.IntN(7)],
			words[r.IntN(7)], r.Float64())
		briefs = append(briefs, b)
	}
	x.merge(briefs, nil, true)
	return x
}

// Whatever is asked, exactly the rows are found that a look at each would find, the facets count them, and
// pages hold them all once.
func TestListFindsWhatALookAtEachRowFinds(t *testing.T) {
	x := indexOf(400)
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(some ...string) string { return some[r.IntN(len(some))] }
	for range 300 {
		q := Query{Text: pick("", "snail", "slow snail", "SLUG", "octo/p1#", "nothing", "s l"),
			Verdict:   pick("", "", "fixed"),
			Component: pick("", "", "shell"), Repo: pick("", "", "octo/p2"), Label: pick("", "", "fast"),
			Sort:    pick("", "certain"),
			Allowed: pick("", "", " octo/p0 octo/p1 "), Certainty: pick("", "", "90 % and more"), Of: 7}
		var want []string
		for _, row := range x.rows {
			lacks := func(w string) bool { return !strings.Contains(row.find, w) }
			if q.takes(row, time.Unix(0, 0)) && !slices.ContainsFunc(strings.Fields(strings.ToLower(q.Text)), lacks) {
				want = append(want, row.ID)
			}
		}
		var got []string
		last := 1.0
		for q.Page = 1; ; q.Page++ {
			l := x.List(q)
			for _, row := range l.Rows {
				got = append(got, row.ID)
				if q.Sort == "certain" && row.Certainty > last {
					t.Fatalf("%+v: %s is in the wrong place", q, row.ID)
				}
				last = row.Certainty
			}
			if l.Total != len(want) {
				t.Fatalf("%+v: %d rows, want %d", q, l.Total, len(want))
			}
			sum := 0
			for _, c := range l.Facets[0].Values {
				sum += c.N
			}
			if l.Facets[0].Name != "verdict" || sum != len(want) {
				t.Fatalf("%+v: %v counts %d of %d", q, l.Facets[0], sum, len(want))
			}
			if q.Page >= l.Pages {
				break
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v: %v, want %v", q, got, want)
		}
	}
}

// What has changed is told once, and what was found before is not shown any more.
func TestWhatHasChanged(t *testing.T) {
	x := indexOf(5)
	before := x.List(Query{Verdict: "refused"})
	b := store.Brief{Case: store.Case{ID: "000000000003", Ref: "octo/p0#3", Verdict: "refused",
		Updated: time.Unix(99, 0)}}
	if changed := x.merge([]store.Brief{b}, nil, false); !slices.Equal(changed, []string{b.ID}) {
		t.Errorf("changed: %v", changed)
	}
	if changed := x.merge([]store.Brief{b}, nil, false); len(changed) > 0 {
		t.Errorf("changed again: %v", changed)
	}
	after := x.List(Query{Verdict: "refused"})
	if before.Total != 0 || after.Total != 1 || x.List(Query{}).Rows[0].ID != b.ID ||
		x.rows[0].Verdict != casefile.Refused {
		t.Errorf("before %d, after %d", before.Total, after.Total)
	}
	open := map[string]standing{"octo/p0#3": {[]Pending{{ID: "a", Status: "proposed"}}, "1"}}
	if changed := x.merge(nil, open, false); !slices.Equal(changed, []string{b.ID}) ||
		x.List(Query{Waits: true}).Total != 1 {
		t.Errorf("something to agree to: %v", changed)
	}
	if changed := x.merge(nil, map[string]standing{"octo/p0#3": {nil, "2"}}, false); len(changed) != 1 ||
		x.List(Query{Waits: true}).Total != 0 {
		t.Errorf("nothing to agree to: %v", changed)
	}
}

// A page that is not there is the last one, and what was pruned is gone from every list.
func TestPagesAndPrunedCases(t *testing.T) {
	x := indexOf(5)
	if l := x.List(Query{Page: math.MaxInt, Of: 2}); l.Page != 3 || len(l.Rows) != 1 {
		t.Errorf("page %d with %d rows", l.Page, len(l.Rows))
	}
	x.by = nil // as a refresh has it that finds fewer cases than there were
	x.merge(nil, nil, true)
	if l := x.List(Query{}); l.Total != 0 || len(x.rows) != 0 {
		t.Errorf("pruned: %d", l.Total)
	}
}

// Lists can be read while they change.
func TestReadingWhileItChanges(t *testing.T) {
	x := indexOf(50)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for j := range 50 {
				x.List(Query{Text: fmt.Sprint(j), Waits: i%2 == 0})
			}
		})
	}
	for i := range 50 {
		x.mu.Lock()
		x.merge(nil, map[string]standing{fmt.Sprintf("octo/p0#%d", i-i%3): {[]Pending{{ID: "a", Status: "proposed"}},
			fmt.Sprint(i)}}, false)
		x.mu.Unlock()
	}
	wait.Wait()
}

// Whatever changes, each case is listed once, the last touched first.
func TestRowsStayInOrder(t *testing.T) {
	x := indexOf(60)
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 200 {
		var briefs []store.Brief
		for _, i := range r.Perm(70)[:1+r.IntN(5)] {
			briefs = append(briefs, store.Brief{Case: store.Case{ID: fmt.Sprintf("%012d", i),
				Ref: fmt.Sprintf("octo/p%d#%d", i%3, i), Verdict: "fixed", Updated: time.Unix(int64(r.IntN(200)), int64(round))}})
		}
		x.merge(briefs, nil, false)
		seen := map[string]bool{}
		for i, row := range x.rows {
			if seen[row.ID] || x.by[row.ID] != row || i > 0 && row.Updated.After(x.rows[i-1].Updated) {
				t.Fatalf("round %d: %s at %d is listed twice, as it was before, or in the wrong place", round, row.ID, i)
			}
			seen[row.ID] = true
		}
		if len(seen) != len(x.by) {
			t.Fatalf("round %d: %d of %d are listed", round, len(seen), len(x.by))
		}
	}
}
