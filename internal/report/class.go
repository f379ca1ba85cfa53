package report

import (
	"fmt"
	"strings"

	"github.com/scrub-dev/scrub/internal/classify"
)

// Class says what kind of failure it is.
func Class(c classify.Class) string {
	if c.Unknown() {
		return "no known failure\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s", c.Category)
	if c.Component != "" {
		fmt.Fprintf(&b, " in %s", c.Component)
	}
	for _, s := range []struct{ form, word string }{{", at %s time", c.Phase}, {", mode %s", c.Mode}} {
		if s.word != "" {
			fmt.Fprintf(&b, s.form, s.word)
		}
	}
	fmt.Fprintf(&b, " (%s)\n%s\n", c.Rule, c.Means)
	for _, s := range []struct {
		name string
		all  []string
		sep  string
	}{{"evidence", one(c.Evidence), ""}, {"next", c.Next, "\n          "}, {"look in", c.Files, ", "}, {"labels",
		c.Labels, ", "}} {
		if len(s.all) > 0 {
			fmt.Fprintf(&b, "%-9s %s\n", s.name, strings.Join(s.all, s.sep))
		}
	}
	return b.String()
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
