package pipeline

import (
	"context"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
)

// why names the kind of failure on the newest version that shows it, and,
// where knobs may be turned, what it depends on.
func (p *Pipeline) why(ctx context.Context, c *casefile.Case) error {
	for _, a := range slices.Backward(c.Asked) {
		if a.Tally.Yes == 0 {
			continue
		}
		if c.Symptom.Costs() {
			return nil // nothing went wrong that could be named
		}
		shown := a.Tally.Outcomes[max(0, slices.IndexFunc(a.Tally.Outcomes,
			func(o bug.Outcome) bool { return c.Symptom.In(o) == bug.Yes }))]
		class, err := classify.Outcome(p.Profile, shown)
		if err != nil {
			return err
		}
		if class.Component == "" { // nothing was printed that tells, so what it uses does
			part, _, err := classify.Uses(p.Profile, c.Repro.Files[bug.Script])
			if err != nil {
				return err
			}
			class.Component, class.Labels = part.Name, part.Labels
		}
		c.Why = &ablate.Why{Class: class, Component: class.Component, Labels: class.Labels}
		if p.Ablate != nil && len(a.Mends) == 0 {
			p.begin("why", "turning knobs")
			why, err := p.Ablate(ctx, c.Subject, a.Runtime)
			if err != nil && ctx.Err() != nil {
				return err
			}
			if err != nil {
				p.skipped("why", "not ablated: %v", err)
			} else {
				if why.Component == "" { // no knob tells, so what it uses still does
					why.Component, why.Labels = class.Component, class.Labels
				}
				c.Why = &why
			}
		}
		if !c.Why.Class.Unknown() {
			p.found("why", "%s", strings.TrimSuffix(c.Why.Class.Category+" in "+c.Why.Component, " in "))
		}
		return nil
	}
	return nil
}
