package mention

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/observe"
)

// A Hit is a place in the words that mentions something.
type Hit struct {
	Level    Level  `json:"level"`
	Polarity string `json:"polarity"`
	Quote    string `json:"quote"` // the line that stands there
}

// Wished reports whether the words around a place ask for what it mentions.
func (h Hit) Wished() bool { return strings.HasSuffix(h.Polarity, ": wish") }

// A Level is how surely a thing is mentioned, the surest first.
type Level string

const (
	ErrorWhole   Level = "error" // class and message
	ErrorMessage Level = "message"
	ErrorClass   Level = "class"
	ClassInProse Level = "class in prose"
	NameInTitle  Level = "name in title" // that the message quotes
	NameInProse  Level = "name in prose"
	ValueThere   Level = "value, under its statement"
	ValueAlone   Level = "value, alone"
	ValueLong    Level = "value, long"
	ValueShort   Level = "value, short"
	ValuePart    Level = "value, the part that differs"
	ValueTiny    Level = "value, tiny"
	Hangs        Level = "hang"
	SaidNothing  Level = "nothing, in words"
	SaidError    Level = "an error, in words"
	SaidNoError  Level = "no error, in words"
	SaidWarning  Level = "a warning, in words"
	ShownNothing Level = "nothing, under its statement"
	OwnAssertion Level = "an assertion of its own"
	Proposed     Level = "proposed" // somebody says that it is meant
)

// Find looks for a thing that a statement of a piece showed, where the other
// version showed other.
func (w Words) Find(t, other observe.Thing, piece int) []Hit {
	f := finder{w: w, piece: piece, other: other}
	switch t.Kind {
	case observe.Exception:
		f.exception(t)
		if !t.Around() {
			f.words(SaidError, failing)
		}
	case observe.Value, observe.Printed, observe.Set, observe.Warning:
		for i := range t.Texts {
			f.value(t, i)
		}
		if t.Kind == observe.Warning {
			f.words(SaidWarning, warned)
		}
	case observe.TooSlow:
		f.each(func(u unit) {
			if m := hangs.FindString(u.text); m != "" {
				f.add(Hangs, u, m)
			}
		})
	case observe.Death:
		f.each(func(u unit) {
			if m := crashes.FindString(u.text); m != "" {
				f.add(ErrorWhole, u, m)
			}
		})
	case observe.Silence:
		f.silence()
	}
	if t.Kind != observe.Exception && (other.Kind == observe.Exception || other.Kind == observe.Warning) {
		f.words(SaidNoError, unchecked)
	}
	return f.hits
}

var (
	hangs = regexp.MustCompile(`(?i)\b(hang\w*|slow\w*|forever|infinite loop|never (?:returns|ends|finish\w*)|` +
		`takes? (?:too |very |a )?long|timeout|minutes|stuck|freez\w*)\b`)
	crashes = regexp.MustCompile(`(?i)\b(seg(mentation)? ?fault\w*|core dumped|SIG[A-Z]{3,}|crash\w*|abort\w*)\b`)
	failing = regexp.MustCompile(`(?i)\b(errors?|errored|exceptions?|rais(?:e[sd]?|ing)|throws?|thrown|` +
		`fail(?:s|ed|ing|ures?)?|crash\w*|broken|breaks?|(?:does|do|did)(?:n't| not) (?:work|allow|support|accept)|` +
		`not work\w*|tracebacks?)\b`)
	unchecked = regexp.MustCompile(`(?i)\b(silent\w*|no (?:errors?|warnings?|exceptions?)|without (?:an?y? )?(?:errors?|` +
		`warnings?|exceptions?)|(?:not|n't) (?:raise|warn|fail|complain|throw|error)\w*)\b`)
	warned  = regexp.MustCompile(`(?i)\bwarn(?:s|ed|ings?)?\b`)
	nothing = regexp.MustCompile(`\bNone\b|\b(nothing|empty|no output)\b`)
	quoted  = regexp.MustCompile(`['"]([^\s'"]{1,40})['"]`)
)

// ofMessages is how people complain of the words of an error, and not of the error.
var ofMessages = regexp.MustCompile(
	`(?i)\b(?:unclear|confusing|misleading|cryptic|unhelpful|uninformative|useless|obscure|` +
		`better|clearer|wrong|improved?)\b.{0,40}\b(?:messages?|errors?)\b|\bmessages?\b.{0,40}\b(?:unclear|confus\w+|mislead\w+|` +
		`cryptic|unhelpful|not (?:very )?(?:clear|helpful)|should say|improved?)\b`,
)

