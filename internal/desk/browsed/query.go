package browsed

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Query says which cases to list. It is comparable, so that an answer can be found again.
type Query struct {
	Text      string        // words that must all be there
	Verdict   string        // one of the values of a facet; empty for any
	Component string        //
	Repo      string        //
	Label     string        //
	Failure   string        //
	Group     string        //
	Age       string        // of the issue
	Certainty string        //
	Waits     bool          // only those that ask a person
	Since     time.Time     // only those that were touched since
	Sort      string        // updated (the default), certain or opened
	Page      int           // from 1 on
	Of        int           // rows on a page
	Allowed   string        // repositories that may be seen, each with a blank on both sides; empty for all
	Now       time.Duration // the day that ages are counted from, since the epoch
}

// A Count is a value of a facet and how many rows have it.
type Count struct {
	Value string `json:"value"`
	N     int    `json:"n"`
}

// A Facet is a property by which rows can be told apart.
type Facet struct {
	Name   string  `json:"name"`
	Values []Count `json:"values"`
}

// A Listing is a page of rows and what could be narrowed down further.
type Listing struct {
	Schema string  `json:"schema"`
	Rows   []Row   `json:"rows"`
	Total  int     `json:"total"`
	Page   int     `json:"page"`
	Pages  int     `json:"pages"`
	Facets []Facet `json:"facets"`
}

// most is how many values of a facet are shown.
const most = 12

// An answer is all rows that a query finds, of which a listing shows a page.
type answer struct {
	hits   []*Row
	facets []Facet
}

// List answers a query.
func (x *Index) List(q Query) Listing {
	if q.Of <= 0 {
		q.Of = 50
	}
	page, of := q.Page, q.Of
	q.Page, q.Of = 0, 0
	q.Text = strings.Join(wordsOf(q.Text), " ")
	a := x.answer(q)
	pages := max(1, (len(a.hits)-1)/of+1)
	page = min(max(page, 1), pages)
	l := Listing{Schema: "listing/1", Total: len(a.hits), Page: page, Pages: pages, Facets: a.facets}
	from := min((page-1)*of, len(a.hits))
	for _, r := range a.hits[from:min(from+of, len(a.hits))] {
		l.Rows = append(l.Rows, *r)
	}
	return l
}

// wordsOf are the words that are searched for: each costs a look at all rows.
func wordsOf(text string) []string {
	const most, long = 8, 200
	words := strings.Fields(strings.ToLower(strings.ToValidUTF8(text[:min(long, len(text))], "")))
	return words[:min(most, len(words))]
}

// What is kept of answers.
const (
	mostAnswers = 300
	mostHits    = 4_000_000 // rows in all of them
)

// answer finds all rows, or what was found before. Who asks the same at the same time waits for the one answer.
func (x *Index) answer(q Query) answer {
	x.mu.RLock()
	found, ok := x.found[q]
	rows, version, values, text := x.rows, x.version, x.values, x.text
	x.mu.RUnlock()
	if ok {
		return found
	}
	got, _, _ := x.asking.Do(fmt.Sprintf("%d %+v", version, q),
		func() (any, error) { return find(rows, text, values, q), nil })
	found = got.(answer)
	x.mu.Lock()
	defer x.mu.Unlock()
	// The times that people were last here are as many as they are, and hardly any is asked for twice.
	if x.version == version && len(x.found) < mostAnswers && x.hits+len(found.hits) <= mostHits && q.Since.IsZero() {
		x.hits += len(found.hits)
		x.found[q] = found
	}
	return found
}

// A text is what is searched of all rows, one behind the other, so that a search reads memory in a row.
type text struct {
	all  string
	ends []int // where that of each row ends

	mu   sync.Mutex
	have map[string][]int // the rows that have a word, of words that were asked for
	kept int              // rows in these
}

// What is remembered of which rows have a word.
const (
	mostWords = 200
	mostRows  = 2_000_000
)

func textOf(rows []*Row) *text {
	var b strings.Builder
	t := &text{have: map[string][]int{}, ends: make([]int, 0, len(rows))}
	size := 0
	for _, r := range rows {
		size += len(r.find) + 1
	}
	b.Grow(size)
	for _, r := range rows {
		b.WriteString(r.find)
		b.WriteByte('\n')
		t.ends = append(t.ends, b.Len())
	}
	t.all = b.String()
	return t
}

// with are the rows whose text has a word, by their numbers in order.
func (t *text) with(word string) []int {
	t.mu.Lock()
	all, ok := t.have[word]
	t.mu.Unlock()
	if ok {
		return all
	}
	for at := 0; at < len(t.all); {
		i := strings.Index(t.all[at:], word)
		if i < 0 {
			break
		}
		row, _ := slices.BinarySearch(t.ends, at+i+1)
		all = append(all, row)
		at = t.ends[row]
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.have) < mostWords && t.kept+len(all) <= mostRows {
		t.kept += len(all)
		t.have[word] = all
	}
	return all
}

