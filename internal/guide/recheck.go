package guide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/guide/watched"
	"github.com/scrub-dev/scrub/internal/session"
)

// leastFired is how often a rule must apply before it is judged.
const leastFired = 3

// mostRecent is how many changes a written rule is tried on.
const mostRecent = 50

// recent are the last changes that people made.
func recent(ctx context.Context, p checkout.Checkout) ([]cochange.Parts, error) {
	_, mined, err := p.Recent(ctx, 2*mostRecent)
	if err != nil {
		return nil, err
	}
	var all []cochange.Parts
	for _, c := range mined[max(0, len(mined)-mostRecent):] {
		all = append(all, c.Parts())
	}
	return all, nil
}

// rules are those that a line of a guide's own section says: what one change is about, or several, and what
// goes with it.
func rules(line string) []cochange.Rule {
	text, ok := strings.CutPrefix(line, "- ")
	if !ok {
		return nil
	}
	when, then, ok := cutUsually(text)
	if !ok {
		return nil
	}
	if strings.HasPrefix(when, "Changes to these") {
		var list string
		then, list, _ = strings.Cut(then, ": ")
		when = list
	}
	to, ok := partOf(then)
	if !ok {
		return nil
	}
	var all []cochange.Rule
	for one := range strings.SplitSeq(when, "), ") {
		if from, ok := partOf(one); ok {
			all = append(all, cochange.Rule{When: from, Then: to})
		}
	}
	return all
}

func cutUsually(text string) (when, then string, ok bool) {
	if when, then, ok = strings.Cut(text, " usually come with "); ok {
		return when, then, true
	}
	return strings.Cut(text, " usually comes with ")
}

// partOf is what words that about says are about.
func partOf(words string) (cochange.Part, bool) {
	m := checkout.Span.FindStringSubmatchIndex(words)
	if m == nil {
		return cochange.Part{}, false
	}
	p := cochange.Part{Path: words[m[2]:m[3]]}
	before := strings.ToLower(words[:m[0]])
	for _, deed := range []cochange.Deed{cochange.NewFile, cochange.NewClass, cochange.NewFunction, cochange.NoFunction} {
		if p.Does = deed; strings.EqualFold(about(p), before+words[m[0]:m[1]]) {
			return p, true
		}
	}
	p.Does = ""
	return p, true
}

// followed says whether the last changes follow a rule that a guide has written.
func (c checker) followed(r cochange.Rule) Claim {
	n := r.In(c.recent)
	why := fmt.Sprintf("%d of the last %d changes it applies to", n.Followed, n.Of)
	switch {
	case n.Of < leastFired:
		return Claim{Verdict: NotChecked, Why: "it hardly came up in the last changes"}
	case n.Share() >= 0.5:
		return Claim{Verdict: Holds, Why: why}
	case n.Share() < 0.3 && n.Of >= 2*leastFired:
		return Claim{Verdict: Stale, Why: "followed in only " + why}
	}
	return Claim{Verdict: Doubtful, Why: "followed in " + why}
}

// costs counts the sessions that ran into what is not there. They are read only if something may cost.
func (c checker) costs(ctx context.Context, r Request, out *Checked) error {
	if out.Counts[Stale]+out.Counts[Doubtful] == 0 {
		return nil
	}
	kept, err := watched.Clone{Checkout: c.Checkout}.Kept(ctx)
	if err != nil {
		return err
	}
	named, err := watched.Clone{Checkout: c.Checkout}.Given(ctx, r.Sessions, false)
	if err != nil {
		return err
	}
	all := slices.Concat(kept, named)
	out.Sessions = len(all)
	for i := range out.Claims {
		claim := &out.Claims[i]
		if claim.Verdict != Stale && claim.Verdict != Doubtful {
			continue
		}
		for _, s := range all {
			if slices.ContainsFunc(s.Steps, func(step session.Step) bool {
				return step.Ended == bug.No && !step.Refused &&
					claim.meets(step)
			}) {
				claim.Cost++
			}
		}
	}
	return nil
}

// meets reports whether a step is about what is claimed.
func (c Claim) meets(step session.Step) bool {
	name := strings.TrimSuffix(strings.TrimPrefix(c.Text, "./"), "/")
	if checkout.Running.MatchString(c.Text) {
		return watched.Runs(step.Command, strings.TrimPrefix(c.Text, "$ "))
	}
	return step.Path == name || strings.HasPrefix(step.Path, name+"/") || watched.Runs(step.Command, name)
}
