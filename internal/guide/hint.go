package guide

import (
	"context"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
)

// A Hint is what goes with files that somebody has just touched, and is not among them.
type Hint struct {
	Schema string        `json:"schema"`
	Say    string        `json:"say"`
	Rule   cochange.Rule `json:"rule"`
}

// Hints are those for a change. They come only from rules that the newest changes bear out.
func Hints(ctx context.Context, r Request, touched []string) ([]Hint, error) {
	p, err := checkout.Open(ctx, r.Dir, r.Work)
	if err != nil {
		return nil, err
	}
	m, err := mine(ctx, p, r)
	if err != nil {
		return nil, err
	}
	var change cochange.Change
	for _, name := range touched {
		change = append(change, checkout.File(name, !p.There[name]))
	}
	parts := change.Parts()
	all := []Hint{}
	said := map[cochange.Part]bool{}
	for _, rule := range m.Rules {
		applies, followed := rule.Fires(parts)
		if applies && !followed && !said[rule.Then] && rule.Newest.Of >= 3 && rule.Newest.Share() >= 0.6 {
			said[rule.Then] = true
			all = append(all, Hint{"guide-hint/1", Sentence(rule), rule})
		}
	}
	return all, nil
}
