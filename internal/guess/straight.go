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

// A Straight line is what a program asked of its libraries on one version, one thing after the other, with what it was
// given then. Whatever chose that, it is not in it: run on another version it asks the very same.
type Straight struct {
	syntax.Again
	Remarks []Remark // what is not plain about it
	Shown   Told     // where the program shows what is expected
	Passed  *Told    // where it does not; nil if there is no such version
}

// Told is what a straight line did on one version.
type Told struct {
	Shows  bug.Answer
	Reads  []string // what the library has that is no function, where the straight line uses it
	Values []string // of each step that came to its end: what it gave
	Words  string   // how it ended
	Ended  bool     // well
}

// measured reports whether the library does what is complained of, asked for the same everywhere, and the report names
// what of it.
func (f Facts) measured() []Objection {
	if len(f.Straights) == 0 {
		return f.unwritten()
	}
	var all []Objection
	for _, s := range f.Straights {
		n := len(all)
		for _, r := range s.Remarks {
			all = append(all, Objection{NotPlain, "as a straight line: " + r.Why})
		}
		if o, ok := f.differs(s); !ok && len(s.Remarks) == 0 {
			all = append(all, o)
		}
		if len(all) == n && f.Passed == nil {
			return nil // one way to say it is enough: nothing was chosen between versions
		}
	}
	slices.SortFunc(all, func(a, b Objection) int { return strings.Compare(a.Why, b.Why) })
	return slices.Compact(all)
}

// differs looks for the first step that gives something else where it passes: it must be what is complained of.
func (f Facts) differs(s Straight) (Objection, bool) {
	switch {
	case s.Shown.Shows != bug.Yes || f.Symptom.Kind == bug.Raises && s.Shown.Words != f.Shown.Outcome.Words():
		return Objection{Made, f.library() + ", asked for the very same again, does not show it: the program does"}, false
	case s.Passed == nil:
		return f.alone(s)
	case s.Passed.Shows != bug.No:
		return Objection{
			OtherWay,
			"asked for the very same, " + f.Passed.Where + " shows it as well: it is the program that " +
				"chooses what to ask",
		}, false
	case !slices.Equal(s.Shown.Reads, s.Passed.Reads):
		return Objection{OtherWay, "it uses something of " + f.library() + " that is not the same on both versions"}, false
	case f.Symptom.Kind == bug.Raises && s.handsOver() && f.Shown.Kin.RaisedByProgram():
		return Objection{Made, "what the program hands to " + f.library() + " fails, and not the library"}, false
	case !s.Passed.Ended && !f.refused():
		return Objection{NotGone, "on " + f.Passed.Where + " it does not end well either"}, false
	}
	last := f.last(s)
	first := last
	for i := range min(len(s.Shown.Values), len(s.Passed.Values)) {
		if s.Shown.Values[i] != s.Passed.Values[i] {
			first = min(i, last)
			break
		}
	}
	at := s.Steps[first]
	behind := f.behind(s, first)
	switch {
	case len(f.ours(at.Entry)) == 0 && len(behind) == 0:
		return Objection{Made, fmt.Sprintf("what differs first is %s, which is nothing of %s", at.Entry, f.library())}, false
	case !f.names(at.Form != "attr", append(behind, at.Entry)...):
		return Objection{NotSaid, "what differs first is " + at.Entry + ", which the report does not name"}, false
	case !s.leads(first, last) || !f.carried(s, first, last):
		return Objection{Made, "what is seen is not what " + at.Entry + " gave, but counted out of it"}, false
	}
	return Objection{}, true
}

// refused reports whether an error is as good as an end: where it crashed, or did not end, before.
func (f Facts) refused() bool {
	_, raised := f.Passed.Outcome.Exception()
	return raised && (f.Symptom.Kind == bug.Crashes || f.Symptom.Kind == bug.Hangs)
}

// last is the step that shows it: the one that failed, or that printed something else.
func (f Facts) last(s Straight) int {
	if f.Symptom.InOutput() {
		for i, step := range s.Steps[:min(len(s.Steps), len(s.Shown.Values), len(s.Passed.Values))] {
			shown := s.Shown.Values[i]
			if step.Entry == "print" && shown != s.Passed.Values[i] && (f.Symptom.Output == "" || has(shown, f.Symptom.Output)) {
				return i
			}
		}
	}
	return min(len(s.Shown.Values), len(s.Steps)-1)
}

