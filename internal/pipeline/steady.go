package pipeline

import (
	"context"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/probe"
)

// steady tries what makes a flaky program do the same every time: first the
// order of sets, then the seeds of what it draws numbers with. A way counts if
// all its runs agree, so many that it would hardly be luck.
func (p *Pipeline) steady(ctx context.Context, prober probe.Prober, s casefile.Subject, a *casefile.Asked,
	q probe.Question) error {
	if a.Tally.Yes == 0 || a.Tally.No == 0 || s.Modified != nil {
		return nil
	}
	_, low, high := a.Tally.Rate()
	q.Times, q.UntilMixed = probe.Needed(min(low, 1-high), 0.05), true
	if q.Times > probe.AtMost {
		return nil // it shows, or fails to show, so seldom that no number of runs that agree would mean much
	}
	q.Setting.Factors = map[string]string{"PYTHONHASHSEED": "0"}
	by := []string{"PYTHONHASHSEED=0"}
	seeds := mend.Seeds(s.Reading.Imports, p.Profile.Seeds)
	for try := range 2 {
		if try == 1 {
			if len(seeds) == 0 {
				return nil
			}
			if err := p.mended(ctx, &s, q.Runtime, mend.Above(q.Repro.Files[bug.Script], seeds), seeds); err != nil {
				return err
			}
			if err := p.agree(ctx, &s); err != nil || s.Consent.Decision != casefile.Proceed {
				return err
			}
			q.Repro = s.Repro
			for _, seed := range seeds {
				_, call, _ := strings.Cut(seed.Text, "; ")
				by = append(by, call)
			}
		}
		t, err := prober.Ask(ctx, q)
		if err != nil {
			return err
		}
		a.Tried = append(a.Tried, casefile.Steadied{By: slices.Clone(by), Tally: t})
		if slices.Contains([]int{t.Yes, t.No}, t.Runs()) {
			p.found("steady", "always the same result with %s", strings.Join(by, ", "))
			return nil
		}
	}
	return nil
}
