package triage

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"scrub/internal/intake"
	"scrub/internal/profile"
)

// A Size is how much it takes to run a program, by the classes that people
// are asked to aim for when they report, best first.
type Size string

const (
	Small        Size = "self-contained and small"
	Large        Size = "self-contained and large"
	Dependencies Size = "needs packages"
	Setup        Size = "needs a setup"
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

var (
	// Names that people give to files of their own.
	ownModule = regexp.MustCompile(`^(?:\.|(?:utils?|models?|data(?:set|sets|loader|loaders|_loader)?|train|trainer|test|config|configs|cfg|net|nets|network|networks|layers?|modules?|helpers?|common|options?|args|lib|libs|src|core|main|loss|losses|metrics?|engine|tools?|opts|constants|misc|preprocess\w*|my\w+|[a-z]\w*_(?:utils?|model|models|net|data|dataset|module))$)`)
	// What a program reads that the report does not hold.
	readsFile = regexp.MustCompile(`(?i)\b(?:open|load|read_csv|read_table|imread|ImageFolder|load_state_dict|dcmread|open_dataset|open_rasterio|read_excel|read_parquet|load_model|from_pretrained|loadtxt|memmap|CocoDetection|read_fwf)\(\s*(?:[a-z]\w*\.)*(?:open\()?\s*(?:os\.path\.join\()?[rf]?["'][^"'\n]*[./\\][^"'\n]+["']`)
	writes    = regexp.MustCompile(`(?i)\b(?:save|savez|to_csv|dump|to_netcdf|savefig|export|to_excel|to_parquet|write|touch|tofile)\(|,\s*["']w`)
	cmdline   = regexp.MustCompile(`\brequired\s*=\s*True|\bsys\.argv\[1\]`)
)

// packages are the modules that a program imports from outside Python and
// outside here, sorted. Files of the author's own have a dot in front.
func packages(p intake.Program, here []string) []string {
	var all []string
	for _, name := range p.Imports() {
		top, _, _ := strings.Cut(name, ".")
		switch {
		case strings.Trim(name, ".") == "": // of its own folder, whatever that has
		case top == "", ownModule.MatchString(top):
			all = append(all, "."+strings.TrimLeft(name, "."))
		case !standard[top] && !slices.Contains(here, top):
			all = append(all, top)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// files are the places where a program reads a file that is not here.
func files(text string) []string {
	if writes.MatchString(text) {
		return nil // it may well read what it wrote
	}
	return readsFile.FindAllString(text, 3)
}

// size says how much it takes to run p, and by what.
func size(p intake.Program, needs []string) Size {
	own := slices.ContainsFunc(needs, func(n string) bool { return n[0] == '.' })
	switch {
	case own, len(files(p.Text)) > 0, cmdline.MatchString(p.Text):
		return Setup
	case len(needs) > 0:
		return Dependencies
	case p.Lines() >= smallLines:
		return Large
	}
	return Small
}

// aspects are the names of what a program makes use of.
func aspects(text string, known []profile.Aspect) []string {
	var all []string
	for _, a := range known {
		if a.Match.MatchString(text) {
			all = append(all, a.Name)
		}
	}
	return all
}
