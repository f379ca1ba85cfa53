package profile

import (
	"fmt"
	"path"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
)

// check looks for entries that lack what they cannot do without, or say what
// means nothing. Where a file is right by its form, that is all that can be wrong.
func (f folder) check(name string) error {
	in := func(file, form string, args ...any) error {
		return fmt.Errorf("%s: %s", path.Join(name, file), fmt.Sprintf(form, args...))
	}
	for _, a := range f.aspects.Aspect {
		if a.Match.Regexp == nil {
			return in("aspects.toml", "aspect %q lacks match", a.Name)
		}
	}
	for _, r := range f.mends.Rewrite {
		if r.From.Regexp == nil || r.Error.Regexp == nil && r.Output == nil {
			return in("mends.toml", "rewrite %q needs from, and error or output", r.Name)
		}
	}
	for _, p := range f.symptoms.Phrase {
		if p.Match.Regexp == nil || p.Kind != bug.Crashes && p.Kind != bug.Hangs && p.Kind != bug.Fails {
			return in("symptoms.toml", "a phrase needs match, and kind = %q, %q or %q", bug.Crashes, bug.Hangs, bug.Fails)
		}
	}
	for _, d := range f.vet.Danger {
		if !slices.Contains([]string{"", "error", "warning", "note"}, d.Severity) {
			return in("vet.toml", "danger %q: severity %q is not error, warning or note", d.Class, d.Severity)
		}
	}
	return nil
}
