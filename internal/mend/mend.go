// Package mend completes programs as every user of a package would: what was
// typed before, and what has been renamed since. Each mend is small, named
// and told.
package mend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/profile"
)

// A Mend is one change that scrub made to a program.
type Mend struct {
	Name string `json:"name"`
	Text string `json:"text"` // the line that was added, or what was put in the place of what
}

// Names returns what must stand above a program so that names it uses and
// gives no meaning have one. exports says where a package has them: a
// module, or nothing for a module of that name.
func Names(unbound []string, exports map[string]string, pkg string, known []profile.Name) []Mend {
	var modules, top, deep, said []Mend
	star := false
	for _, name := range unbound {
		from, ok := exports[name]
		convention := slices.IndexFunc(known, func(k profile.Name) bool { return k.Match.MatchString(name) })
		switch {
		case ok && from == "":
			modules = append(modules, Mend{"import", "import " + name})
		case ok && from == pkg:
			star = true
		case ok:
			deep = append(deep, Mend{"import", fmt.Sprintf("from %s import %s", from, name)})
		case convention >= 0:
			said = append(said, Mend{"usual name", strings.ReplaceAll(known[convention].Add, "{name}", name)})
		}
	}
	// Conventions may speak of what the package exports.
	if star || len(said) > 0 && slices.ContainsFunc(said,
		func(m Mend) bool { return !strings.HasPrefix(m.Text, "import ") }) && pkg != "" {
		top = []Mend{{"import", fmt.Sprintf("from %s import *", pkg)}}
	}
	return slices.Concat(modules, top, deep, said)
}

// Seeds are the lines that fix what the imported modules draw at random.
func Seeds(imports []string, known []profile.Seed) []Mend {
	var all []Mend
	for _, s := range known {
		if slices.Contains(imports, s.Module) {
			all = append(all, Mend{"fixed seed", fmt.Sprintf("import %s; %s", s.Module, s.Call)})
		}
	}
	return all
}

var future = regexp.MustCompile(`(?m)^from __future__ import .*\n`)

// Above puts mends on top of a program, below what must come first.
func Above(text string, mends []Mend) string {
	var lines strings.Builder
	for _, m := range mends {
		lines.WriteString(m.Text + "  # added by scrub\n")
	}
	at := 0
	if all := future.FindAllStringIndex(text, -1); len(all) > 0 {
		at = all[len(all)-1][1]
	}
	return text[:at] + lines.String() + text[at:]
}

// Printed makes a program print the values that stand in it alone, as a
// prompt would: the lines from and to each of spans.
func Printed(text string, spans [][2]int) (string, []Mend) {
	lines := strings.Split(text, "\n")
	for _, s := range slices.Backward(spans) {
		s[1] = min(s[1], len(lines))
		if s[0] < 1 || s[1] < s[0] {
			continue
		}
		lines = slices.Insert(lines, s[1], "))")
		lines = slices.Insert(lines, s[0]-1, "print(repr(")
	}
	return strings.Join(lines, "\n"), []Mend{{"values are shown",
		"print(repr(…)) around values that a prompt would show"}}
}

// Shown makes a program show its values as the report does.
func Shown(text, printed string, known []profile.Rewrite) (string, []Mend) {
	var mends []Mend
	for _, r := range known {
		if r.Output == nil || !r.Output.MatchString(printed) {
			continue
		}
		if new := r.From.ReplaceAllString(text, r.To); new != text {
			text = new
			mends = append(mends, Mend{r.Name, fmt.Sprintf("%s for %s", r.To, r.From)})
		}
	}
	return text, mends
}

// Harmless are the rewrites that do not take away what a report with these words is about.
func Harmless(known []profile.Rewrite, words string) []profile.Rewrite {
	return slices.DeleteFunc(slices.Clone(known), func(r profile.Rewrite) bool {
		return r.Unless != nil && r.Unless.MatchString(words)
	})
}

// Rewritten mends a program that went wrong as said, by the first rewrite
// that is for it and changes something.
func Rewritten(text, said string, known []profile.Rewrite) (string, *Mend) {
	for _, r := range known {
		if r.Output != nil || !r.Error.MatchString(said) {
			continue
		}
		if new := r.From.ReplaceAllString(text, r.To); new != text {
			return new, &Mend{r.Name, instead(r)}
		}
	}
	return text, nil
}

// instead says what a rewrite puts in the place of what.
func instead(r profile.Rewrite) string {
	if r.From.String() == `\A` {
		return r.To
	}
	return fmt.Sprintf("%s for %s", r.To, r.From)
}
