package guess

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// origin reports whether the library does what is complained of, and the report names what of it.
func (f Facts) origin() (Objection, bool) {
	if f.Symptom.Kind == bug.Crashes || f.Symptom.Kind == bug.Hangs {
		return f.stood()
	}
	k := f.Shown.Kin
	if k == nil {
		return f.traced()
	}
	var names []string
	if f.Symptom.Kind == bug.Raises {
		names = f.raisers(*k)
	} else {
		names = f.printers(*k)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch {
	case len(names) == 0:
		return Objection{Made, "what is seen does not come out of " + f.library() + ", but out of the program itself"}, false
	case !f.names(names...):
		return Objection{NotSaid, fmt.Sprintf("the report names nothing of what was asked: %s",
			strings.Join(names[:min(4, len(names))], ", "))}, false
	}
	return Objection{}, true
}

func (f Facts) library() string {
	if f.Package == "" {
		return "a library"
	}
	return f.Package
}

// raisers are what of the library raised an error: functions that it came through, or what was asked when it came.
func (f Facts) raisers(k syntax.Kin) []string {
	var all []string
	for _, r := range k.Raised {
		if r.Class != f.Symptom.Class {
			continue
		}
		if r.Raiser != "" {
			all = append(all, f.ours(r.Library...)...)
		}
		for _, o := range k.Operations {
			if r.Raiser != "" || f.Symptom.Class != "AssertionError" {
				all = append(all, f.asked(o)...)
			}
		}
	}
	return all
}

// printers are what of the library computed what is printed.
func (f Facts) printers(k syntax.Kin) []string {
	var all []string
	for _, p := range k.Printed {
		if f.Symptom.Kind == bug.Prints && !overlaps(p.Text, f.Symptom.Output) {
			continue
		}
		for _, o := range p.By {
			all = append(all, f.asked(o)...)
		}
	}
	if len(all) > 0 {
		for _, o := range k.Flow {
			all = append(all, f.asked(o)...)
		}
	}
	return all
}

// overlaps reports whether a line of one text is a line of another.
func overlaps(a, b string) bool {
	for x := range strings.Lines(a) {
		for y := range strings.Lines(b) {
			if one := bug.Squeeze(x); one != "" && one == bug.Squeeze(y) {
				return true
			}
		}
	}
	return false
}

// asked is what an operation asked of the library; nothing if that has no part in it.
func (f Facts) asked(o syntax.Operation) []string {
	all := f.ours(o.Entry)
	for _, one := range o.Operands {
		if one.Origin == syntax.Library {
			all = append(all, f.ours(one.By, one.What)...)
		}
	}
	if len(all) > 0 {
		all = append(all, o.Entry)
	}
	return all
}

// ours are those of some names that are of the library.
func (f Facts) ours(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		top, rest, _ := strings.Cut(n, ".")
		return f.Package != "" && strings.TrimLeft(top, "_") != f.Package || rest == "" && top != f.Package || n == ""
	})
}

// names reports whether the report speaks of one of some functions or types, by the last parts of their names. Where
// nothing else speaks for a guess it must name them as code: many are words of English.
func (f Facts) names(all ...string) bool {
	for _, n := range all {
		parts := strings.Split(n, ".")
		for i := len(parts) - 1; i > 0; i-- {
			part := strings.Trim(parts[i], "_<>")
			if len(part) < 3 || slices.Contains(general, part) {
				continue
			}
			plainly := f.Passed != nil && regexp.MustCompile(`\b`+regexp.QuoteMeta(part)+`\b`).MatchString(f.Report)
			if plainly || asCode(f.Report, part) {
				return true
			}
		}
	}
	return false
}

// asCode reports whether a text has a name in a way in which only code is written.
func asCode(text, name string) bool {
	q := regexp.QuoteMeta(name)
	form := "`[^`\n]*\\b" + q + "\\b[^`\n]*`|\\b" + q + `\(|\.` + q + `\b|\b` + q + `\.[a-z_]`
	if strings.ContainsAny(name, "_0123456789") || strings.ToLower(name[1:]) != name[1:] {
		form += `|\b` + q + `\b` // no word of English
	}
	return regexp.MustCompile(form).MatchString(text)
}

// general are names that tell nothing.
var general = strings.Fields(
	"forward call init wrapper wrapped inner fn func main run new get set add module locals lambda",
)

// writtenIn reports whether what is seen stands in the program's own text.
func (f Facts) writtenIn() bool {
	have := map[string]bool{}
	for _, s := range f.Strings {
		for _, t := range mention.Tokens(s) {
			have[t] = true
		}
	}
	if f.Symptom.Kind == bug.Raises {
		e, _ := f.Shown.Outcome.Exception()
		words := slices.DeleteFunc(mention.Tokens(e.Message), func(t string) bool { return len(t) < 3 })
		n := 0
		for _, w := range words {
			if have[w] {
				n++
			}
		}
		return n >= 2 && 10*n >= 6*len(words)
	}
	if !f.Symptom.InOutput() {
		return false
	}
	stands := func(text string) bool {
		want := mention.Tokens(text)
		program := " " + strings.Join(mention.Tokens(f.Program), " ") + " "
		return len(want) > 0 && strings.Contains(program, " "+strings.Join(want, " ")+" ")
	}
	if f.Passed == nil {
		return stands(f.Symptom.Output + f.Symptom.Wanted)
	}
	return stands(f.Symptom.Output+f.Symptom.Wanted) && stands(f.Passed.Outcome.Stdout)
}

// stood reports whether a program that died was in the library then. One that does not end was, if it is plain.
func (f Facts) stood() (Objection, bool) {
	if f.Symptom.Kind == bug.Hangs {
		return Objection{}, true
	}
	for _, one := range f.Shown.Frames {
		if one.Own {
			return Objection{}, true // a plain program can die of nothing else
		}
	}
	return Objection{Unseen, "where it was when it stopped could not be seen"}, false
}
