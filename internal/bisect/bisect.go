// Package bisect finds where in a history something changed.
//
// A history is versions in a row, 0 the oldest. What is known of a version is
// one of three answers; those that answer Unknown stay in the range that is
// reported, and are never taken for one or the other.
package bisect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/fanout"
)

// A Known is what a version answered.
type Known struct {
	Answer bug.Answer `json:"answer"`
	Sure   float64    `json:"sure"`             // how likely the answer is right; 1 where every run says the same
	Why    string     `json:"why,omitempty"`    // what the version did, in words
	Output string     `json:"output,omitempty"` // the end of what its last run printed
}

// A Search looks for the change that is nearest to a version that shows
// something, on the way to one that does not.
type Search struct {
	N       int                                                   // versions
	Bad     int                                                   // one that is said to show it
	Good    int                                                   // one that is said not to
	Workers int                                                   // questions at once; at least 1
	Ask     func(ctx context.Context, version int) (Known, error) // an error ends the search
	First   []int                                                 // asked first of those between: the answer may be there
	// others to ask once it is found: does it return? may be nil
	Then func(found Change) []int
	// told what may be asked next, to be made ready meanwhile; may be nil
	Ready func(ctx context.Context, versions []int)
	Saw   func(round int, version int, k Known) // news, in the order of versions; may be nil
}

// A Change is two versions that answer differently, with nothing known in between.
type Change struct {
	From int        `json:"from"`
	To   int        `json:"to"`
	Is   bug.Answer `json:"is"` // what To answers; From answers the other
}

// Exact reports whether the change came with one version.
func (c Change) Exact() bool { return c.To == c.From+1 }

// A Result is what a search found out.
type Result struct {
	Known   map[int]Known `json:"known,omitempty"`
	Changes []Change      `json:"changes"`         // all that were seen, oldest first
	Found   *Change       `json:"found,omitempty"` // the one that was looked for
	Sure    float64       `json:"sure"`            // how likely all that Found rests on is right
	Rounds  int           `json:"rounds"`
}

// What keeps a search from beginning: an end that is not as was said.
var (
	ErrNotShown = errors.New("the version given as bad is not affected")
	ErrShown    = errors.New("the version given as good is affected")
)

// Run asks as many versions as it takes, Workers at a time.
func (s Search) Run(ctx context.Context) (Result, error) {
	r := Result{Known: map[int]Known{}, Sure: 1}
	var ahead sync.WaitGroup
	meanwhile, enough := context.WithCancel(ctx)
	defer ahead.Wait()
	defer enough()
	if err := s.round(ctx, &r, []int{min(s.Bad, s.Good), max(s.Bad, s.Good)}); err != nil {
		return r, err
	}
	if a := r.Known[s.Bad].Answer; a != bug.Yes {
		return r, fmt.Errorf("%w: it answers %v", ErrNotShown, a)
	}
	if a := r.Known[s.Good].Answer; a != bug.No {
		return r, fmt.Errorf("%w: it answers %v", ErrShown, a)
	}
	if between := s.between(r); len(between) > 0 {
		if err := s.round(ctx, &r, between); err != nil {
			return r, err
		}
	}
	for looked := false; ; {
		near, far := s.nearest(r)
		open := s.open(r, near, far)
		if len(open) == 0 && looked {
			r.found(near, far, s.Bad, s.Good)
			return r, nil
		}
		if len(open) == 0 { // what is seen now may be nearer
			looked = true
			if err := s.after(ctx, &r, near, far); err != nil {
				return r, err
			}
			continue
		}
		next := Spread(open, max(1, s.Workers))
		if s.Ready != nil {
			soon := s.soon(open, next)
			ahead.Go(func() { s.Ready(meanwhile, soon) })
		}
		if err := s.round(ctx, &r, next); err != nil {
			return r, err
		}
	}
}

// between are those to ask first that lie between the ends.
func (s Search) between(r Result) []int {
	return slices.DeleteFunc(slices.Clone(s.First), func(v int) bool {
		_, asked := r.Known[v]
		return asked || v <= min(s.Bad, s.Good) || v >= max(s.Bad, s.Good)
	})
}

// soon are the versions that may be asked when the next ones have answered:
// the middles of the parts that these make.
func (s Search) soon(open, next []int) []int {
	var all, part []int
	for _, v := range open {
		if !slices.Contains(next, v) {
			part = append(part, v)
			continue
		}
		all, part = append(all, Spread(part, 1)...), nil
	}
	return append(all, Spread(part, 1)...)
}

// after is a round for what else there is to see.
func (s Search) after(ctx context.Context, r *Result, near, far int) error {
	if s.Then == nil {
		return nil
	}
	more := slices.DeleteFunc(s.Then(Change{From: min(near, far), To: max(near, far),
		Is: r.Known[max(near, far)].Answer}), func(v int) bool {
		_, asked := r.Known[v]
		return asked || v < 0 || v >= s.N
	})
	if len(more) == 0 {
		return nil
	}
	return s.round(ctx, r, more)
}

// round asks some versions at once. What was found out before an error stays.
func (s Search) round(ctx context.Context, r *Result, versions []int) error {
	r.Rounds++
	known := make([]Known, len(versions))
	errs := fanout.Each(len(versions), s.Workers, func(i int) (err error) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		known[i], err = s.Ask(ctx, versions[i])
		return err
	})
	for i, v := range versions {
		if errs[i] != nil {
			continue
		}
		r.Known[v] = known[i]
		if s.Saw != nil {
			s.Saw(r.Rounds, v, known[i])
		}
	}
	r.Changes = changes(r.Known)
	return errors.Join(errs...)
}

// step is the direction from the bad end to the good one.
func (s Search) step() int {
	if s.Bad < s.Good {
		return 1
	}
	return -1
}

// nearest is the first version without it on the way from the bad end, and the
// last with it before that.
func (s Search) nearest(r Result) (near, far int) {
	near = s.Bad
	for v := s.Bad; ; v += s.step() {
		switch r.Known[v].Answer {
		case bug.Yes:
			near = v
		case bug.No:
			return near, v
		}
	}
}

// open are the versions between two that nobody has asked, oldest first.
func (s Search) open(r Result, a, b int) []int {
	var all []int
	for v := min(a, b) + 1; v < max(a, b); v++ {
		if _, asked := r.Known[v]; !asked {
			all = append(all, v)
		}
	}
	return all
}

// Spread picks n of a list, evenly.
func Spread(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	var some []int
	for i := range n {
		some = append(some, list[(i+1)*(len(list)+1)/(n+1)-1])
	}
	return slices.Compact(some)
}

// changes are all places where neighbours that answer answer differently.
func changes(known map[int]Known) []Change {
	var versions []int
	for v, k := range known {
		if k.Answer != bug.Unknown {
			versions = append(versions, v)
		}
	}
	slices.Sort(versions)
	var all []Change
	for i := 1; i < len(versions); i++ {
		if a, b := known[versions[i-1]].Answer, known[versions[i]].Answer; a != b {
			all = append(all, Change{From: versions[i-1], To: versions[i], Is: b})
		}
	}
	return all
}

func (r *Result) found(near, far, bad, good int) {
	for i, c := range r.Changes {
		if c.From == min(near, far) && c.To == max(near, far) {
			r.Found = &r.Changes[i]
		}
	}
	for _, v := range slices.Compact(slices.Sorted(slices.Values([]int{near, far, bad, good}))) {
		r.Sure *= r.Known[v].Sure
	}
}