// has reports whether a value is shown with all numbers and words of an output.
func has(shown, output string) bool {
	have := mention.Tokens(shown)
	return !slices.ContainsFunc(mention.Tokens(output), func(t string) bool {
		return len(t) > 1 && !slices.Contains(have, t)
	})
}

// behind is what gave a step of no library what it only shows: what the library makes is known by what it shows alone.
func (f Facts) behind(s Straight, at int) []string {
	if len(f.ours(s.Steps[at].Entry)) > 0 && s.Steps[at].Form != "attr" {
		return nil
	}
	var all []string
	for _, step := range s.Steps[:at] {
		if step.Name != "" && uses(s.Steps[at].Line, step.Name) {
			all = append(all, f.ours(step.Entry)...)
		}
	}
	return all
}

// leads reports whether a step has what an earlier one gave, and nothing is counted or chosen on the way.
func (s Straight) leads(first, last int) bool {
	has := map[string]bool{s.Steps[first].Name: true}
	for i := first + 1; i <= last; i++ {
		step := s.Steps[i]
		from := false
		for name := range has {
			from = from || name != "" && uses(step.Line, name)
		}
		if from && step.Plainly && s.Steps[first].Name != step.Name {
			continue // whoever needs that does not have it
		}
		if from {
			has[step.Name] = true
		}
		if i == last {
			return from
		}
	}
	return first == last
}

func uses(line, name string) bool {
	if _, right, assigned := strings.Cut(line, " = "); assigned {
		line = right
	}
	return regexp.MustCompile(`\b` + name + `\b`).MatchString(line)
}

// carried reports whether what differs in what is printed is the value that the first step gave.
func (f Facts) carried(s Straight, first, last int) bool {
	if !f.Symptom.InOutput() || first == last || last >= len(s.Shown.Values) || last >= len(s.Passed.Values) {
		return true
	}
	side, value := s.Shown.Values[last], s.Shown.Values[first]
	other := mention.Tokens(s.Passed.Values[last])
	if f.Symptom.Kind == bug.Lacks {
		side, value, other = s.Passed.Values[last], s.Passed.Values[first], mention.Tokens(s.Shown.Values[last])
	}
	have := mention.Tokens(value)
	return !slices.ContainsFunc(mention.Tokens(side), func(t string) bool {
		return spelled.MatchString(t) && !slices.Contains(other, t) && !slices.Contains(have, t)
	})
}

var spelled = regexp.MustCompile(`\w`)

// handsOver reports whether something of the program's own is handed to the library.
func (s Straight) handsOver() bool {
	return strings.Contains(strings.Join(s.Above, "\n"), "def ") ||
		slices.ContainsFunc(s.Steps, func(step syntax.Step) bool {
			return strings.Contains(step.Line, "lambda ")
		})
}

// alone is what must hold where every version shows it: the library itself fails, or gives what is printed, asked by
// nothing of the program's own, and the report names it as code.
func (f Facts) alone(s Straight) (Objection, bool) {
	if s.handsOver() {
		return Objection{Made, "the library is handed something of the program's own, which may be what fails"}, false
	}
	names := f.printers()
	if !f.Symptom.InOutput() {
		names = f.ours(s.Steps[min(len(s.Shown.Values), len(s.Steps)-1)].Entry)
	}
	switch {
	case len(names) == 0:
		return Objection{Made, "what is seen does not come out of " + f.library()}, false
	case !f.names(false, names...):
		return Objection{NotSaid, "the report does not name what was asked: " + strings.Join(names, ", ")}, false
	case f.writtenIn():
		return Objection{WrittenIn, "what it is to show stands in the program itself"}, false
	}
	return Objection{}, true
}

// unwritten is what holds for a program of which no straight line could be written down.
func (f Facts) unwritten() []Objection {
	own := slices.ContainsFunc(f.Shown.Frames, func(one syntax.Frame) bool { return one.Own })
	loops := strings.Contains(f.Program, "for ")
	if f.Symptom.Kind != bug.Crashes || f.Passed != nil || !own || loops || len(f.Remarks) > 0 {
		return []Objection{{Unseen, "what it asks of the library could not be written down: say it more simply"}}
	}
	for _, m := range called.FindAllStringSubmatch(f.Program, -1) {
		if asCode(f.Report, m[1]) {
			return nil // a plain program dies of nothing else than what it calls
		}
	}
	return []Objection{{NotSaid, "the report names nothing that the program calls"}}
}
