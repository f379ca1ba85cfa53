package swept

import (
	"context"
	"errors"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/similar"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// noSweep says which sweeps there are to name instead.
func noSweep(name string, err error) error {
	if name == "" {
		return refusal.Bad("there are no sweeps yet; scrub sweep SOURCE starts one")
	}
	return refusal.Bad("%w; scrub sweep list shows them", err)
}

// Report is what came of a sweep; of the latest if name is empty.
func (d Desk) Report(ctx context.Context, name string) (report.Backlog, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return report.Backlog{}, err
	}
	r, w, err := d.request(ctx, name)
	if errors.Is(err, store.ErrNoSweep) {
		return report.Backlog{}, noSweep(name, err)
	}
	if err != nil {
		return report.Backlog{}, err
	}
	b := report.Backlog{Schema: "backlog/1", Sweep: w.ID, Sources: r.Sources, Made: d.Now(), Rows: []report.Row{},
		Groups: []report.Kin{}}
	var cases []similar.Case
	called := map[int64]string{}
	const page = 500
	for after := int64(0); ; {
		items, err := kept.Items(ctx, w.ID, after, page)
		if err != nil {
			return b, err
		}
		for _, i := range items {
			after = i.N
			if i.State != sweep.Done && i.State != sweep.Aside {
				b.ToGo++
				continue
			}
			row, c, err := d.row(ctx, i)
			if err != nil {
				return b, err
			}
			b.Rows = append(b.Rows, row)
			if one, ok := c.Alike(i.N); ok {
				called[i.N] = i.Source
				cases = append(cases, one)
			}
		}
		if len(items) < page {
			break
		}
	}
	for _, g := range similar.Groups(cases) {
		if len(g.Cases) < 2 {
			continue
		}
		kin := report.Kin{Why: g.Why}
		for _, n := range g.Cases {
			kin.Sources = append(kin.Sources, called[n])
		}
		b.Groups = append(b.Groups, kin)
	}
	return b, nil
}

// row is what is said of one report.
func (d Desk) row(ctx context.Context, i store.Item) (report.Row, casefile.Case, error) {
	plain := report.Row{Source: i.Source, Title: i.Title, Verdict: casefile.Verdict(i.Verdict), Reason: i.Reason,
		Aside: i.State == sweep.Aside}
	if i.Case == "" || plain.Aside {
		return plain, casefile.Case{}, nil
	}
	c, err := d.Case(ctx, i.Case)
	if errors.Is(err, store.ErrNoCase) { // forgotten since
		return plain, casefile.Case{}, nil
	}
	return report.Rowed(i.Source, c.Case), c.Case, err
}

// Stats is how right scrub has been.
type Stats struct {
	Schema string `json:"schema"`
	Repo   string `json:"repo,omitempty"` // empty for all
	action.Record
	Wrong    float64        `json:"wrong"` // the share of issues on which people objected
	Limit    float64        `json:"limit,omitempty"`
	Advises  bool           `json:"advice_only"` // it is above the limit: only comments are written
	Cases    int            `json:"cases"`
	Verdicts map[string]int `json:"verdicts"`
	Turned   []Turned       `json:"turned"` // verdicts that did not last
}

// A Turned is a verdict that another took the place of, on the same version.
type Turned struct {
	Case    string `json:"case"`
	Ref     string `json:"ref,omitempty"`
	Was     string `json:"was"`
	Is      string `json:"is"`
	Version string `json:"version"`
}

// Stats is how right scrub has been in a repository, or everywhere.
func (d Desk) Stats(ctx context.Context, repo string, limit float64) (Stats, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return Stats{}, err
	}
	all, err := d.Actions(ctx, desk.ActionsRequest{All: true})
	if err != nil {
		return Stats{}, err
	}
	entries := make([]action.Entry, len(all))
	for i, a := range all {
		entries[i] = a.Entry
	}
	s := Stats{Schema: "stats/1", Repo: repo, Record: action.RecordOf(entries, repo), Limit: limit,
		Verdicts: map[string]int{}, Turned: []Turned{}}
	s.Wrong, s.Advises = s.Record.Wrong(), s.Record.Advises(limit)
	rows, err := kept.Cases(ctx)
	if err != nil {
		return s, err
	}
	for _, c := range rows {
		ref, _ := bug.ParseRef(c.Ref) // one that is on no forge is in no repository
		if repo != "" && ref.Repo != repo {
			continue
		}
		s.Cases++
		s.Verdicts[c.Verdict]++
		said, err := kept.Said(ctx, c.ID)
		if err != nil {
			return s, err
		}
		for i := 1; i < len(said); i++ {
			if said[i].Version == said[i-1].Version && settled(said[i-1].Verdict) && settled(said[i].Verdict) {
				s.Turned = append(s.Turned, Turned{c.ID, c.Ref, said[i-1].Verdict, said[i].Verdict, said[i].Version})
			}
		}
	}
	return s, nil
}

// settled reports whether a verdict says something of the bug.
func settled(v string) bool {
	switch casefile.Verdict(v) {
	case casefile.Reproduces, casefile.Flaky, casefile.Fixed, casefile.DoesNotReproduce, casefile.Hangs,
		casefile.DifferentError, casefile.Changed:
		return true
	}
	return false
}