// OfMessages reports whether the words complain of the words of an error.
func (w Words) OfMessages() bool {
	return slices.ContainsFunc(w.units, func(u unit) bool {
		return (u.kind == prose || u.kind == title) && ofMessages.MatchString(u.text)
	})
}

type finder struct {
	w     Words
	piece int
	other observe.Thing
	hits  []Hit
}

func (f *finder) each(do func(u unit)) {
	for _, u := range f.w.units {
		do(u)
	}
}

// add notes a hit of some text, the same one once.
func (f *finder) add(l Level, u unit, text string) {
	h := Hit{l, f.w.polarity(u, firstLine(text)), excerpt(u.text, Tokens(text))}
	if !slices.ContainsFunc(f.hits, func(o Hit) bool { return o.Level == h.Level && o.Polarity == h.Polarity }) {
		f.hits = append(f.hits, h)
	}
}

// exception looks for an error and for those it came from.
func (f *finder) exception(t observe.Thing) {
	all := append([]observe.Raised{{Class: t.Class, Message: t.Message, Also: t.Also}}, t.Inner...)
	for _, r := range all {
		want := Tokens(r.Message)
		names := strings.Join(append([]string{regexp.QuoteMeta(r.Class)}, r.Also...), "|")
		class := regexp.MustCompile(`\b(?:` + names + `)\b`)
		f.each(func(u unit) {
			named := class.MatchString(u.text)
			share := cover(want, u)
			if !namesAll(r.Message, u) {
				share = 0 // it is about something else
			}
			switch {
			case len(want) == 0 && named && u.trace, named && share >= 0.6 && float64(len(want))*share > 2:
				f.add(ErrorWhole, u, strings.TrimSuffix(r.Class+": "+firstLine(r.Message), ": "))
			case share >= 0.6 && float64(len(want))*share > 3:
				f.add(ErrorMessage, u, firstLine(r.Message))
			case t.Around(): // such errors are common, and this one is not the one that is quoted
			case named && f.ofOther(r.Class, u): // it is what the other version raises
			case named && (u.kind == block || u.kind == output):
				f.add(ErrorClass, u, r.Class)
			case named:
				f.add(ClassInProse, u, r.Class)
			}
		})
	}
	if f.other.Kind != observe.Exception && !t.Around() {
		f.names(t.Message)
	}
}

// words looks for what people say who do not quote.
func (f *finder) words(l Level, said *regexp.Regexp) {
	f.each(func(u unit) {
		if m := said.FindString(u.text); m != "" && (u.kind == prose || u.kind == title) {
			f.add(l, u, m)
		}
	})
}

// names looks for what a message quotes.
func (f *finder) names(message string) {
	for _, m := range quoted.FindAllStringSubmatch(message, -1) {
		name := regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(m[1]) + `($|\W)`)
		f.each(func(u unit) {
			switch {
			case len(m[1]) < 3 || !name.MatchString(u.text):
			case u.kind == title:
				f.add(NameInTitle, u, m[1])
			case u.kind == prose || u.kind == inline:
				f.add(NameInProse, u, m[1])
			}
		})
	}
}

// namesAll reports whether everything that a message quotes stands in a unit.
func namesAll(message string, u unit) bool {
	for _, m := range quoted.FindAllStringSubmatch(message, -1) {
		if name := strings.Join(Tokens(m[1]), " "); name != "" && !strings.Contains(u.joined, " "+name+" ") {
			return false
		}
	}
	return true
}

// ofOther reports whether a unit shows the other version's error of the same class.
func (f *finder) ofOther(class string, u unit) bool {
	return f.other.Kind == observe.Exception && f.other.Class == class && cover(Tokens(f.other.Message), u) >= 0.6
}

// value looks for one way in which a value is shown.
func (f *finder) value(t observe.Thing, i int) {
	want := Tokens(t.Texts[i])
	if len(want) == 0 || len(want) > 1200 {
		return
	}
	var else_ []string
	if len(f.other.Texts) > 0 {
		text := f.other.Texts[min(i, len(f.other.Texts)-1)]
		else_ = Tokens(text)
		if slices.Equal(else_, want) && observe.Plain(text) == observe.Plain(t.Texts[i]) {
			return
		}
	}
	found := false
	f.each(func(u unit) {
		share, others := cover(want, u), cover(else_, u)
		switch {
		case share == 1 && apart(want, else_, u):
			f.add(f.whole(u, want), u, t.Texts[i])
			found = true
		case share >= 0.7 && share > others+0.02 && len(want) >= 6:
			f.add(f.most(u, share), u, t.Texts[i])
			found = true
		}
	})
	f.lines(t.Texts[i])
	if !found {
		f.part(want, else_)
	}
}

