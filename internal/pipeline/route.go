package pipeline

import (
	"slices"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/profile"
)

// Routes are labels that the report lacks and its own programs, words and output speak for.
func Routes(c casefile.Case, p profile.Profile) ([]classify.Routed, error) {
	var programs []string
	for _, one := range c.Thread.Programs {
		programs = append(programs, one.Text)
	}
	programs = append(programs, c.Thread.Prose)
	all, err := classify.Routes(p, c.Report.Title, programs, c.Thread.Output)
	return slices.DeleteFunc(all, func(r classify.Routed) bool { return slices.Contains(c.Report.Labels, r.Label) }), err
}
