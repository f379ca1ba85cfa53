package observe

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Thing is what a statement showed, by the first of these that applies.
type Thing struct {
	Kind    Kind     `json:"kind"`
	Texts   []string `json:"texts,omitempty"` // the ways in which it can be shown, the usual one first
	Class   string   `json:"class,omitempty"`
	Message string   `json:"message,omitempty"`
	Inner   []Raised `json:"inner,omitempty"` // what an exception came from
	Also    []string `json:"also,omitempty"`  // other names that its class has had
	Where   string   `json:"where,omitempty"`
}

// A Kind is a kind of thing that can be seen.
type Kind string

const (
	Exception Kind = "exception"
	Value     Kind = "value"
	Printed   Kind = "printed"
	Set       Kind = "set" // a name was given a value, which nobody saw
	Silence   Kind = "silence"
	TooSlow   Kind = "slow"
	Death     Kind = "death"
	Warning   Kind = "warning"
	NotRun    Kind = "not run" // for a reason of ours
	NotThere  Kind = "unreached"
)

// Thing is the first thing that there is to see.
func (s Seen) Thing() Thing {
	switch {
	case s.Skipped == Unreached:
		return Thing{Kind: NotThere}
	case s.Skipped != "":
		return Thing{Kind: NotRun}
	case s.Died != "":
		return Thing{Kind: Death, Class: s.Died}
	case s.Slow > 0:
		return Thing{Kind: TooSlow}
	case len(s.Raised) > 0:
		r := s.Raised[0]
		return Thing{Kind: Exception, Class: r.Class, Message: r.Message, Inner: s.Raised[1:], Also: r.Also, Where: r.Where}
	case s.Value != nil && s.Out != "":
		return Thing{Kind: Value, Texts: append([]string{s.Out + s.Value["repr"], s.Out}, texts(s.Value)...)}
	case s.Value != nil:
		return Thing{Kind: Value, Texts: texts(s.Value)}
	case s.Out != "":
		return Thing{Kind: Printed, Texts: []string{s.Out}}
	case s.Set != nil:
		return Thing{Kind: Set, Texts: texts(s.Set)}
	}
	return Thing{Kind: Silence}
}