// apart reports whether tokens stand in a unit other than as a part of others.
func apart(want, within []string, u unit) bool {
	own, other := " "+strings.Join(want, " ")+" ", " "+strings.Join(within, " ")+" "
	if len(within) == 0 || !strings.Contains(other, own) {
		return true
	}
	return strings.Count(u.joined, own) > strings.Count(u.joined, other)*strings.Count(other, own)
}

// whole is the level of a value that stands in a unit as it is.
func (f *finder) whole(u unit, want []string) Level {
	there := u.cell == f.piece && u.cell >= 0
	alone := 5*len(want) >= 4*len(u.tokens)
	novel := f.novel(want)
	switch {
	case there && (alone || novel >= 3):
		return ValueThere
	case there, alone && u.kind != prose && u.kind != title && len(want) >= 6:
		return ValueAlone
	case alone && u.kind != prose && u.kind != title, len(want) >= 12, novel >= 4:
		return ValueLong
	case u.kind == block, len(want) >= 3:
		return ValueShort
	}
	return ValueTiny
}

// most is the level of a value that stands in a unit but for some of it.
func (f *finder) most(u unit, share float64) Level {
	switch {
	case share >= 0.85 && u.cell == f.piece && u.cell >= 0:
		return ValueAlone
	case share >= 0.85:
		return ValueLong
	}
	return ValueShort
}

// novel is how many tokens do not come from a program of the report.
func (f *finder) novel(want []string) int {
	n := 0
	for _, t := range want {
		if !strings.Contains(f.w.programs, " "+t+" ") {
			n++
		}
	}
	return n
}

// lines looks for single lines of a longer output that the other lacks.
func (f *finder) lines(text string) {
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return
	}
	others := map[string]bool{}
	for _, o := range f.other.Texts {
		for line := range strings.Lines(o) {
			others[strings.Join(Tokens(line), " ")] = true
		}
	}
	for line := range strings.Lines(text) {
		want := Tokens(line)
		joined := strings.Join(want, " ")
		if len(want) == 0 || others[joined] {
			continue
		}
		f.each(func(u unit) {
			set := u.kind == block || u.kind == output || u.kind == comment
			switch {
			case set && hasLine(u.text, joined) && len(want) >= 5:
				f.add(ValueLong, u, line)
			case set && hasLine(u.text, joined), !set && len(want) >= 3 && cover(want, u) == 1:
				f.add(ValueShort, u, line)
			}
		})
	}
}

func hasLine(text, joined string) bool {
	for line := range strings.Lines(text) {
		if strings.Join(Tokens(line), " ") == joined {
			return true
		}
	}
	return false
}

// part looks for what only this side has, where that is short.
func (f *finder) part(want, else_ []string) {
	if len(else_) == 0 {
		return
	}
	a, b := want[:min(400, len(want))], else_[:min(400, len(else_))]
	only := differing(a, b)
	if len(only) == 0 || len(only) > 12 || len(only) == len(want) || f.novel(only) < 3 {
		return
	}
	joined := " " + strings.Join(only, " ") + " "
	f.each(func(u unit) {
		if strings.Contains(u.joined, joined) {
			f.add(ValuePart, u, strings.Join(only, " "))
		}
	})
}

// differing are the tokens of a that stand in no run that b shares.
func differing(a, b []string) []string {
	i, j, size := longest(a, b)
	if size == 0 {
		return a
	}
	return slices.Concat(differing(a[:i], b[:j]), differing(a[i+size:], b[j+size:]))
}

// silence looks for words that say that nothing came.
func (f *finder) silence() {
	f.each(func(u unit) {
		if m := nothing.FindString(u.text); m != "" && u.kind != block && u.kind != output {
			f.add(SaidNothing, u, m)
		}
	})
	outputs, own := false, false
	f.each(func(u unit) {
		outputs = outputs || u.kind == output
		own = own || u.kind == output && u.cell == f.piece
	})
	if outputs && !own && f.piece >= 0 && f.w.pieces[f.piece].Kind == "typed" {
		f.hits = append(f.hits, Hit{ShownNothing, "output: nothing", strings.TrimSpace(f.w.pieces[f.piece].Text)})
	}
}

// excerpt is the line of a text that has most of some tokens.
func excerpt(text string, want []string) string {
	best, most := firstLine(text), 0
	for line := range strings.Lines(text) {
		have, n := Tokens(line), 0
		for _, t := range want[:min(40, len(want))] {
			if slices.Contains(have, t) {
				n++
			}
		}
		if n > most {
			best, most = strings.TrimSpace(line), n
		}
	}
	return best
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return first
}
