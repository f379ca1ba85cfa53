// Package vet reads a program before it runs and says what a person must
// know about it.
package vet

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

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
	Named    int      `json:"named,omitempty"` // the line in which it got the name that it has here, if that is another
	Path     []Step   `json:"path,omitempty"`  // where what it is given comes from, the first place first
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
			if !named(d.Names, u.Name) || named(d.Not, u.Name) || !fits(d, u.Args, p.Outside) || exempt(p.Exempt, d.Class, u) {
				continue
			}
			name, judged := subject(p.Vet, d, u)
			if judged {
				continue
			}
			f := Finding{Line: u.Line, Class: d.Class, Severity: cmp.Or(Severity(d.Severity), Warning), Name: name,
				Why: d.Why, Named: calledElse(text, r, u), Path: way(r, u)}
			if own(r, d.Own, u) {
				f.Severity, f.Why = Note, f.Why+", but it created that itself"
			}
			all = append(all, f)
			break
		}
	}
	for _, s := range r.Strings {
		all = append(all, inText(s.Line, s.Text, p.Vet)...)
	}
	all = append(all, remarks(text, p)...)
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
		if d.Distinct > 0 && distinct(text) < d.Distinct {
			continue
		}
		if d.Text == nil || d.Unless != nil && d.Unless.MatchString(text) {
			continue
		}
		text := text
		if d.Class == "files" {
			text = spelled(text)
		}
		if d.Class == "injection" { // fancy letters say what plain ones say
			text = norm.NFKC.String(text)
		}
		if m := d.Text.FindString(text); m != "" {
			all = append(all, Finding{Line: line, Class: d.Class, Severity: cmp.Or(Severity(d.Severity), Warning),
				Name: bug.Short(m, 60), Why: d.Why})
		}
	}
	return all
}

// distinct is how many different characters a text has.
func distinct(text string) int {
	seen := map[rune]bool{}
	for _, r := range text {
		seen[r] = true
	}
	return len(seen)
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

// named reports whether one of patterns stands for name. A * in a pattern stands for anything.
func named(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		parts := strings.Split(p, "*")
		rest, ok := strings.CutPrefix(name, parts[0])
		if len(parts) == 1 || !ok {
			return ok && rest == ""
		}
		last := parts[len(parts)-1]
		for _, part := range parts[1 : len(parts)-1] {
			if _, rest, ok = strings.Cut(rest, part); !ok {
				return false
			}
		}
		return strings.HasSuffix(rest, last)
	})
}

// subject is what a finding is about, and whether it is judged already: of names that the reader has noted, those that
// are known to be harmless, or that other dangers are about, are.
func subject(all []profile.Danger, d profile.Danger, u syntax.Use) (name string, judged bool) {
	if len(d.Known) == 0 {
		return u.Name, false
	}
	for _, name := range u.Args {
		if !named(d.Known, name) && !slices.ContainsFunc(all, func(o profile.Danger) bool {
			return o.To == "" && named(o.Names, name) // what depends on where it leads says nothing of the rest
		}) {
			return name, false
		}
	}
	return "", true
}

// fits reports whether a danger is one with these arguments: unless all that could be meant is what it excuses.
func fits(d profile.Danger, args, outside []string) bool {
	if d.Class == "files" {
		args = slices.Clone(args)
		for i, a := range args {
			args[i] = spelled(a)
		}
	}
	strange := slices.ContainsFunc(args, func(a string) bool { return from(a, outside) })
	switch {
	case d.From != "" && !strange, d.To != "" && !slices.ContainsFunc(args, reaches[d.To]) && !(strange && d.To == "host"):
		return false
	case d.Unless == nil:
	case d.Class == "network":
		if slices.ContainsFunc(args, d.Unless.MatchString) && !slices.ContainsFunc(args, elsewhere) && !strange {
			return false
		}
	case d.All:
		args = slices.DeleteFunc(slices.Clone(args), d.Unless.MatchString)
		if len(args) == 0 {
			return false
		}
	case slices.ContainsFunc(args, func(a string) bool { return d.Unless.MatchString(a) && only(a, d.Unless, args) }):
		return false
	}
	return d.Arg == nil || slices.ContainsFunc(args, d.Arg.MatchString)
}

// from reports whether an argument says that what is given comes from one of names.
func from(arg string, names []string) bool {
	by, ok := strings.CutPrefix(arg, madeBy)
	by, _, _ = strings.Cut(by, ":")
	return ok && named(names, by)
}

// reaches tells of a text whether it leads to another machine.
var reaches = map[string]func(string) bool{"host": elsewhere,
	"address": address}

// spelled is a path in the shortest way to write it: what leads out of a folder does not begin with it.
func spelled(text string) string {
	at := strings.TrimPrefix(text, "file:")
	if !strings.HasPrefix(at, "/") || strings.ContainsAny(at, "\n") {
		return text
	}
	return path.Clean(at)
}

// only reports whether a switch that excuses something is all that it can be: not if it may have another value, too.
func only(arg string, excuse *profile.Pattern, args []string) bool {
	key, _, ok := strings.Cut(arg, "=")
	return !ok || !slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, key+"=") && !excuse.MatchString(a)
	})
}

// own reports whether what u is given is the program's own: one of names made it, or was given the very same thing.
// What the program does with one thing excuses nothing that it does with another, and all that u may be given must be
// its own.
func own(r syntax.Reading, names []string, u syntax.Use) bool {
	if len(names) == 0 {
		return false
	}
	if made, all := madeOf(r, names, u, mostSteps); made > 0 {
		return made == all
	}
	return slices.ContainsFunc(r.Uses, func(o syntax.Use) bool {
		return named(names, o.Name) && (len(u.Args) == 0 || slices.ContainsFunc(u.Args, func(a string) bool {
			return telling(a) && slices.Contains(o.Args, a)
		}))
	})
}

// madeOf counts the calls that what u is given comes from, and those of them that are names or were given what names
// made.
func madeOf(r syntax.Reading, names []string, u syntax.Use, deep int) (made, all int) {
	for _, a := range u.Args {
		by, ok := strings.CutPrefix(a, madeBy)
		if !ok {
			continue
		}
		all++
		name, line := maker(a)
		if by, _, _ = strings.Cut(by, ":"); named(names, by) {
			made++
		} else if at := useAt(r, name, line); at != nil && deep > 0 {
			if some, of := madeOf(r, names, *at, deep-1); some > 0 && some == of {
				made++
			}
		}
	}
	return made, all
}

// madeBy is how a reading says which call a value comes from; through, which calls that was given.
const (
	madeBy  = "from "
	through = "by "
)

// modes are texts that say how a file is opened, and nothing of which.
var modes = regexp.MustCompile(`^[rwabx+tU]{0,4}$|^\?$|^\w+=`)

// telling reports whether a text says which thing is meant.
func telling(arg string) bool { return !modes.MatchString(arg) }

func exempt(known []profile.Exempt, class string, u syntax.Use) bool {
	return slices.ContainsFunc(known, func(e profile.Exempt) bool {
		return e.Class == class && named(e.Names, u.Name) && (e.Arg == nil || e.Arg.MatchString(strings.Join(said(u), " ")))
	})
}

// said are the texts that a use is given.
func said(u syntax.Use) []string {
	return slices.DeleteFunc(slices.Clone(u.Args), func(a string) bool {
		return strings.HasPrefix(a, madeBy) || strings.HasPrefix(a, through)
	})
}
