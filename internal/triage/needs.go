package triage

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/profile"
)

// A Effort is how much it takes to run a program, by the classes that people
// are asked to aim for when they report, best first.
type Effort string

const (
	Small        Effort = "self-contained and small"
	Large        Effort = "self-contained and large"
	Dependencies Effort = "needs packages"
	Setup        Effort = "needs a setup"
)

// smallLines is what a small program stays under.
const smallLines = 100

//go:embed stdlib.txt
var stdlib string

// standard are the modules of Python itself, of every version in use.
var standard = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(stdlib) {
		all[name] = true
	}
	return all
}()

var cmdline = regexp.MustCompile(`\brequired\s*=\s*True|\bsys\.argv\[1\]`)

// call matches a call of one of some functions.
func call(names []string, behind string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(names, "|") + `)\(` + behind)
}

// fileName is a text that names a file, as it is given to a function.
const fileName = `\s*(?:[a-z]\w*\.)*(?:open\()?\s*(?:os\.path\.join\()?[rf]?["'][^"'\n]*[./\\][^"'\n]+["']`

var writeMode = regexp.MustCompile(`,\s*["']w`)

// packages are the modules that a program imports from outside Python and
// outside here, sorted. Files of the author's own have a dot in front.
func packages(p intake.Program, here []string, own []profile.Pattern) []string {
	var all []string
	for _, name := range p.Imports() {
		top, _, _ := strings.Cut(name, ".")
		switch {
		case strings.Trim(name, ".") == "": // of its own folder, whatever that has
		case top == "", slices.ContainsFunc(own, func(o profile.Pattern) bool { return o.MatchString(top) }):
			all = append(all, "."+strings.TrimLeft(name, "."))
		case !standard[top] && !slices.Contains(here, top):
			all = append(all, top)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// files are the places where a program reads a file that is not here.
func files(text string, known profile.Needs) []string {
	if writeMode.MatchString(text) || len(known.Writes) > 0 && call(known.Writes, "").MatchString(text) {
		return nil // it may well read what it wrote
	}
	if len(known.Reads) == 0 {
		return nil
	}
	found := call(known.Reads, fileName).FindAllString(text, 3)
	if made, needed := mend.Files(text); len(needed) == 0 && len(made) >= len(found) {
		return nil // they can be made up
	}
	return found
}

// size says how much it takes to run p, and by what.
func size(p intake.Program, needs []string, known profile.Needs) Effort {
	own := slices.ContainsFunc(needs, func(n string) bool { return n[0] == '.' })
	switch {
	case own, len(files(p.Text, known)) > 0, cmdline.MatchString(p.Text):
		return Setup
	case len(needs) > 0:
		return Dependencies
	case p.Lines() >= smallLines:
		return Large
	}
	return Small
}
