// Package similar finds reports that are about the same bug, by what their
// programs showed when they ran.
package similar

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Case is what a report's program showed.
type Case struct {
	N       int64
	Package string
	Symptom bug.Symptom
	Outcome bug.Outcome // of a run that showed it
	Version string      // of the package, in that run: lines of one file are the same there
	Fix     string      // the commit or pull request that fixed it, if that is known
	Cause   string      // the one that brought it, likewise
	Size    int         // of the program
}

// A Group is cases that seem to be about one bug. The first has the smallest
// program: what is found out about it is tried on the others.
type Group struct {
	Cases []int64
	Why   string // what they have in common
}

// Groups are all groups of more than one case, and the rest one by one, in the
// order of their first ones' numbers.
//
// Two cases belong together if the same operation failed with the same error, if
// the same change fixed them, or if each one's program shows the symptom of the
// other.
func Groups(cases []Case) []Group {
	cases = slices.SortedStableFunc(slices.Values(cases), func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.N, b.N))
	})
	of := make([]int, len(cases)) // the first of its group
	why := make([]string, len(cases))
	byKey, general := map[string]int{}, used(cases)
	for i, c := range cases {
		of[i] = i
		for _, k := range keys(c, general) {
			j, known := byKey[k.text]
			if !known {
				byKey[k.text] = i
				continue
			}
			join(of, i, j)
			why[of[i]] = cmp.Or(why[of[i]], k.why)
		}
	}
	mutual(cases, general, of, why)
	return collect(cases, of, why)
}

// join makes one group of two.
func join(of []int, i, j int) {
	from, to := max(of[i], of[j]), min(of[i], of[j])
	for k := range of {
		if of[k] == from {
			of[k] = to
		}
	}
}

type key struct{ text, why string }

// keys are what cases about the same bug have in common: a statement of a library that failed, called by the same one,
// whatever its words say of what it was given; or the same words of a statement that is called in few places.
func keys(c Case, general map[string]bool) []key {
	var all []key
	what, where, ok := leaf(c)
	if ok && !general[where] {
		said := what
		if e, _ := c.Outcome.Exception(); where != "" && c.Version != "" && strings.HasPrefix(e.At(), "raise ") {
			said = e.Name() // the statement itself says it, whatever it was given
		}
		all = append(all, key{"at " + c.Package + " " + where + " " + said, what})
	}
	if caller := called(c); ok && caller != "" {
		all = append(all, key{"by " + c.Package + " " + where + " in " + caller + c.Symptom.Class, what})
	}
	if c.Fix != "" {
		all = append(all, key{"fix " + c.Package + " " + c.Fix, "fixed by " + c.Fix})
	}
	if c.Cause != "" {
		all = append(all, key{"cause " + c.Package + " " + c.Cause, "introduced by " + c.Cause})
	}
	return all
}

// called is the statement of a library that called the one that failed; empty if the program did.
func called(c Case) string {
	e, raised := c.Outcome.Exception()
	if !raised || len(e.Frames) < 2 || path.Base(e.Frames[len(e.Frames)-1].File) == bug.Script {
		return ""
	}
	e.Frames = e.Frames[:len(e.Frames)-1]
	return place(e, c.Version)
}

// many is in how many places something is called that says nothing of a bug by failing: it checks what it is given.
const many = 3

// used are the statements that many others have led to, or that stand for an operator, which anything may.
func used(cases []Case) map[string]bool {
	callers, general := map[string][]string{}, map[string]bool{}
	for _, c := range cases {
		_, where, ok := leaf(c)
		if !ok || where == "" {
			continue
		}
		if by := called(c); !slices.Contains(callers[where], by) {
			callers[where] = append(callers[where], by)
		}
		general[where] = general[where] || len(callers[where]) >= many || operator.MatchString(where)
	}
	return general
}

// operator is the name of a method that an operator calls, in a place.
var operator = regexp.MustCompile(`^\S+ __\w+__ `)

