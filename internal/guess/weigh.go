package guess

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/judge"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
)

// Facts are what a guess is weighed by.
type Facts struct {
	Report    string // all that people wrote
	Words     mention.Words
	Package   string // that the report is about; empty for none
	Symptom   bug.Symptom
	Program   string
	Strings   []string    // that stand in the program, or in what it reads
	Remarks   []Remark    // what is not plain about the program
	Straights []Straight  // the program, as what it asked on each version
	Clue      *judge.Clue // the difference that is said to be meant, if it was observed; nil for none
	Shown     *Side       // where it shows what is expected; nil for nowhere
	Passed    *Side       // where it does not; nil for nowhere
}

// Weigh says what speaks for a guess and what against it.
func (g Guess) Weigh(f Facts) Weighed {
	w := Weighed{Guess: g}
	no := func(k Kind, form string, args ...any) {
		w.Against = append(w.Against, Objection{k, fmt.Sprintf(form, args...)})
	}
	yes := func(form string, args ...any) { w.For = append(w.For, fmt.Sprintf(form, args...)) }
	if quoted(g.Quote, f.Report) {
		yes("the report says: %s", bug.Quoted(bug.Squeeze(g.Quote)))
	} else {
		no(NotQuoted, "the quote must be a sentence of the report, to the letter")
	}
	if g.Version != "" && !alone(g.Version).MatchString(g.Quote) {
		no(NotQuoted, "the quote does not name version %s", g.Version)
	}
	if f.Shown == nil {
		what := f.Symptom.String()
		if f.Symptom.Kind == bug.Unsaid {
			what = "what was proposed"
		}
		no(NotShown, "%s was not seen in every run on a version with the bug", what)
		return w
	}
	yes("%s shows on %s", f.Symptom, f.Shown.Where)
	if f.Passed != nil {
		yes("it does not on %s", f.Passed.Where)
	}
	if g.Program != "" {
		for _, o := range f.measured() {
			no(o.Kind, "%s", o.Why)
		}
	}
	if len(g.Files) > 0 && f.Passed == nil {
		no(NotGone, "it shows on every version with that file: the file may be what is wrong")
	}
	if g.Statement != "" {
		switch {
		case f.Clue == nil:
			no(NotShown, "no difference was observed in that statement")
		case !shares(g.Quote, f.Clue.Older.Text()) && !shares(g.Quote, f.Clue.Newer.Text()) && !f.namesCall(g.Quote):
			no(NotSaid, "the quote names nothing of that statement or of what it shows")
		}
	}
	if g.Program != "" || g.Expect != "" {
		if how := f.said(g.Quote); how != "" {
			yes("%s", how)
		} else if f.Passed == nil {
			no(NotGone, "it shows on every version that was asked, and the report does not say %s in so many words", f.Symptom)
		} else {
			no(NotSaid, "neither the quote nor the rest of the report speaks of %s", f.Symptom)
		}
	}
	return w
}

// quoted reports whether a report has words to the letter, and enough of them to mean something.
func quoted(quote, report string) bool {
	quote = bug.Squeeze(quote)
	return len(quote) >= 8 && len(quote) <= 600 && strings.Contains(bug.Squeeze(report), quote)
}

