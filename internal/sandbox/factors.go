package sandbox

import (
	"iter"
	"regexp"

	"scrub/internal/bug"
)

var envName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// factorNames yields the factors of s that are turned by an environment
// variable: those spelled like one.
func factorNames(s bug.Setting) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range s.Factors {
			if envName.MatchString(name) && !yield(name) {
				return
			}
		}
	}
}
