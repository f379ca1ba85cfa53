package guess

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/syntax"
)

func (f Facts) library() string {
	if f.Package == "" {
		return "a library"
	}
	return f.Package
}

// printers are what of the library computed what is printed.
func (f Facts) printers() []string {
	var all []string
	if f.Shown.Kin == nil {
		return nil
	}
	for _, p := range f.Shown.Kin.Printed {
		if f.Symptom.Kind == bug.Prints && !overlaps(p.Text, f.Symptom.Output) {
			continue
		}
		for _, o := range p.By {
			all = append(all, f.asked(o)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
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

// names reports whether the report speaks of one of some functions or types, by the last parts of their names: as code,
// or in its title. Many are words of English; one that is used again and again may be one of ours all the same.
func (f Facts) names(plainly bool, all ...string) bool {
	title, _, _ := strings.Cut(f.Report, "\n")
	for _, n := range all {
		parts := strings.Split(n, ".")
		for i := len(parts) - 1; i > 0; i-- {
			part := strings.Trim(parts[i], "_<>")
			if len(part) < 3 || slices.Contains(general, part) || slices.Contains(operators, part) {
				continue // then it is known by what it is of
			}
			often := len(regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(part)+`s?\b`).FindAllString(f.Report, 2)) > 1
			if asCode(f.Report, part) || plainly && often && len(part) > 3 ||
				regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(part)+`\b`).MatchString(title) {
				return true
			}
			if !strings.HasPrefix(parts[i], "__") {
				break
			}
		}
	}
	return false
}

var operators = strings.Fields(
	"Add Sub Mult Div FloorDiv Mod Pow MatMult Eq NotEq Lt LtE Gt GtE In NotIn item next iter",
)

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
	bare := func(text string) string {
		words := slices.DeleteFunc(mention.Tokens(text), func(t string) bool { return !spelled.MatchString(t) })
		return " " + strings.Join(words, " ") + " "
	}
	program := bare(f.Program)
	stands := func(text string) bool { return bare(text) != "  " && strings.Contains(program, bare(text)) }
	if f.Passed == nil {
		return stands(f.Symptom.Output + f.Symptom.Wanted)
	}
	return stands(f.Symptom.Output+f.Symptom.Wanted) && stands(f.Passed.Outcome.Stdout)
}
