// Package browsed is the part of the desk for whoever looks through all cases: lists,
// what waits for a person, and what has changed. It holds in memory what lists show.
package browsed

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/store"
)

// A Row is a case in a list.
type Row struct {
	ID      string           `json:"case"`
	Ref     string           `json:"ref,omitempty"`
	Title   string           `json:"title"`
	Verdict casefile.Verdict `json:"verdict"`
	Updated time.Time        `json:"updated"`
	casefile.Brief
	Open []Pending `json:"open,omitempty"` // what could be done in public and is not yet

	find string // what is searched, in lower case
	has  []valued
}

// A Pending is an action that is proposed or agreed to, and not done.
type Pending struct {
	ID     string        `json:"id"`
	Kind   action.Kind   `json:"kind"`
	Status action.Status `json:"status"`
}

// Asks reports whether a person must say something.
func (r Row) Asks() bool {
	return r.Waits != "" || slices.ContainsFunc(r.Open, func(p Pending) bool { return p.Status == action.Proposed })
}

// An Index is all rows, as they were when it last looked. It is safe for use by several goroutines.
type Index struct {
	Desk *desk.Desk

	mu      sync.RWMutex
	rows    []*Row // the last touched first
	by      map[string]*Row
	open    map[string][]Pending // by issue
	stands  map[string]string    // what the ledger says of each issue, as a digest
	seen    time.Time            // when the newest row was touched
	told    time.Time            // when the ledger last told something
	version int
	found   map[Query]answer // of this version
	hits    int              // rows in these
	past    counted
	values  []*names // of facets
	text    *text    // of rows
	asking  singleflight.Group
}

// overlap is how far the clocks of those who write may be apart.
const overlap = time.Minute

// Refresh looks what has changed, and names the cases that have.
func (x *Index) Refresh(ctx context.Context) ([]string, error) {
	kept, err := x.Desk.Kept(ctx)
	if err != nil {
		return nil, err
	}
	first := x.Version() == 0
	x.mu.RLock()
	seen, told, have := x.seen, x.told, len(x.rows)
	x.mu.RUnlock()
	n, err := kept.CountCases(ctx)
	if err != nil {
		return nil, err
	}
	if n < have { // some were pruned
		seen = time.Time{}
	}
	if now := x.Desk.Now(); seen.After(now) {
		seen = now // a clock that is ahead hides nothing
	}
	briefs, err := kept.Briefs(ctx, since(seen))
	if err != nil {
		return nil, err
	}
	refs, err := kept.TouchedRefs(ctx, since(told))
	if first && err == nil {
		refs, err = kept.OpenRefs(ctx)
	}
	if err != nil {
		return nil, err
	}
	now := x.Desk.Now()
	open, err := x.pending(ctx, refs)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	anew := n < have
	if x.told = now; anew {
		x.by = nil
	}
	changed := x.merge(briefs, open, first || anew)
	if len(x.rows) < n {
		x.seen = time.Time{} // some came by a clock that is behind: the next look is at all
	}
	return changed, nil
}

func since(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(-overlap)
}

// A standing is what the ledger says of an issue.
type standing struct {
	open   []Pending
	digest string
}

