package vet

import (
	"path"
	"regexp"
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

// Rehearsed returns what is dangerous in what a program did while it was watched, in whatever way it came to do it.
// What it ran from texts is read like the rest, which read does.
func Rehearsed(seen rehearse.Seen, p profile.Profile,
	read func(texts []string) ([]syntax.Reading, error)) ([]Finding, error) {
	all := done(seen, p)
	var texts []string
	var lines []int
	for _, t := range seen.Texts {
		switch {
		case slices.Contains(texts, t.Text):
		case len(texts) < mostTexts && len(t.Text) < rehearse.LongestText && t.Text != rehearse.Untold:
			texts, lines = append(texts, t.Text), append(lines, t.Line)
		case t.Via == "": // else a library's own
			all = append(all, Finding{Line: t.Line, Class: "dynamic code", Severity: Warning, Name: "texts",
				Why: "it ran more from texts than was read when it was rehearsed in the sandbox"})
		}
	}
	if len(texts) == 0 {
		return sorted(all), nil
	}
	readings, err := read(texts)
	if err != nil {
		return nil, err
	}
	for i, r := range readings {
		r.Broken = nil
		for _, f := range Review(texts[i], r, p) {
			f.Line, f.Why = lines[i], f.Why+", in a text that was run in the sandbox"
			all = append(all, f)
		}
	}
	return sorted(all), nil
}

// mostTexts is how many texts that were run are read.
const mostTexts = 400

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
func done(seen rehearse.Seen, p profile.Profile) []Finding {
	var r syntax.Reading
	var all []Finding
	for _, d := range seen.Deeds {
		if d.Via != "" && explained(seen, d, p) {
			continue
		}
		about := d.Args
		if d.Name == "open" && len(about) > 1 {
			about = about[:1] // not how it is opened
		}
		if slices.ContainsFunc(about, func(a string) bool { return slices.Contains(seen.Made, a) }) && onFiles(d, p) {
			continue // what it does with a file that it has made itself is its own business
		}
		if d.Name == rehearse.Absent {
			all = append(all, Finding{Line: d.Line, Class: "files", Severity: Warning, Name: path.Base(d.Args[0]),
				Why: "it reads a file that is not in the report, so that nobody has seen what is in it, as was seen when " +
					"it was rehearsed in the sandbox"})
			continue
		}
		r.Uses = append(r.Uses, d.Use)
	}
	reviewed := Review("", r, p)
	// What is decoded to be run is read when it is run.
	for _, f := range slices.DeleteFunc(reviewed, func(f Finding) bool { return f.Class == "obfuscation" }) {
		f.Why += ", as was seen when it was rehearsed in the sandbox"
		all = append(all, f)
	}
	if seen.Shows {
		all = append(all, Finding{Class: "environment", Severity: Warning, Name: "its environment",
			Why: "it prints what is in its environment, as was seen when it was rehearsed in the sandbox"})
	}
	for _, what := range seen.Spent {
		all = append(all, Finding{Class: "processes", Severity: Warning, Name: what,
			Why: "it used up all that the sandbox has of that when it was rehearsed"})
	}
	switch {
	case seen.Held:
		all = append(all, Finding{Class: "obfuscation", Severity: Error, Name: "what it does",
			Why: "it keeps whoever watches it from seeing what it does"})
	case !seen.Ended:
		all = append(all, Finding{Class: "obfuscation", Severity: Warning, Name: "its end",
			Why: "it did not come to its end when it was rehearsed in the sandbox, so that not all of it was seen"})
	}
	return all
}

// Unexplained reports whether libraries did something for the program that a profile does not expect of them.
func Unexplained(seen rehearse.Seen, p profile.Profile) bool {
	return slices.ContainsFunc(seen.Deeds, func(d rehearse.Deed) bool { return d.Via != "" && !explained(seen, d, p) })
}

// explained reports whether what a library did, or what was heard from outside, is usual or was told by the
// interpreter, which knows more of it.
func explained(seen rehearse.Seen, d rehearse.Deed, p profile.Profile) bool {
	if d.Via == rehearse.System && d.Name == "os.execv" && homemade.MatchString(d.Args[0]) {
		return false // a program that it has made itself, whatever that is called
	}
	if slices.ContainsFunc(p.Usual, func(u profile.Usual) bool { return usual(u, d) }) {
		return true
	}
	return d.Via == rehearse.System && slices.ContainsFunc(seen.Deeds, func(o rehearse.Deed) bool {
		return o.Via != rehearse.System && slices.ContainsFunc(o.Args, func(a string) bool {
			return sameThing(d.Args[0], a) // what stands behind it says how
		}) && judged(o, p)
	})
}

// homemade are programs that are started from where a program writes.
var homemade = regexp.MustCompile(`^/(box|tmp|dev/shm)/`)

// judged reports whether a deed that the interpreter told of is one about which a person is asked, or that a library is
// expected to do: one that merely names the same thing explains nothing.
func judged(d rehearse.Deed, p profile.Profile) bool {
	if d.Via != "" && slices.ContainsFunc(p.Usual, func(u profile.Usual) bool { return usual(u, d) }) {
		return true
	}
	return Asks(Review("", syntax.Reading{Uses: []syntax.Use{d.Use}}, p))
}

// sameThing reports whether a path or a command line that was heard is what the interpreter told of.
func sameThing(heard, told string) bool {
	heard, told = temporary.ReplaceAllString(heard, "$1"), temporary.ReplaceAllString(told, "$1")
	file, _, isCommand := strings.Cut(heard, " ")
	return heard == told || isCommand && telling(told) && path.Base(file) == path.Base(told)
}

// temporary is what is drawn in the names of temporary files.
var temporary = regexp.MustCompile(`(/tmp/tmp)\w{8}\b`)

// usual reports whether a library does something by itself that needs no word.
func usual(u profile.Usual, d rehearse.Deed) bool {
	return u.Via.MatchString(d.Via) && named(u.Names, d.Name) && u.Arg.MatchString(strings.Join(d.Args, " "))
}

// onFiles reports whether all that could be said of a deed is of the file that it is about.
func onFiles(d rehearse.Deed, p profile.Profile) bool {
	found := Review("", syntax.Reading{Uses: []syntax.Use{d.Use}}, p)
	return !slices.ContainsFunc(found, func(f Finding) bool { return f.Class != "files" && f.Class != "unpickling" })
}