// both are the numbers that are in each of two lists, which are in order.
func both(a, b []int) []int {
	var all []int
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			all = append(all, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return all
}

// find goes once through all rows, or through those that have all words.
func find(rows []*Row, text *text, values []*names, q Query) answer {
	if words := wordsOf(q.Text); len(words) > 0 {
		have := text.with(words[0])
		for _, w := range words[1:] {
			if len(have) == 0 {
				break
			}
			have = both(have, text.with(w))
		}
		some := make([]*Row, len(have))
		for i, n := range have {
			some[i] = rows[n]
		}
		rows = some
	}
	now := time.Unix(0, 0).Add(q.Now)
	counts := make([][]int, len(facets))
	for i, n := range values {
		counts[i] = make([]int, len(n.all))
	}
	ages, sure := map[string]int{}, map[string]int{}
	var a answer
	for _, r := range rows {
		if !q.takes(r, now) {
			continue
		}
		a.hits = append(a.hits, r)
		for _, v := range r.has {
			counts[v.facet][v.value]++
		}
		ages[age(r.Opened, now)]++
		sure[certainty(r.Certainty)]++
	}
	switch q.Sort {
	case "certain":
		slices.SortStableFunc(a.hits, func(a, b *Row) int { return cmp.Compare(b.Certainty, a.Certainty) })
	case "opened":
		slices.SortStableFunc(a.hits, func(a, b *Row) int { return b.Opened.Compare(a.Opened) })
	}
	for i, name := range facets {
		f := Facet{Name: name}
		for v, n := range counts[i] {
			if name != "group" || n > 1 { // one alone is no group
				f.Values = append(f.Values, Count{values[i].all[v], n})
			}
		}
		a.facets = append(a.facets, f.largest())
	}
	for name, n := range map[string]map[string]int{"age": ages, "certainty": sure} {
		f := Facet{Name: name}
		for v, k := range n {
			f.Values = append(f.Values, Count{v, k})
		}
		a.facets = append(a.facets, f.largest())
	}
	slices.SortFunc(a.facets, func(a, b Facet) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
	return a
}

// facets are the properties whose values are numbered, so that counting them is cheap; order is that of all.
var (
	facets = []string{"verdict", "component", "repository", "label", "failure", "group"}
	order  = []string{"verdict", "component", "repository", "age", "certainty", "label", "failure", "group"}
)

// names are the values that a facet has had, by their numbers.
type names struct {
	all []string
	of  map[string]int
}

// A valued is a value of a facet, both by their numbers.
type valued struct{ facet, value int }

// unshare begins with values of its own: whoever counts by the ones before has them still.
func (x *Index) unshare() {
	next := make([]*names, len(facets))
	for i := range facets {
		next[i] = &names{of: map[string]int{}}
		if x.values != nil {
			*next[i] = *x.values[i] // what is added stands behind what others see, and only who adds looks values up
		}
	}
	x.values = next
}

// number numbers the values that a row has.
func (x *Index) number(r *Row) {
	add := func(facet int, value string) {
		if value == "" {
			return
		}
		n := x.values[facet]
		at, ok := n.of[value]
		if !ok {
			at, n.of[value] = len(n.all), len(n.all)
			n.all = append(n.all, value)
		}
		r.has = append(r.has, valued{facet, at})
	}
	for i, v := range []string{string(r.Verdict), r.Component, r.Repo} {
		add(i, v)
	}
	for _, l := range r.Labels {
		add(3, l)
	}
	add(4, r.Failure)
	add(5, r.Group)
}

// largest is a facet with the values that most rows have.
func (f Facet) largest() Facet {
	f.Values = slices.DeleteFunc(f.Values, func(c Count) bool { return c.N == 0 || c.Value == "" })
	slices.SortFunc(f.Values, func(a, b Count) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Value, b.Value)) })
	f.Values = f.Values[:min(most, len(f.Values))]
	return f
}

// takes reports whether a row is what is asked for, but for its words.
func (q Query) takes(r *Row, now time.Time) bool {
	switch {
	case q.Allowed != "" && !strings.Contains(q.Allowed, " "+r.Repo+" "),
		q.Verdict != "" && q.Verdict != string(r.Verdict),
		q.Component != "" && q.Component != r.Component,
		q.Repo != "" && q.Repo != r.Repo,
		q.Failure != "" && q.Failure != r.Failure,
		q.Group != "" && q.Group != r.Group,
		q.Label != "" && !slices.Contains(r.Labels, q.Label),
		q.Age != "" && q.Age != age(r.Opened, now),
		q.Certainty != "" && q.Certainty != certainty(r.Certainty),
		q.Waits && !r.Asks(),
		!q.Since.IsZero() && !r.Updated.After(q.Since):
		return false
	}
	return true
}

const day = 24 * time.Hour

// age is how old something is, in words.
func age(opened, now time.Time) string {
	switch old := now.Sub(opened); {
	case opened.IsZero():
		return ""
	case old < 7*day:
		return "this week"
	case old < 30*day:
		return "this month"
	case old < 365*day:
		return "this year"
	case old < 3*365*day:
		return "1 to 3 years"
	}
	return "older"
}

// certainty is how certain something is, in words.
func certainty(p float64) string {
	switch {
	case p >= 0.9:
		return "90 % and more"
	case p >= 0.75:
		return "75 to 90 %"
	case p > 0:
		return "less than 75 %"
	}
	return "not measured"
}
