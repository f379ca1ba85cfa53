package browsed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
)

// A Moment is one thing that happened to a case.
type Moment struct {
	At   time.Time
	Who  string
	What string
}

// mostMoments is how many are shown.
const mostMoments = 200

// Happened is everything that happened to a case and to the actions on its issue.
func Happened(ctx context.Context, d *desk.Desk, c casefile.Document) ([]Moment, error) {
	var actions []desk.Action
	if ref := c.Report.Ref.String(); ref != "" {
		var err error
		if actions, err = d.Actions(ctx, desk.ActionsRequest{On: ref, All: true}); err != nil {
			return nil, err
		}
	}
	return Moments(ctx, d, c, actions)
}

// Moments is everything that happened to a case, the last first.
func Moments(ctx context.Context, d *desk.Desk, c casefile.Document, actions []desk.Action) ([]Moment, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	said, err := kept.Said(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	var all []Moment
	for _, s := range said {
		all = append(all, Moment{s.At, "scrub", strings.TrimSpace("verdict: " + s.Verdict + " " + s.Version)})
	}
	if c.Consent.By != "" && !c.Consent.At.IsZero() {
		all = append(all, Moment{c.Consent.At, c.Consent.By, "the program: " + string(c.Consent.Decision)})
	}
	for _, a := range actions {
		what := fmt.Sprintf("%s %s", a.Action.Kind, a.Action.Short())
		all = append(all, Moment{a.Proposed, "scrub", what + ": proposed"})
		for _, d := range a.Decisions {
			all = append(all, Moment{d.At, d.By, what + map[bool]string{true: ": yes", false: ": no"}[d.Yes]})
		}
		if !a.Done.IsZero() {
			all = append(all, Moment{a.Done, "scrub", what + ": done"})
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return b.At.Compare(a.At) })
	return all[:min(mostMoments, len(all))], nil
}
