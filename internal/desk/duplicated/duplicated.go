// Package duplicated is the part of the desk that finds reports of one bug which
// nobody has linked, by what their programs showed when they ran.
package duplicated

import (
	"cmp"
	"context"
	"slices"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/similar"
)

// A Desk is the application, asked which reports are about the same bug.
type Desk struct{ *desk.Desk }

// A Request says among which cases to look.
type Request struct {
	Of      string `json:"of,omitempty"`      // a case or its issue; empty for all on record
	Search  bool   `json:"search,omitempty"`  // also ask the forge for issues with the same words
	Propose bool   `json:"propose,omitempty"` // propose a comment on the newer of each two
	Forge   string `json:"forge,omitempty"`
	Profile string `json:"profile,omitempty"`
}

// A Known is a case on record.
type Known struct {
	Case  string `json:"case"`
	Ref   string `json:"ref,omitempty"`
	Title string `json:"title"`
}

// A Pair is two cases that are about the same bug, the older first.
type Pair struct {
	Older    Known    `json:"older"`
	Newer    Known    `json:"newer"`
	Evidence []string `json:"evidence"`
	Action   string   `json:"action,omitempty"` // that was proposed, by its ID
}

// Found is what there is.
type Found struct {
	Schema string   `json:"schema"`
	Pairs  []Pair   `json:"pairs"`
	Listed []string `json:"unmeasured,omitempty"` // issues with the same words of which nothing is on record
}

// one is a case and what finding others needs to know of it.
type one struct {
	casefile.Case
	alike similar.Case
}

// Find compares the cases on record. Nothing is run: what their programs showed is known.
func (d Desk) Find(ctx context.Context, r Request) (Found, error) {
	found := Found{Schema: "duplicates/1", Pairs: []Pair{}}
	all, of, err := d.all(ctx, r.Of)
	if err != nil {
		return found, err
	}
	var cases []similar.Case
	for _, c := range all {
		cases = append(cases, c.alike)
	}
	for _, g := range similar.Groups(cases) {
		if len(g.Cases) < 2 || of >= 0 && !slices.Contains(g.Cases, of) {
			continue
		}
		pairs, err := d.pairs(ctx, all, g, of, r)
		if err != nil {
			return found, err
		}
		found.Pairs = append(found.Pairs, pairs...)
	}
	if r.Search && of >= 0 {
		found.Listed, err = d.search(ctx, all[of].Case, all, r.Forge)
	}
	return found, err
}

// pairs are the cases of a group, each with the one that was asked about, or else with the oldest.
func (d Desk) pairs(ctx context.Context, all []one, g similar.Group, of int64, r Request) ([]Pair, error) {
	members := make([]one, len(g.Cases))
	for i, n := range g.Cases {
		members[i] = all[n]
	}
	slices.SortFunc(members, older)
	middle := members[0]
	if of >= 0 {
		middle = all[of]
	}
	var pairs []Pair
	for _, c := range members {
		if c.alike.N == middle.alike.N {
			continue
		}
		two := []one{middle, c}
		slices.SortFunc(two, older)
		why := similar.Evidence(two[0].alike, two[1].alike)
		if len(why) == 0 { // they are alike by way of another
			why = []string{g.Why}
		}
		pair := Pair{Older: known(two[0]), Newer: known(two[1]), Evidence: why}
		if r.Propose {
			var err error
			if pair.Action, err = d.propose(ctx, two[0], two[1], why, r); err != nil {
				return pairs, err
			}
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

// all are the cases on record whose programs showed their bug, and which of them was asked about.
func (d Desk) all(ctx context.Context, name string) (all []one, of int64, err error) {
	of = -1
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, of, err
	}
	rows, err := kept.Cases(ctx)
	if err != nil {
		return nil, of, err
	}
	for _, row := range rows {
		c, err := d.Case(ctx, row.ID)
		if err != nil {
			return nil, of, err
		}
		alike, ok := c.Alike(int64(len(all)))
		asked := name != "" && (row.ID == name || row.Ref == name)
		if asked && !ok {
			return nil, of, refusal.None("%s was not seen to fail, so it cannot be compared", name)
		}
		if asked {
			of = alike.N
		}
		if ok {
			all = append(all, one{c.Case, alike})
		}
	}
	if name != "" && of < 0 {
		return nil, of, refusal.Bad("%s is not on record: run scrub issue %s first", name, name)
	}
	return all, of, nil
}

func older(a, b one) int {
	return cmp.Or(cmp.Compare(a.Report.Ref.Number, b.Report.Ref.Number), a.Report.Created.Compare(b.Report.Created),
		cmp.Compare(a.alike.N, b.alike.N))
}

func known(c one) Known {
	return Known{Case: c.ID(), Ref: c.Report.Ref.String(), Title: c.Report.Title}
}

// propose proposes a comment that says what speaks for it, beside what was proposed before. Nothing is closed.
func (d Desk) propose(ctx context.Context, first, c one, why []string, r Request) (string, error) {
	if c.Report.Ref.Repo == "" || first.Report.Ref.Repo != c.Report.Ref.Repo {
		return "", nil
	}
	l, err := d.Ledger(ctx, nil, project.Policy(r.Profile, c.Report.Ref.Repo, ""))
	if err != nil {
		return "", err
	}
	says := action.Action{Kind: action.Comment, On: c.Report.Ref, Text: report.Duplicate(first.Report.Ref, why),
		Why: "The same bug as " + first.Report.Ref.String() + "."}
	l.Stale = true
	return says.ID(), l.Propose(ctx, c.Report, append(slices.Clone(c.Proposals), says))
}

// search asks the forge for issues with the words of a case, and returns those of which nothing is on record.
func (d Desk) search(ctx context.Context, c casefile.Case, all []one, where string) ([]string, error) {
	f, err := d.ForgeOf(ctx, where, false, c.Report.Ref)
	if err != nil {
		return nil, err
	}
	words := bug.Short(bug.Squeeze(c.Symptom.Class+" "+c.Symptom.Message), 100)
	var listed []string
	err = f.Search(ctx, c.Report.Ref, words, func(l forge.Listed) error {
		if l.Ref != c.Report.Ref && !slices.ContainsFunc(all, func(o one) bool { return o.Report.Ref == l.Ref }) {
			listed = append(listed, l.Ref.String())
		}
		return nil
	})
	return listed, err
}
