package vet

import (
	"path"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/rehearse"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Rehearses reports whether a program that was read may do more than it reads: it names something that is not known to
// compute alone.
func Rehearses(r syntax.Reading, p profile.Profile) bool {
	return slices.ContainsFunc(r.Uses, func(u syntax.Use) bool { return !named(p.Innocent, u.Name) })
}

// Rehearsed returns what is dangerous in what a program did while it was watched, in whatever way it came to do it. What
// it ran from texts is read like the rest, which read does.
func Rehearsed(text string, seen rehearse.Seen, p profile.Profile,
	read func(text string) (syntax.Reading, error)) ([]Finding, error) {
	all := done(text, seen, p)
	var known []string
	for _, t := range seen.Texts {
		if len(known) == mostTexts || slices.Contains(known, t.Text) {
			continue
		}
		known = append(known, t.Text)
		r, err := read(t.Text)
		if err != nil {
			return nil, err
		}
		r.Broken = nil
		for _, f := range Review(t.Text, r, p) {
			f.Line, f.Why = t.Line, f.Why+", in a text that was run in the sandbox"
			all = append(all, f)
		}
	}
	return sorted(all), nil
}

// mostTexts is how many texts that were run are read.
const mostTexts = 40

// Watched are the names of calls that the profile has something to say of.
func Watched(p profile.Profile) []string {
	var all []string
	for _, d := range p.Vet {
		for _, name := range slices.Concat(d.Names, d.Own) {
			if !strings.ContainsAny(name, "* ") && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// done is what is dangerous in what was done and called.
func done(text string, seen rehearse.Seen, p profile.Profile) []Finding {
	var r syntax.Reading
	own := made(seen)
	for _, d := range seen.Deeds {
		if slices.ContainsFunc(d.Args, func(a string) bool { return own[path.Base(a)] }) && d.Name != "open" {
			continue // what it does with a file that it has made itself is its own business
		}
		if d.Via == "" || d.Derived(text) {
			r.Uses = append(r.Uses, d.Use)
		}
	}
	all := Review("", r, p)
	// What is decoded to be run is read when it is run.
	all = slices.DeleteFunc(all, func(f Finding) bool { return f.Class == "obfuscation" })
	for i := range all {
		all[i].Why += ", as was seen when it was rehearsed in the sandbox"
	}
	if seen.Held {
		all = append(all, Finding{Class: "obfuscation", Severity: Error, Name: "what it does",
			Why: "it keeps whoever watches it from seeing what it does"})
	}
	return all
}

// made are the files that a program has opened to write.
func made(seen rehearse.Seen) map[string]bool {
	all := map[string]bool{}
	for _, d := range seen.Deeds {
		if d.Name == "open" && len(d.Args) == 2 && !path.IsAbs(d.Args[0]) && strings.ContainsAny(d.Args[1], "wxa") {
			all[path.Base(d.Args[0])] = true
		}
	}
	return all
}
