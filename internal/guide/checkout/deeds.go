package checkout

import (
	"context"
	"regexp"
	"slices"

	"github.com/scrub-dev/scrub/internal/cochange"
)

// What begins a class or a function that others can use, in the languages that say so at the beginning of a line.
var (
	newClass    = regexp.MustCompile(`^(?:export |default |abstract |pub |public |final )*(?:class|struct|interface|trait|enum)\s+([A-Za-z]\w*)`)
	newFunction = regexp.MustCompile(`^(?:export |default |async |pub |public |static )*(?:def|func|fn|function)\s+(?:\([^)]*\)\s*)?([A-Za-z]\w*)`)
)

// defined are the names that came into a file and those that went.
type defined struct{ classes, functions, gone []string }

// deeds are what changes do besides touching files, by commit and file. Only source is looked at.
func (p Checkout) deeds(ctx context.Context, most int) (map[string]map[string][]cochange.Deed, error) {
	all := map[string]map[string][]cochange.Deed{}
	var id, name string
	var source bool
	var names defined
	finish := func() {
		if some := names.deeds(); len(some) > 0 {
			if all[id] == nil {
				all[id] = map[string][]cochange.Deed{}
			}
			all[id][name] = some
		}
		names = defined{}
	}
	err := p.Patches(ctx, most, func(commit, file string, line []byte) {
		if commit != id || file != name {
			finish()
			id, name, source = commit, file, cochange.RoleOf(file) == cochange.Source
		}
		if !source || len(line) < 2 || line[1] < 'a' || line[1] > 'z' {
			return // most lines do not begin at the margin
		}
		switch {
		case line[0] == '+' && newClass.Match(line[1:]):
			names.classes = append(names.classes, string(newClass.FindSubmatch(line[1:])[1]))
		case line[0] == '+' && newFunction.Match(line[1:]):
			names.functions = append(names.functions, string(newFunction.FindSubmatch(line[1:])[1]))
		case line[0] == '-':
			for _, form := range []*regexp.Regexp{newClass, newFunction} {
				if m := form.FindSubmatch(line[1:]); m != nil {
					names.gone = append(names.gone, string(m[1]))
				}
			}
		}
	})
	finish()
	return all, err
}

// deeds are what became of the names: one that was there before and after is neither new nor gone.
func (d defined) deeds() []cochange.Deed {
	var all []cochange.Deed
	isNew := func(name string) bool { return !slices.Contains(d.gone, name) }
	if slices.ContainsFunc(d.classes, isNew) {
		all = append(all, cochange.NewClass)
	}
	if slices.ContainsFunc(d.functions, isNew) {
		all = append(all, cochange.NewFunction)
	}
	kept := slices.Concat(d.classes, d.functions)
	if slices.ContainsFunc(d.gone, func(name string) bool { return !slices.Contains(kept, name) }) {
		all = append(all, cochange.NoFunction)
	}
	return all
}
