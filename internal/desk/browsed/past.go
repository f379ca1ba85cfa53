package browsed

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Past is how verdicts came over time.
type Past struct {
	Weeks []Week
	Times []Count // how long issues had waited for their first verdict, of those that got one in these weeks
	Wrong string  // how often people objected, in a sentence
}

// A Week is what came of one.
type Week struct {
	Name     string
	Verdicts []Count // the most first
	Done     int     // in public
	Objected int     // people to what was done
}

// N is how many verdicts there were.
func (w Week) N() (n int) {
	for _, v := range w.Verdicts {
		n += v.N
	}
	return n
}

// Past counts the verdicts of the last weeks, and what people said of what was done.
func (x *Index) Past(ctx context.Context) (Past, error) {
	x.mu.RLock()
	known, version, now := x.past, x.version, x.Desk.Now()
	x.mu.RUnlock()
	if known.of == version || now.Sub(known.at) < lately && known.of > 0 {
		return known.Past, nil
	}
	got, err, _ := x.asking.Do("past", func() (any, error) {
		p, err := x.count(context.WithoutCancel(ctx))
		if err == nil {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.past = counted{p, version, now}
		}
		return p, err
	})
	return got.(Past), err
}

// lately is how old what was counted may be where cases change all the time: it is about weeks.
const lately = 5 * time.Second

// counted is the past as it was when it was looked up.
type counted struct {
	Past
	of int // the version of the index; 0 if it was never looked up
	at time.Time
}

func (x *Index) count(ctx context.Context) (Past, error) {
	const weeks = 12
	kept, err := x.Desk.Kept(ctx)
	if err != nil {
		return Past{}, err
	}
	from := x.Desk.Now().Add(-weeks * 7 * day)
	said, err := kept.Saids(ctx, from)
	if err != nil {
		return Past{}, err
	}
	var p Past
	for i := range weeks {
		begins := from.Add(time.Duration(i) * 7 * day)
		one := Week{Name: "week of " + begins.UTC().Format(time.DateOnly)}
		n := map[string]int{}
		for _, s := range said {
			if !s.At.Before(begins) && s.At.Before(begins.Add(7*day)) {
				n[s.Verdict]++
			}
		}
		for v, k := range n {
			one.Verdicts = append(one.Verdicts, Count{v, k})
		}
		slices.SortFunc(one.Verdicts, func(a, b Count) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Value, b.Value)) })
		for kind, into := range map[string]*int{"done": &one.Done, "objected": &one.Objected} {
			since, err := kept.CountEvents(ctx, kind, begins)
			if err != nil {
				return p, err
			}
			after, err := kept.CountEvents(ctx, kind, begins.Add(7*day))
			if err != nil {
				return p, err
			}
			*into = since - after
		}
		p.Weeks = append(p.Weeks, one)
	}
	first, err := kept.FirstSaid(ctx, from)
	if err != nil {
		return p, err
	}
	p.Times = x.waited(first)
	done, err := kept.CountActions(ctx, "done")
	if err != nil {
		return p, err
	}
	wrong, err := kept.CountActions(ctx, "objected")
	p.Wrong = fmt.Sprintf("%s done in public; people objected to %d.", bug.Count(done, "action"), wrong)
	return p, err
}

// waited counts how long issues were open before something was said of them.
func (x *Index) waited(first map[string]time.Time) []Count {
	all := []Count{{Value: "up to an hour"}, {Value: "up to a day"}, {Value: "up to a week"}, {Value: "up to a month"},
		{Value: "up to a year"},
		{Value: "more than a year"}}
	most := []time.Duration{time.Hour, day, 7 * day, 30 * day, 365 * day}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for id, at := range first {
		if r := x.by[id]; r != nil && !r.Opened.IsZero() {
			i, _ := slices.BinarySearch(most, at.Sub(r.Opened))
			all[i].N++
		}
	}
	return all
}

// A Served is where the page is.
type Served struct {
	Schema  string `json:"schema"`
	Address string `json:"address"`
	Link    string `json:"link,omitempty"` // lets somebody in once; none where people log in
}