// pending is what the ledger says of some issues.
func (x *Index) pending(ctx context.Context, refs []string) (map[string]standing, error) {
	l, err := x.Desk.Ledger(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	all := map[string]standing{}
	for _, name := range refs {
		ref, err := bug.ParseRef(name)
		if err != nil {
			continue // of a repository, and no issue of it
		}
		entries, err := l.On(ctx, ref)
		if err != nil {
			return nil, err
		}
		s := standing{digest: bug.Digest(entries)}
		for _, e := range entries {
			if status := e.Status(); status == action.Proposed || status == action.Approved {
				s.open = append(s.open, Pending{e.Action.ID(), e.Action.Kind, status})
			}
		}
		all[name] = s
	}
	return all, nil
}

// merge takes in what was found, and names the cases that it changes.
func (x *Index) merge(briefs []store.Brief, ledger map[string]standing, first bool) []string {
	if x.by == nil {
		x.by, x.rows, x.text = map[string]*Row{}, nil, textOf(nil)
	}
	if x.open == nil {
		x.open, x.stands = map[string][]Pending{}, map[string]string{}
	}
	var changed []string
	for ref, now := range ledger {
		if x.stands[ref] != now.digest {
			x.open[ref], x.stands[ref] = now.open, now.digest
			if i := slices.IndexFunc(x.rows, func(r *Row) bool { return r.Ref == ref }); i >= 0 {
				x.rows = slices.Clone(x.rows) // somebody may be reading it
				row := *x.rows[i]
				row.Open = now.open
				x.rows[i], x.by[row.ID] = &row, &row
				changed = append(changed, row.ID)
			}
		}
	}
	var fresh []*Row
	x.unshare()
	for _, b := range briefs {
		if old := x.by[b.ID]; old != nil && old.Updated.Equal(b.Updated) && string(old.Verdict) == b.Verdict {
			continue
		}
		row := rowOf(b)
		row.Open = x.open[row.Ref]
		x.number(row)
		x.by[row.ID], fresh = row, append(fresh, row)
		changed = append(changed, row.ID)
		if b.Updated.After(x.seen) {
			x.seen = b.Updated
		}
	}
	if len(fresh) > 0 {
		x.rows = x.ordered(fresh)
		x.text = textOf(x.rows)
	}
	if len(changed) > 0 || first {
		x.version, x.found, x.hits = x.version+1, map[Query]answer{}, 0
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

// ordered are all rows, the last touched first: those that were there, in their order, and fresh ones in their places.
func (x *Index) ordered(fresh []*Row) []*Row {
	later := func(a, b *Row) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) }
	slices.SortFunc(fresh, later)
	all := make([]*Row, 0, len(x.by))
	for _, r := range x.rows {
		for len(fresh) > 0 && later(fresh[0], r) < 0 {
			all, fresh = append(all, fresh[0]), fresh[1:]
		}
		if x.by[r.ID] == r {
			all = append(all, r)
		}
	}
	return append(all, fresh...)
}

func rowOf(b store.Brief) *Row {
	r := &Row{ID: b.ID, Ref: b.Ref, Title: b.Title, Verdict: casefile.Verdict(b.Verdict), Updated: b.Updated}
	if len(b.Brief) > 0 && json.Unmarshal(b.Brief, &r.Brief) != nil {
		r.Brief = casefile.Brief{}
	}
	r.find = strings.ToLower(strings.Join(append([]string{r.Ref, r.Title, r.Component, r.Failure, r.Author, r.ID},
		r.Labels...),
		"\x00"))
	return r
}

// Version changes whenever something has.
func (x *Index) Version() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.version
}

// Row is one of them.
func (x *Index) Row(id string) (Row, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if r := x.by[id]; r != nil {
		return *r, true
	}
	return Row{}, false
}

// Of is the case about an issue.
func (x *Index) Of(ref string) (Row, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, r := range x.rows {
		if r.Ref == ref {
			return *r, true
		}
	}
	return Row{}, false
}

// Repos are the repositories that there are cases of.
func (x *Index) Repos() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	seen := map[string]bool{}
	for _, r := range x.rows {
		seen[r.Repo] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// OpenRefs are the issues with something that is proposed or agreed to, and not done.
func (x *Index) OpenRefs() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var all []string
	for ref, open := range x.open {
		if len(open) > 0 {
			all = append(all, ref)
		}
	}
	slices.Sort(all)
	return all
}

// Agreed are the issues with something that was agreed to and is not done.
func (x *Index) Agreed() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var all []string
	for ref, open := range x.open {
		if slices.ContainsFunc(open, func(p Pending) bool { return p.Status == action.Approved }) {
			all = append(all, ref)
		}
	}
	slices.Sort(all)
	return all
}

// An Item is a report that a worker has in hand.
type Item = store.Item

// Working are the reports of sweeps that somebody works on now.
func (x *Index) Working(ctx context.Context) ([]Item, error) {
	kept, err := x.Desk.Kept(ctx)
	if err != nil {
		return nil, err
	}
	return kept.Doing(ctx, 100)
}
