package profile

import (
	"slices"

	"github.com/scrub-dev/scrub/internal/rule"
)

// Classes is how failures of the project are told apart, in the file
// classes.toml. In each list the first that holds is taken.
type Classes struct {
	Category  []Class `toml:"category"`
	Component []Class `toml:"component"`
	Phase     []Class `toml:"phase"`
	Mode      []Class `toml:"mode"`
	Route     []Route `toml:"route"`
}

// A Route is what a line of a program, or of its output, says of who should look at
// a report.
type Route struct {
	Uses   Pattern  `toml:"uses"`
	Labels []string `toml:"labels"`
}

// A Class is one thing that can be recognized in what a program printed. Its
// rule speaks of class and message of the exception that reached the top, all
// classes, frames ("file function code"), the frame that raised it, the
// statement at which, the signal, the limit of ours that ended it, and the whole text.
type Class struct {
	Name      string    `toml:"name"`
	When      rule.Rule `toml:"when"`
	Category  string    `toml:"category"`  // for a category: what it is called
	Component string    `toml:"component"` // for a category: whose code it always is; empty if that must be seen
	// for a category: this machine lacks something, and nothing can be said of the bug
	Setup  bool     `toml:"setup"`
	Means  string   `toml:"means"` // one sentence
	Next   []string `toml:"next"`  // what a developer does next
	Files  []string `toml:"files"` // where to look in the project
	Labels []string `toml:"labels"`
	Seen   bool     `toml:"seen"` // for a category: its labels hold as soon as a run showed it
	// for a component: those that it is a part of, so that naming one of them does not rule it out
	Within []string `toml:"within"`
}

// onTopOf puts what c knows before what parent does.
func (c Classes) onTopOf(parent Classes) Classes {
	return Classes{
		Category:  append(c.Category, parent.Category...),
		Component: append(c.Component, parent.Component...),
		Phase:     append(c.Phase, parent.Phase...),
		Mode:      append(c.Mode, parent.Mode...),
		Route:     append(c.Route, parent.Route...),
	}
}

// Forbids reports whether a label is never proposed.
func (l Labels) Forbids(label string) bool {
	return slices.ContainsFunc(l.Never, func(p Pattern) bool { return p.MatchString(label) })
}
