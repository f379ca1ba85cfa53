// Package vet reads a program before it runs and says what a person must
// know about it.
package vet

import (
	"slices"
	"strings"

	"scrub/internal/profile"
	"scrub/internal/syntax"
)

// A Finding is one thing in a program that a person must know.
type Finding struct {
	Line  int    `json:"line"`
	Class string `json:"class"`
	Name  string `json:"name"` // what the program touches
	Why   string `json:"why"`
}

// Review returns what of a program and its reading is dangerous, by line,
// each thing once.
func Review(text string, r syntax.Reading, dangers []profile.Danger) []Finding {
	all := Hidden(text)
	for _, u := range r.Uses {
		for _, d := range dangers {
			if !named(d.Names, u.Name) || !fits(d, u.Args) {
				continue
			}
			f := Finding{Line: u.Line, Class: d.Class, Name: u.Name, Why: d.Why}
			if !slices.ContainsFunc(all, func(o Finding) bool { return o.Class == f.Class && o.Name == f.Name }) {
				all = append(all, f)
			}
			break
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}

// named reports whether one of patterns stands for name. A * within a
// pattern stands for one part of a dotted name, at its end for any rest.
func named(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		head, open := strings.CutSuffix(p, "*")
		if open && !strings.Contains(head, "*") {
			return strings.HasPrefix(name, head)
		}
		before, after, ok := strings.Cut(p, "*")
		if !ok {
			return p == name
		}
		return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
	})
}

func fits(d profile.Danger, args []string) bool {
	if d.Unless != nil && slices.ContainsFunc(args, d.Unless.MatchString) {
		return false
	}
	return d.Arg == nil || slices.ContainsFunc(args, d.Arg.MatchString)
}