// texts are the ways in which a value is shown, as Python does first.
func texts(views map[string]string) []string {
	var all []string
	for _, name := range slices.Compact(slices.Concat([]string{"repr", "str"}, slices.Sorted(maps.Keys(views)))) {
		if text := views[name]; text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// Text is the thing in the way it is usually shown.
func (t Thing) Text() string {
	switch {
	case t.Kind == Exception:
		return strings.TrimSuffix(t.Class+": "+t.Message, ": ")
	case len(t.Texts) > 0:
		return t.Texts[0]
	}
	return ""
}

// around are errors of what is around a program, and not of its package.
var around = map[string]bool{"NameError": true, "ImportError": true, "ModuleNotFoundError": true, "SyntaxError": true,
	"PermissionError": true, "OSError": true, "FileNotFoundError": true, "URLError": true, "ConnectionError": true}

// Around reports whether t is an error of what is around the program.
func (t Thing) Around() bool { return t.Kind == Exception && around[t.Class] }

// removed is how Python says that something is no longer there which a program uses.
var removed = regexp.MustCompile(`^module '[\w.]+' has no attribute|unexpected keyword argument|` +
	`^type object '\w+' has no attribute|takes \d+ positional arguments? but`)

// Removed reports whether t is an error for something that is not there: an API that came later, or went.
func (t Thing) Removed() bool {
	return t.Kind == Exception && (t.Class == "AttributeError" || t.Class == "TypeError") && removed.MatchString(t.Message)
}

// data are the parts of a shown value that are values themselves.
var data = regexp.MustCompile(`[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\b(?:True|False|None|nan|inf)\b|'[^']*'|"[^"]*"`)

// Reworded reports whether two values are the same values shown in another way.
func Reworded(a, b Thing) bool {
	x, y := data.FindAllString(unwrapped(a.Text()), -1), data.FindAllString(unwrapped(b.Text()), -1)
	return a.Kind == b.Kind && a.Kind != Exception && len(x) > 0 && slices.Equal(x, y)
}

// wrapped is a value that says its type, as newer versions show it.
var wrapped = regexp.MustCompile(`\b\w+\.\w+\(([^()]*)\)|\b\w+\.(True|False)_`)

func unwrapped(text string) string { return wrapped.ReplaceAllString(text, "$1$2") }

// absent is how Python says that a module is not there.
var absent = regexp.MustCompile(`^No module named '?([A-Za-z_]\w*)'?$`)

// Missing are the modules whose absence stopped a statement.
func (t Transcript) Missing() []string {
	var all []string
	for _, seen := range t.Seen {
		for _, r := range seen.Raised {
			if m := absent.FindStringSubmatch(r.Message); m != nil && r.Class == "ModuleNotFoundError" &&
				!slices.Contains(all, m[1]) {
				all = append(all, m[1])
			}
		}
	}
	return all
}

// A Difference is a statement that shows one thing on an older version and
// another on a newer.
type Difference struct {
	Statement int   `json:"statement"`
	Older     Thing `json:"older"`
	Newer     Thing `json:"newer"`
}

// Compare lists the statements that differ between an older version and a
// newer one, but for what differs between any two: addresses, paths and the
// versions themselves.
func Compare(older, newer Transcript, versions ...string) []Difference {
	var all []Difference
	for i := range min(len(older.Seen), len(newer.Seen)) {
		a, b := older.Seen[i].Thing(), newer.Seen[i].Thing()
		out := func(t Thing) bool { return t.Kind == NotRun }
		switch {
		case out(a) || out(b) || a.Kind == NotThere && b.Kind == NotThere:
		case !slices.Equal(key(a, versions), key(b, versions)):
			all = append(all, Difference{i, a, b})
		case a.Kind != NotThere:
			if d, ok := warnings(i, older.Seen[i].Warned, newer.Seen[i].Warned, versions); ok {
				all = append(all, d)
			}
		}
	}
	return all
}

// warnings is the difference where only the warnings differ.
func warnings(i int, older, newer []string, versions []string) (Difference, bool) {
	only := func(a, b []string) (all []string) {
		for _, w := range a {
			if !slices.ContainsFunc(b, func(o string) bool { return Plain(o, versions...) == Plain(w, versions...) }) {
				all = append(all, w)
			}
		}
		return all
	}
	gone, came := only(older, newer), only(newer, older)
	thing := func(all []string) Thing {
		if len(all) == 0 {
			return Thing{Kind: Silence}
		}
		return Thing{Kind: Warning, Texts: all}
	}
	return Difference{i, thing(gone), thing(came)}, len(gone)+len(came) > 0
}

// key is what two things must have in common to be the same.
func key(t Thing, versions []string) []string {
	switch t.Kind {
	case Exception:
		if len(t.Also) > 0 && len(t.Inner) > 0 {
			return []string{string(t.Kind), t.Inner[0].Class, Plain(t.Inner[0].Message, versions...)}
		}
		return []string{string(t.Kind), slices.Min(append([]string{t.Class}, t.Also...)), Plain(t.Message, versions...)}
	case Value, Printed, Set:
		all := []string{string(t.Kind)}
		for _, text := range t.Texts[:min(2, len(t.Texts))] {
			all = append(all, Plain(text, versions...))
		}
		return all
	}
	return []string{string(t.Kind), t.Class}
}

var (
	address = regexp.MustCompile(`0x[0-9a-fA-F]{4,}`)
	path    = regexp.MustCompile(`(^|[^\w)])/(?:[\w.+-]+/)+[\w.+-]*`)
)

// Plain is a text without addresses, absolute paths and the versions compared.
func Plain(s string, versions ...string) string {
	s = address.ReplaceAllString(s, "ADDRESS")
	s = path.ReplaceAllString(s, "${1}PATH")
	for _, v := range versions {
		if v != "" {
			s = regexp.MustCompile(`(^|[^\d.])`+regexp.QuoteMeta(v)+`($|[^\d])`).ReplaceAllString(s, "${1}VERSION$2")
		}
	}
	return strings.TrimSpace(s)
}
