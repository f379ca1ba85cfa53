// Package vet reads a program before it runs and says what a person must
// know about it.
package vet

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A Finding is one thing in a program that a person must know.
type Finding struct {
	Line     int      `json:"line"` // 0: of the report, not of the program
	Class    string   `json:"class"`
	Severity Severity `json:"severity"`
	Name     string   `json:"name"` // what the program touches
	Why      string   `json:"why"`
}

// Asks reports whether a person must say a word before the program runs.
func Asks(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Severity != Note })
}

// A Severity is how much a finding matters.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note" // worth seeing, and not worth asking about
)

// severities are all there are, the worst first.
var severities = []Severity{Error, Warning, Note}

// Unreadable is the class of a program that the interpreter cannot read.
const Unreadable = "unreadable"

// All reviews programs; run is how they are read.
func All(ctx context.Context, texts []string, p profile.Profile, run bug.Runner) ([][]Finding, error) {
	readings, err := syntax.ReadAll(ctx, texts, run)
	if err != nil {
		return nil, err
	}
	all := make([][]Finding, len(texts))
	for i, text := range texts {
		all[i] = Review(text, readings[i], p)
	}
	return all, nil
}

// Review returns what of a program and its reading is dangerous, by line,
// each thing once.
func Review(text string, r syntax.Reading, p profile.Profile) []Finding {
	all := append(hidden(text), lookalikes(text)...)
	if r.Broken != nil {
		all = append(all, Finding{Line: r.Broken.Line, Class: Unreadable, Severity: Warning, Name: r.Broken.Message,
			Why: "the interpreter cannot parse it, so it was not checked"})
	}
	for _, u := range r.Uses {
		for _, d := range p.Vet {
			if !named(d.Names, u.Name) || !fits(d, u.Args) || exempt(p.Exempt, d.Class, u) {
				continue
			}
			f := Finding{Line: u.Line, Class: d.Class, Severity: cmp.Or(Severity(d.Severity), Warning), Name: u.Name,
				Why: d.Why}
			if touches(r, d.Own) {
				f.Severity, f.Why = Note, f.Why+", but it created that itself"
			}
			all = append(all, f)
			break
		}
	}
	for _, s := range r.Strings {
		all = append(all, inText(s.Line, s.Text, p.Vet)...)
	}
	return sorted(all)
}

// Injected returns what a text that is no program says to those who read it
// for somebody else.
func Injected(text string, p profile.Profile) []Finding {
	return inText(0, text, slices.DeleteFunc(slices.Clone(p.Vet), func(d profile.Danger) bool {
		return d.Class != "injection"
	}))
}

// inText returns what is dangerous about one text.
func inText(line int, text string, dangers []profile.Danger) []Finding {
	var all []Finding
	for _, d := range dangers {
		if d.Text == nil || d.Unless != nil && d.Unless.MatchString(text) {
			continue
		}
		if m := d.Text.FindString(text); m != "" {
			all = append(all, Finding{Line: line, Class: d.Class, Severity: cmp.Or(Severity(d.Severity), Warning),
				Name: bug.Short(m, 60), Why: d.Why})
		}
	}
	return all
}

// sorted orders findings by line and leaves one of a class in each, the worst.
func sorted(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(a.Line-b.Line, slices.Index(severities, a.Severity)-slices.Index(severities, b.Severity))
	})
	var once []Finding
	for _, f := range all {
		if !slices.ContainsFunc(once, func(o Finding) bool { return o.Class == f.Class && o.Line == f.Line }) {
			once = append(once, f)
		}
	}
	return once
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

// touches reports whether a program touches one of names.
func touches(r syntax.Reading, names []string) bool {
	return len(names) > 0 && slices.ContainsFunc(r.Uses, func(u syntax.Use) bool { return named(names, u.Name) })
}

func exempt(known []profile.Exempt, class string, u syntax.Use) bool {
	return slices.ContainsFunc(known, func(e profile.Exempt) bool {
		return e.Class == class && named(e.Names, u.Name) &&
			(e.Arg == nil || slices.ContainsFunc(u.Args, e.Arg.MatchString))
	})
}
