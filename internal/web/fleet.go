package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// A crew is who works on what, and what may be used up.
type crew struct {
	workers        []store.Worker
	sweeps, limits []page.Home
}

func (v visit) fleet() error {
	if v.who.Everywhere() < door.Reader {
		return errRole
	}
	c, err := v.crew.Get(v.Now(), func() (crew, error) { return v.muster(v.r.Context()) })
	if err != nil {
		return err
	}
	v.show(http.StatusOK, v.frame("Fleet").Fleet(c.workers, c.sweeps, v.machine(), v.environments(), c.limits))
	return nil
}

// muster looks up who works on what.
func (v visit) muster(ctx context.Context) (c crew, err error) {
	kept, err := v.Index.Desk.Kept(ctx)
	if err != nil {
		return c, err
	}
	if c.workers, err = kept.Workers(ctx); err != nil {
		return c, err
	}
	spent, err := kept.Budgets(ctx)
	if err != nil {
		return c, err
	}
	if c.sweeps, err = v.sweeps(ctx, kept); err != nil {
		return c, err
	}
	written, err := kept.CountEvents(ctx, "begun", v.Now().Add(-time.Hour))
	if err != nil {
		return c, err
	}
	c.limits = []page.Home{{Name: "writes to forges in the last hour",
		Detail: fmt.Sprintf("%d; a profile's limit is 60 unless it says otherwise", written)}}
	for _, l := range v.Index.Desk.Machine.Limits() {
		c.limits = append(c.limits, page.Home{Name: strings.TrimSpace(l.Host + " " + l.Resource),
			Detail: fmt.Sprintf("%d of %d requests left until %s", l.Left, l.Of, l.Resets.UTC().Format(time.RFC3339))})
	}
	for _, b := range spent {
		c.limits = append(c.limits, page.Home{Name: b.Name, Detail: fmt.Sprintf("%d since %s", b.Used,
			b.Since.UTC().Format(time.RFC3339))})
	}
	return c, nil
}

// environments are those that were built on this machine, those used last first.
func (v visit) environments() []page.Home {
	const most = 100
	all := v.Index.Desk.Machine.Built(v.Issue.Versions)
	var shown []page.Home
	for _, one := range all[:min(most, len(all))] {
		shown = append(shown, page.Home{Name: one.Name, Detail: fmt.Sprintf("Python %s, last used %s", one.Version,
			one.Used.UTC().Format(time.DateTime))})
	}
	return shown
}

// sweeps are the last backlogs, and how far their reports have come.
func (v visit) sweeps(ctx context.Context, kept *store.Store) ([]page.Home, error) {
	const most = 10
	all, err := kept.Sweeps(ctx)
	if err != nil {
		return nil, err
	}
	var shown []page.Home
	for _, one := range all[:min(most, len(all))] {
		tallies, err := kept.Tallies(ctx, one.ID)
		if err != nil {
			return nil, err
		}
		n := map[string]int64{}
		for _, t := range tallies {
			n[t.State] += t.N
		}
		words := one.State
		for _, state := range slices.Sorted(maps.Keys(n)) {
			words += fmt.Sprintf(", %d %s", n[state], state)
		}
		shown = append(shown, page.Home{Name: one.ID, Detail: words})
	}
	return shown, nil
}

// machine is what this machine has. That is looked at once, which takes seconds, and nobody waits for it.
func (v visit) machine() []page.Home {
	ctx := v.background()
	v.looked.Do(func() {
		v.jobs.Aside(func() {
			checks, err := v.Index.Desk.Doctor(ctx, nil)
			if err != nil {
				v.Log(err.Error())
			}
			var has []page.Home
			for _, c := range checks {
				has = append(has, page.Home{Name: c.Name, Detail: cmp.Or(c.Is, c.Cost)})
			}
			v.has.Store(&has)
		})
	})
	if has := v.has.Load(); has != nil {
		return *has
	}
	return []page.Home{{Name: "this machine", Detail: "is being looked at: load this page again in a few seconds"}}
}
