package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A world is a history: which versions have the bug, which cannot be asked.
type world struct {
	has     []bool
	broken  []bool
	rate    float64 // how often a version that has it shows it
	runs    int
	asked   map[int]int
	mu      sync.Mutex
	r       *rand.Rand
	workers int
}

// ask runs a version as often as a careful person would, by the rate that is known.
func (w *world) ask(_ context.Context, v int) (Known, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[v]++
	if w.broken[v] {
		return Known{Why: "cannot be built"}, nil
	}
	if w.has[v] {
		for range w.runs {
			if w.r.Float64() < w.rate {
				return Known{Answer: bug.Yes, Sure: 1}, nil
			}
		}
	}
	return Known{Answer: bug.No, Sure: 1 - math.Pow(1-w.rate, float64(w.runs))}, nil
}

// A random history: the bug comes, goes, and sometimes returns or is fixed on
// one line and not on another; some versions cannot be built.
func random(seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 1))
	n := 2 + r.IntN(60)
	w := &world{has: make([]bool, n), broken: make([]bool, n), rate: []float64{1, 1, 0.5, 0.2}[r.IntN(4)],
		asked: map[int]int{}, r: r, workers: 1 + r.IntN(8)}
	w.runs = 1
	if w.rate < 1 {
		w.runs = int(math.Ceil(math.Log(0.001) / math.Log(1-w.rate)))
	}
	now := r.IntN(2) == 0
	for v := range n {
		if r.Float64() < 3/float64(n) {
			now = !now
		}
		w.has[v], w.broken[v] = now, r.Float64() < 0.15*float64(r.IntN(2))
	}
	w.has[0], w.has[n-1], w.broken[0], w.broken[n-1] = true, false, false, false
	return w
}

// Whatever the history, a search that is sure says nothing that is wrong: the
// two versions of an exact change are neighbours, one has it and the other not.
func TestNeverWronglySure(t *testing.T) {
	exact, ranges := 0, 0
	for seed := range uint64(500) {
		w := random(seed)
		s := Search{N: len(w.has), Bad: 0, Good: len(w.has) - 1, Workers: w.workers, Ask: w.ask}
		if seed%3 == 0 {
			s.Then = func(Change) []int { return []int{len(w.has) / 3, len(w.has) / 2} }
		}
		got, err := s.Run(t.Context())
		if errors.Is(err, ErrNotShown) && w.rate < 1 {
			continue // it was flaky, and nobody was told anything
		}
		if err != nil {
			t.Fatalf("%d: %v", seed, err)
		}
		c := got.Found
		if c == nil {
			t.Fatalf("%d: nothing was found", seed)
		}
		if got.Sure < 0.99 {
			continue
		}
		if !w.has[c.From] || w.has[c.To] && w.rate == 1 {
			t.Errorf("%d: sure of %+v, which is wrong", seed, *c)
		}
		if w.has[c.To] {
			t.Logf("%d: a flaky version was taken for a good one, at %.4f", seed, got.Sure)
		}
		for v := c.From + 1; v < c.To; v++ {
			if !w.broken[v] {
				t.Errorf("%d: %d could have been asked, and lies in %+v", seed, v, *c)
			}
		}
		for v, n := range w.asked {
			if n > 1 {
				t.Errorf("%d: %d was asked %d times", seed, v, n)
			}
		}
		if c.Exact() {
			exact++
		} else {
			ranges++
		}
	}
	t.Logf("500 histories: %d exact changes, %d ranges", exact, ranges)
	if exact < 300 || ranges < 5 {
		t.Errorf("the histories are not what they should be: %d exact, %d ranges", exact, ranges)
	}
}

// Of versions that come and go, the change that is nearest to the bad end is
// found, and all that were seen are told.
func TestNearestChange(t *testing.T) {
	letters := "YYYYNNYYNNNN"
	ask := func(_ context.Context, v int) (Known, error) {
		return Known{Answer: map[byte]bug.Answer{'Y': bug.Yes, 'N': bug.No}[letters[v]], Sure: 1}, nil
	}
	for _, tt := range []struct {
		bad, good int
		also      []int
		want      Change
		changes   int
	}{
		{0, 11, []int{5, 7}, Change{3, 4, bug.No}, 3},
		{7, 11, nil, Change{7, 8, bug.No}, 1},
		{7, 4, nil, Change{5, 6, bug.Yes}, 1}, // backwards: when it came in
	} {
		got, err := Search{N: 12, Bad: tt.bad, Good: tt.good, Then: func(Change) []int { return tt.also }, Workers: 2,
			Ask: ask}.Run(t.Context())
		if err != nil || got.Found == nil || *got.Found != tt.want || len(got.Changes) != tt.changes {
			t.Errorf("from %d to %d: %+v, %v; want %+v of %d", tt.bad, tt.good, got, err, tt.want, tt.changes)
		}
	}
}

func TestEnds(t *testing.T) {
	always := func(a bug.Answer) func(context.Context, int) (Known, error) {
		return func(context.Context, int) (Known, error) { return Known{Answer: a, Sure: 1}, nil }
	}
	for a, want := range map[bug.Answer]error{bug.Yes: ErrShown, bug.No: ErrNotShown, bug.Unknown: ErrNotShown} {
		if _, err := (Search{N: 5, Good: 4, Ask: always(a)}).Run(t.Context()); !errors.Is(err, want) {
			t.Errorf("%v: %v, want %v", a, err, want)
		}
	}
	broken := errors.New("the box broke")
	got, err := Search{N: 5, Good: 4, Ask: func(_ context.Context, v int) (Known, error) {
		if v == 0 {
			return Known{}, broken
		}
		return Known{Answer: bug.No, Sure: 1}, nil
	}}.Run(t.Context())
	if !errors.Is(err, broken) || len(got.Known) != 1 {
		t.Errorf("%+v, %v: what was found out before must stay", got, err)
	}
}

// With k questions at once n versions take no more than one round over what
// anybody would need: each round leaves at least one part in k+1.
func TestRounds(t *testing.T) {
	for n := 2; n <= 200; n += 3 {
		for _, k := range []int{1, 2, 4, 8} {
			for at := 1; at < n; at += max(1, n/7) {
				got, err := Search{N: n, Good: n - 1, Workers: k, Ask: func(_ context.Context, v int) (Known, error) {
					a := bug.No
					if v < at {
						a = bug.Yes
					}
					return Known{Answer: a, Sure: 1}, nil
				}}.Run(t.Context())
				least := int(math.Ceil(math.Log(float64(n-1))/math.Log(float64(k+1)) - 1e-9))
				if err != nil || got.Found.To != at || got.Rounds-1 > least+1 { // the first is for the ends
					t.Errorf("%d versions, %d at once, change at %d: %d rounds, at least %d are needed; %v", n, k, at,
						got.Rounds-1, least, err)
				}
			}
		}
	}
}

// The same versions are asked whatever order the answers come in.
func TestSameForAnyTiming(t *testing.T) {
	for seed := range uint64(50) {
		var all []string
		for range 3 {
			w := random(seed)
			w.rate, w.runs = 1, 1
			got, err := Search{N: len(w.has), Good: len(w.has) - 1, Workers: 4, Ask: w.ask}.Run(t.Context())
			versions := []int{}
			for v := range got.Known {
				versions = append(versions, v)
			}
			slices.Sort(versions)
			all = append(all, fmt.Sprint(versions, got.Found, err))
		}
		if all[0] != all[1] || all[1] != all[2] {
			t.Errorf("%d: %q", seed, all)
		}
	}
}