// alone finds a word that is no part of another.
func alone(word string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\w.])v?` + regexp.QuoteMeta(word) + `(?:$|[^\w]|\.(?:\D|$))`)
}

// surely are the levels of mentions that nobody makes of something else.
var surely = []mention.Level{mention.ErrorWhole, mention.ErrorMessage, mention.ValueThere, mention.ValueAlone,
	mention.ValueLong, mention.Hangs}

// said is how the report speaks of what was seen; empty if it does not. Where no other version does without it, it must
// have the words.
func (f Facts) said(quote string) string {
	shown, other := thing(f.Symptom, f.Shown), observe.Thing{}
	if f.Passed != nil {
		other = instead(f.Symptom, f.Passed)
	}
	squeezed := bug.Squeeze(quote)
	for _, h := range f.Words.Find(shown, other, observe.Added) {
		line := bug.Squeeze(h.Quote)
		there := strings.Contains(squeezed, line) || strings.Contains(line, squeezed)
		sure := slices.Contains(surely, h.Level)
		says := sure || there
		if wished := strings.Contains(h.Polarity, "wish"); f.Symptom.Kind == bug.Raises {
			says = says && !f.hoped(line) && (sure || !wished && !strings.Contains(h.Polarity, "denied"))
		}
		if f.Passed == nil { // nothing else speaks for it
			says = sure && !strings.Contains(h.Polarity, "wish") && f.telling(shown)
		}
		if says {
			return fmt.Sprintf("of what was seen it says: %s", bug.Quoted(bug.Short(line, 160)))
		}
	}
	return ""
}

// shares reports whether a quote has a value: all of it.
func shares(quote, value string) bool {
	want := mention.Tokens(value)
	have := " " + strings.Join(mention.Tokens(quote), " ") + " "
	if len(want) == 1 {
		got := regexp.MustCompile(came + regexp.QuoteMeta(want[0]) + " ")
		return got.MatchString(have)
	}
	return len(want) > 0 && strings.Contains(have, " "+strings.Join(want, " ")+" ")
}

// A word or a number alone may be about anything, unless the words say that it came out.
const came = `(?i) (?:is|are|was|gives?|gave|returns?|returned|prints?|printed|gets?|got|says?|shows?|yields?|` +
	`outputs?|=|:|becomes?|computes?|instead of|want|expect\w*) (?:\S+ )?`

// called finds what a statement calls.
var called = regexp.MustCompile(`([A-Za-z_]\w*)\s*\(`)

// namesCall reports whether a quote names, as code, what the statement that is meant calls.
func (f Facts) namesCall(quote string) bool {
	for _, m := range called.FindAllStringSubmatch(f.Clue.Text, -1) {
		if m[1] != "print" && m[1] != "repr" && asCode(quote, m[1]) {
			return true
		}
	}
	return false
}

// hoped reports whether the sentence of a line that has the error says that it should come.
func (f Facts) hoped(line string) bool {
	at := strings.Index(line, f.Symptom.Class)
	if at < 0 {
		return false
	}
	sentence := line[strings.LastIndex(line[:at], ". ")+1 : at]
	return hope.MatchString(sentence)
}

var hope = regexp.MustCompile(`(?i)\b(?:should|must|ought|expect\w*|would|want|wish)\b`)

// telling reports whether something is seen that comes about in one way only: a crash, an error that says what is wrong,
// a value of several parts. Who waits for an end has not seen that there is none, and a number may be any.
func (f Facts) telling(t observe.Thing) bool {
	switch f.Symptom.Kind {
	case bug.Crashes:
		return true
	case bug.Raises: // to the letter: an input that is rightly refused is refused in the same words
		return len(mention.Tokens(t.Message)) >= 3 && shares(f.Report, t.Message)
	case bug.Prints:
		return len(mention.Tokens(t.Text())) >= 4
	}
	return false
}

// thing is what is looked for, as observing has it.
func thing(s bug.Symptom, at *Side) observe.Thing {
	switch s.Kind {
	case bug.Raises:
		if e, ok := at.Outcome.Exception(); ok {
			return observe.Thing{Kind: observe.Exception, Class: e.Name(), Message: e.Message}
		}
		return observe.Thing{Kind: observe.Exception, Class: s.Class, Message: s.Message}
	case bug.Hangs:
		return observe.Thing{Kind: observe.TooSlow}
	case bug.Crashes:
		return observe.Thing{Kind: observe.Death, Class: s.Signal}
	case bug.Lacks:
		return observe.Thing{Kind: observe.Printed, Texts: []string{s.Wanted}}
	}
	return observe.Thing{Kind: observe.Printed, Texts: []string{s.Output}}
}

// instead is what came where it does not show.
func instead(s bug.Symptom, at *Side) observe.Thing {
	if e, ok := at.Outcome.Exception(); ok {
		return observe.Thing{Kind: observe.Exception, Class: e.Name(), Message: e.Message}
	}
	if s.InOutput() {
		return observe.Thing{Kind: observe.Printed, Texts: []string{strings.TrimSpace(at.Outcome.Stdout)}}
	}
	return observe.Thing{Kind: observe.Silence}
}
