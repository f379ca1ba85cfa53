// Package guess weighs what somebody made up for a report: a program, what goes wrong, which difference is meant. What
// was measured speaks for it or against it; that it looks right counts for nothing.
package guess

import (
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A Guess is what somebody made up for a report that does not say enough.
type Guess struct {
	By        string    `json:"by"`
	Quote     string    `json:"quote"`               // the report's own words that it rests on
	Program   string    `json:"program,omitempty"`   // in the place of the report's
	Files     bug.Files `json:"files,omitempty"`     // that the program reads
	Expect    string    `json:"expect,omitempty"`    // what goes wrong
	Version   string    `json:"version,omitempty"`   // that the report is about
	Statement string    `json:"statement,omitempty"` // the one whose difference between two versions is meant
}

// What was made up, in words.
func (g Guess) What() string {
	var all []string
	for _, one := range []struct {
		made bool
		name string
	}{{g.Program != "", "the program"}, {len(g.Files) > 0, "its files"}, {g.Expect != "", "what goes wrong"},
		{g.Version != "", "the version"}, {g.Statement != "", "which difference is meant"}} {
		if one.made {
			all = append(all, one.name)
		}
	}
	return strings.Join(all, ", ")
}

// A Weighed guess is what came of one. It is accepted if nothing speaks against it.
type Weighed struct {
	Guess
	For     []string    `json:"for"`
	Against []Objection `json:"against,omitempty"`
}

// Accepted reports whether what was measured bears a guess out.
func (w Weighed) Accepted() bool { return len(w.Against) == 0 && len(w.For) > 0 }

// Made reports whether the program itself, or what it reads, was made up.
func (w *Weighed) Made() bool { return w != nil && (w.Program != "" || len(w.Files) > 0) }

// An Objection is why a guess is not accepted.
type Objection struct {
	Kind Kind   `json:"kind"`
	Why  string `json:"why"`
}

// A Kind is what is wrong with a guess.
type Kind string

const (
	NotQuoted Kind = "not quoted" // the report does not have the words that it is said to rest on
	NotShown  Kind = "not shown"  // what is expected was not seen
	NotGone   Kind = "not gone"   // it shows everywhere, and the report does not say it in so many words
	NotSaid   Kind = "not said"   // the report does not speak of what was seen
	Made      Kind = "made"       // the program itself makes what it is to show
	WrittenIn Kind = "written in" // what it shows stands in its text
	OtherWay  Kind = "other way"  // on the other version it takes another way
	NotPlain  Kind = "not plain"  // there is more in it than imports, values, calls and definitions
	Unseen    Kind = "unseen"     // it could not be watched
)

// A Side is a program on one version.
type Side struct {
	Where   string
	Outcome bug.Outcome
	Kin     *syntax.Kin   // what of the library was asked; nil if that could not be seen
	Frames  syntax.Frames // where it was when it died or did not end
}