// leaf is the operation that failed and its error, and the file and statement in which that was, if it was not
// the program's own. What a program raises itself says nothing of where the bug is.
func leaf(c Case) (what, where string, ok bool) {
	e, raised := c.Outcome.Exception()
	if !raised || len(e.Frames) == 0 || e.Complains() {
		return "", "", false
	}
	f := e.Frames[len(e.Frames)-1]
	at := strings.Join(e.Operations(), ", ")
	if path.Base(f.File) != bug.Script {
		at, where = f.Func, place(e, c.Version)
	}
	first, _, _ := strings.Cut(e.Message, "\n")
	if at == "" || strings.HasPrefix(at, "<") {
		return "", "", false
	}
	return bug.Squeeze(e.Name() + " in " + at + ": " + bug.Normal(first)), where, true
}

// Name is what cases about the same bug are called together, in a few words; empty for what nobody else could have.
func Name(c Case) string {
	all := keys(c, nil)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].why // a change says more than an error
}

// Evidence is what speaks for two cases being about the same bug, each thing in a few words.
func Evidence(a, b Case) []string {
	var all []string
	general := used([]Case{a, b})
	others := keys(b, general)
	for _, k := range keys(a, general) {
		if slices.ContainsFunc(others, func(o key) bool { return o.text == k.text }) {
			all = append(all, k.why)
		}
	}
	if shows(a, b) && shows(b, a) {
		all = append(all, "each one's program shows what the other reports")
	}
	return all
}

// mutual joins groups whose first ones show each other's symptom.
func mutual(cases []Case, general map[string]bool, of []int, why []string) {
	byKind := map[string][]int{}
	for i, c := range cases {
		_, where, _ := leaf(c)
		if of[i] != i || c.Symptom.Kind == bug.Unsaid || c.Symptom.Kind == bug.Hangs || general[where] {
			continue
		}
		k := c.Package + " " + string(c.Symptom.Kind) + " " + c.Symptom.Class
		for _, j := range byKind[k] {
			if shows(c, cases[j]) && shows(cases[j], c) {
				join(of, i, j)
				why[of[i]] = cmp.Or(why[of[i]], "each shows "+bug.Squeeze(c.Symptom.String()))
				break
			}
		}
		if of[i] == i {
			byKind[k] = append(byKind[k], i)
		}
	}
}

// shows reports whether the program of one shows the symptom of another, out of
// the same operation.
func shows(a, b Case) bool {
	if b.Symptom.In(a.Outcome) != bug.Yes {
		return false
	}
	e, one := a.Outcome.Exception()
	f, other := b.Outcome.Exception()
	if !one || !other {
		return one == other && weighty(b.Symptom)
	}
	return e.SameOperation(f) && len(e.Operations()) > 0 && !e.Complains() && place(e, a.Version) == place(f, b.Version)
}

// place is the statement of a library that raised e; empty if it was one of the program's own.
func place(e bug.Exception, version string) string {
	if len(e.Frames) == 0 {
		return ""
	}
	f := e.Frames[len(e.Frames)-1]
	if path.Base(f.File) == bug.Script {
		return ""
	}
	at := path.Base(f.File) + " " + f.Func + " " + f.Code
	if version != "" {
		at += fmt.Sprintf(" in line %d of %s", f.Line, version)
	}
	return at
}

// weighty reports whether a symptom without a traceback is one that two bugs
// would hardly share: everything crashes with SIGSEGV, and prints True.
func weighty(s bug.Symptom) bool {
	const enough = 12
	return s.InOutput() && len(bug.Squeeze(s.Output+s.Wanted)) >= enough
}

// collect makes groups of those that have the same first one.
func collect(cases []Case, of []int, why []string) []Group {
	at := map[int]int{}
	var all []Group
	for i, c := range cases {
		g, known := at[of[i]]
		if !known {
			g = len(all)
			at[of[i]] = g
			all = append(all, Group{Why: why[of[i]]})
		}
		all[g].Cases = append(all[g].Cases, c.N)
	}
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(a.Cases[0], b.Cases[0]) })
	return all
}
