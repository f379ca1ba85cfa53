package triage

import (
	"fmt"
	"slices"

	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/profile"
)

// A Candidate is a program worth trying, and why it stands where it stands.
type Candidate struct {
	intake.Program
	Why  string `json:"why"`
	Size Effort `json:"size"`
	// modules from elsewhere; a dot in front means a file of the author's own
	Needs   []string `json:"needs,omitempty"`
	Aspects []string `json:"aspects,omitempty"` // what it makes use of
	Second  bool     `json:"second,omitempty"`  // a better one was no use
}

// Rank orders the programs of a thread: the newest of the report's author
// first, unless a commenter's is strictly shorter and stands on its own.
func Rank(p profile.Profile, programs []intake.Program, author string) []Candidate {
	ranked := rank(programs, author)
	for i := range ranked {
		c := &ranked[i]
		c.Needs = packages(c.Program, append(slices.Clone(p.Has), p.Package), p.Needs.Own)
		c.Size = size(c.Program, c.Needs, p.Needs)
		c.Aspects = p.Uses(c.Text)
	}
	return ranked
}

func rank(programs []intake.Program, author string) []Candidate {
	var own, others []Candidate
	for _, p := range programs {
		if p.Post == 0 || p.Author == author && author != "" {
			own = append(own, Candidate{Program: p, Why: "the author's program"})
		} else {
			others = append(others, Candidate{Program: p,
				Why: fmt.Sprintf("%s's program in comment %d", p.Author, p.Post)})
		}
	}
	slices.SortStableFunc(own, func(a, b Candidate) int {
		if alone := boolean(standsAlone(b.Program)) - boolean(standsAlone(a.Program)); alone != 0 {
			return alone
		}
		return b.Post - a.Post
	})
	if len(own) > 1 && own[0].Post > own[len(own)-1].Post {
		own[0].Why = "the author's newest program"
	}
	slices.SortStableFunc(others, func(a, b Candidate) int { return a.Lines() - b.Lines() })
	for i, c := range others {
		if len(own) > 0 && standsAlone(c.Program) && c.Lines() < own[0].Lines() {
			c.Why += fmt.Sprintf(", shorter (%d lines instead of %d) and self-contained", c.Lines(), own[0].Lines())
			return slices.Concat([]Candidate{c}, own, slices.Delete(others, i, i+1))
		}
	}
	return append(own, others...)
}

// standsAlone reports whether a program brings along what it uses, as far
// as its text tells.
func standsAlone(p intake.Program) bool { return len(p.Imports()) > 0 || p.Session }

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
