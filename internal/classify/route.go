package classify

import (
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
)

// A Routed is a label that something in a report speaks for.
type Routed struct {
	Label    string `json:"label"`
	Evidence string `json:"evidence"` // the line that does
}

// Routes are the labels that the programs of a report and what it shows of their
// output speak for. Nothing was run: they are for whoever reads it first.
func Routes(p profile.Profile, programs []string, output string) ([]Routed, error) {
	var all []Routed
	add := func(label, evidence string) {
		known := slices.ContainsFunc(all, func(r Routed) bool { return r.Label == label })
		if !known && !p.Labels.Forbids(label) {
			all = append(all, Routed{label, bug.Short(bug.Squeeze(evidence), 160)})
		}
	}
	for _, r := range p.Classes.Route {
		for line := range strings.Lines(strings.Join(append(slices.Clone(programs), output), "\n")) {
			if !r.Uses.MatchString(line) || strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, l := range r.Labels {
				add(l, line)
			}
			break
		}
	}
	if strings.TrimSpace(output) == "" {
		return all, nil
	}
	c, err := Log(p, output)
	if err != nil || c.Setup {
		return all, err
	}
	for _, l := range c.Labels {
		add(l, c.Evidence)
	}
	return all, nil
}
