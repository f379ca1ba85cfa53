package classify

import (
	"regexp"
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

// Routes are the labels that a report speaks for: its title by their very names, its
// programs and what it shows of their output by what they use. Nothing was run: they are
// for whoever reads it first.
func Routes(p profile.Profile, title string, programs []string, output string) ([]Routed, error) {
	var all []Routed
	add := func(label, evidence string) {
		known := slices.ContainsFunc(all, func(r Routed) bool { return r.Label == label })
		if !known && !p.Labels.Forbids(label) {
			all = append(all, Routed{label, bug.Short(bug.Squeeze(evidence), 160)})
		}
	}
	for _, l := range inTitle(p, title) {
		add(l, title)
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

var titleWord = regexp.MustCompile(`[a-z][a-z0-9]+`)

// inTitle are the labels of the routes whose whole name is in a title.
func inTitle(p profile.Profile, title string) []string {
	words := titleWord.FindAllString(strings.ToLower(title), -1)
	var all []string
	for _, r := range p.Classes.Route {
		for _, l := range r.Labels {
			_, name, _ := strings.Cut(l, ": ")
			says := titleWord.FindAllString(strings.ToLower(name), -1)
			if len(says) > 0 && !slices.ContainsFunc(says, func(w string) bool { return !slices.Contains(words, w) }) {
				all = append(all, l)
			}
		}
	}
	return all
}
