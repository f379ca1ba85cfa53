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

func (v visit) fleet() error {
	if v.who.Everywhere() < door.Reader {
		return errRole
	}
	ctx := v.r.Context()
	kept, err := v.Index.Desk.Kept(ctx)
	if err != nil {
		return err
	}
	workers, err := kept.Workers(ctx)
	if err != nil {
		return err
	}
	spent, err := kept.Budgets(ctx)
	if err != nil {
		return err
	}
	sweeps, err := v.sweeps(ctx, kept)
	if err != nil {
		return err
	}
	written, err := kept.CountEvents(ctx, "begun", v.Now().Add(-time.Hour))
	if err != nil {
		return err
	}
	limits := []page.Home{{Name: "writes to forges in the last hour",
		Detail: fmt.Sprintf("%d; a profile's limit is 60 unless it says otherwise", written)}}
	for _, l := range v.Index.Desk.Machine.Limits() {
		limits = append(limits, page.Home{Name: strings.TrimSpace(l.Host + " " + l.Resource),
			Detail: fmt.Sprintf("%d of %d requests left until %s", l.Left, l.Of, l.Resets.UTC().Format(time.RFC3339))})
	}
	for _, b := range spent {
		limits = append(limits, page.Home{Name: b.Name, Detail: fmt.Sprintf("%d since %s", b.Used,
			b.Since.UTC().Format(time.RFC3339))})
	}
	v.show(http.StatusOK, v.frame("Fleet").Fleet(workers, sweeps, v.machine(ctx), limits))
	return nil
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

// machine is what this machine has, which is looked at once: that takes seconds.
func (v visit) machine(ctx context.Context) []page.Home {
	v.looked.Do(func() {
		checks, err := v.Index.Desk.Doctor(context.WithoutCancel(ctx), nil)
		if err != nil {
			v.Log(err.Error())
		}
		for _, c := range checks {
			v.Server.has = append(v.Server.has, page.Home{Name: c.Name, Detail: cmp.Or(c.Is, c.Cost)})
		}
	})
	return v.has
}
