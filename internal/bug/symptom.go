package bug

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Symptom is how we recognize a bug from outside. The zero Symptom means
// that nobody has said what goes wrong.
type Symptom struct {
	Kind    Kind   `json:"kind"`
	Class   string `json:"class,omitempty"`   // Raises: the exception, without its module
	Message string `json:"message,omitempty"` // Raises: the part of the message that is about this bug
	Also    string `json:"also,omitempty"`    // Raises: other names that the exception has had, with blanks between them
	At      string `json:"at,omitempty"`      // Raises, when there is no message: the statement that raised
	Func    string `json:"func,omitempty"`    // Raises: the function that raised it, if the report shows that
	Signal  string `json:"signal,omitempty"`  // Crashes: as in "SIGSEGV"; empty for any
	Output  string `json:"output,omitempty"`  // Prints: the text, line for line
	Before  string `json:"before,omitempty"`  // Prints: what a session printed before that, which must only be alike
	Wanted  string `json:"wanted,omitempty"`  // Prints, Lacks: what should have been printed
	// Prints, Lacks: what the report shows in some place of its own, which is compared by where it stands in the output
	// and by its values; Forms are those of the program's print statements, a line each.
	Claimed bool   `json:"claimed,omitempty"`
	Forms   string `json:"forms,omitempty"`
	// Prints: Output and Wanted are single values that a sentence names, somewhere among what is printed.
	Among bool `json:"among,omitempty"`
	// Slower, Hungry, Compiles: how many times what the other takes, and which that is, as somebody said it.
	Factor float64 `json:"factor,omitempty"`
	Than   string  `json:"than,omitempty"`
}

// A Kind is a kind of symptom.
type Kind string

const (
	Unsaid  Kind = ""
	Raises  Kind = "raises"
	Crashes Kind = "crashes"
	Hangs   Kind = "hangs"
	Prints  Kind = "prints"
	Lacks   Kind = "lacks" // it ends well without printing what it should
	Fails   Kind = "fails" // in whichever way; only said, never looked for
	Warns   Kind = "warns"
	Slower  Kind = "slower"
	Hungry  Kind = "memory" // it takes more than elsewhere
	// Compiles is that compiling takes longer than elsewhere, as the project itself counts it.
	Compiles Kind = "compile"
)

// SymptomOf is the symptom of a program that ended with e.
func SymptomOf(e Exception) Symptom {
	s := Symptom{Kind: Raises, Class: e.Name(), Message: distinctive(e.Message)}
	if s.Message == "" {
		s.At = e.At()
	}
	s.Func = innermost(e)
	return s
}

// innermost is the function that raised e, if that is not the program's own text.
func innermost(e Exception) string {
	if n := len(e.Frames); n > 1 && !strings.HasPrefix(e.Frames[n-1].Func, "<") {
		return e.Frames[n-1].Func
	}
	return ""
}

// distinctive is the part of a message that is about this bug: its first
// line, and the next where the first only announces it, as in "backend='x' raised:".
func distinctive(message string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(message), "\n")
	first = strings.TrimSpace(first)
	if next := firstLine(rest); strings.HasSuffix(first, ":") && next != "" {
		return first + " " + next
	}
	return first
}

func (s Symptom) String() string {
	switch s.Kind {
	case Warns:
		return "a warning, " + strings.TrimSuffix(s.Class+": "+s.Message, ": ")
	case Raises:
		if s.Message == "" && s.At != "" {
			return fmt.Sprintf("%s at `%s`", s.Class, s.At)
		}
		return strings.TrimSuffix(s.Class+": "+s.Message, ": ")
	case Crashes:
		if s.Signal == "" {
			return "a crash"
		}
		return s.Signal
	case Hangs:
		return "a hang"
	case Prints:
		return fmt.Sprintf("the output %q", s.Output)
	case Lacks:
		return fmt.Sprintf("no output %q", s.Wanted)
	case Slower, Hungry, Compiles:
		return s.costs()
	}
	return "not stated"
}

// InOutput reports whether s is about what a program prints.
func (s Symptom) InOutput() bool { return s.Kind == Prints || s.Kind == Lacks }

// In answers whether o shows s. A run that could not start, or that hit a
// limit of ours other than time, is evidence of nothing.
func (s Symptom) In(o Outcome) Answer {
	if o.End == NoStart || s.Kind == Unsaid || s.Costs() || (o.Limit != "" && o.End != TimedOut) {
		return Unknown
	}
	if s.Claimed {
		return s.claimed(o)
	}
	if s.Among {
		return s.among(o)
	}
	return answer(s.shown(o))
}

// claimed compares what the report shows with what was printed.
func (s Symptom) claimed(o Outcome) Answer {
	alike := Alike(s.Output+s.Wanted, o.Stdout, strings.Split(s.Forms, "\n")).Answer()
	if s.Kind == Lacks && alike != Unknown {
		return answer(alike == No)
	}
	return alike
}

func (s Symptom) shown(o Outcome) bool {
	switch s.Kind {
	case Raises:
		e, ok := o.Exception()
		return ok && s.isRaised(e)
	case Crashes:
		sig, ok := o.Crash()
		return ok && (s.Signal == "" || sig == s.Signal)
	case Hangs:
		return o.End == TimedOut
	case Prints:
		return containsLines(lasting(o.Stdout), lasting(s.Output)) && linesAlike(o.Stdout, s.Before)
	case Warns:
		return strings.Contains(o.Stderr, s.Class) && strings.Contains(Normal(o.Stderr), Normal(s.Message))
	case Lacks:
		return !o.Failed() && o.Stdout != "" && !containsLines(o.Stdout, s.Wanted)
	}
	return false
}

var addresses = regexp.MustCompile(`\b0x[0-9a-fA-F]{4,}\b`)

// lasting is what is printed of a text wherever and with whatever release it is printed: programs begin by showing
// the version of what they are about.
func lasting(s string) string {
	if kept := versions.ReplaceAllString(s, ""); strings.TrimSpace(kept) != "" {
		s = kept
	}
	return unaddressed(s)
}

// versions are lines that are a version and nothing else.
var versions = regexp.MustCompile(`(?m)^[ \t]*v?\d+\.\d+\.\d+(?:[.+a-z-][\w.+-]*)?[ \t]*$`)

// unaddressed is a text without addresses, which are never the same twice.
func unaddressed(s string) string { return addresses.ReplaceAllString(s, "0x") }

func (s Symptom) isRaised(e Exception) bool {
	if slices.Contains(strings.Fields(s.Also), e.Name()) {
		return s.Message == "" || alike(Normal(within(e.Message)), Normal(within(s.Message))) >= 0.6
	}
	if e.Name() != s.Class {
		// One release says more exactly than another what kind of error it is, in the same words.
		kin := parents[e.Name()] == s.Class || parents[s.Class] == e.Name()
		return kin && len(s.Message) >= telling && Normal(e.Message) == Normal(s.Message)
	}
	if s.Message == "" {
		return s.At == "" || s.At == e.At()
	}
	return strings.Contains(Normal(e.Message), Normal(s.Message))
}

// telling is how long a message must be to tell one error from all others.
const telling = 12

// parents are Python's own exceptions that are a kind of another one.
var parents = map[string]string{
	"NotImplementedError": "RuntimeError",
	"RecursionError":      "RuntimeError",
	"ModuleNotFoundError": "ImportError",
	"KeyError":            "LookupError",
	"IndexError":          "LookupError",
	"UnicodeDecodeError":  "ValueError",
	"UnicodeEncodeError":  "ValueError",
	"FileNotFoundError":   "OSError",
	"PermissionError":     "OSError",
	"ConnectionError":     "OSError",
	"ZeroDivisionError":   "ArithmeticError",
	"OverflowError":       "ArithmeticError",
	"UnboundLocalError":   "NameError",
	"IndentationError":    "SyntaxError",
}

// within is what a message says behind what only announces it.
func within(message string) string {
	message = distinctive(message)
	if _, inner, ok := strings.Cut(message, " raised: "); ok {
		return inner
	}
	return message
}

func answer(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// Like reports whether o shows something close to s that is not the same:
// an error of the same class with nearly the same words, or out of the same
// function.
func (s Symptom) Like(o Outcome) bool {
	e, ok := o.Exception()
	if s.Kind != Raises || !ok || s.In(o) == Yes || e.Name() != s.Class || s.Message == "" {
		return false
	}
	return alike(Normal(distinctive(e.Message)), Normal(s.Message)) >= 0.6 || s.Func != "" && s.Func == innermost(e)
}

// Contradicts reports whether s names an error, and a text of another one is not like it.
func (s Symptom) Contradicts(class, text string) bool {
	const other = 0.4
	class = class[strings.LastIndexByte(class, '.')+1:]
	return s.Kind == Raises && s.Message != "" && class == s.Class &&
		alike(Normal(distinctive(text)), Normal(s.Message)) < other
}

// Worded reports whether o shows an error of the same class in nearly the same
// words as s, but for what varies.
func (s Symptom) Worded(o Outcome, varies ...*regexp.Regexp) bool {
	e, ok := o.Exception()
	if s.Kind != Raises || !ok || e.Name() != s.Class || s.Message == "" {
		return false
	}
	same := func(m string) string {
		for _, v := range varies {
			m = v.ReplaceAllString(m, "")
		}
		return Normal(m)
	}
	return alike(same(distinctive(e.Message)), same(s.Message)) >= 0.6
}

// Related reports whether o prints anything of what s says it does. If not,
// the values may only be shown in another way.
func (s Symptom) Related(o Outcome) bool {
	if s.Kind != Prints || s.Claimed || s.Among {
		return true
	}
	return strings.TrimSpace(o.Stdout) != "" && alike(o.Stdout, s.Output+"\n"+s.Before) > 0.2
}

var token = regexp.MustCompile(`\w+`)

// alike is how many of the words of two texts are the same, from 0 to 1.
func alike(a, b string) float64 {
	count := map[string]int{}
	as, bs := token.FindAllString(a, -1), token.FindAllString(b, -1)
	for _, w := range as {
		count[w]++
	}
	same := 0
	for _, w := range bs {
		if count[w] > 0 {
			count[w]--
			same++
		}
	}
	if len(as)+len(bs) == 0 {
		return 1
	}
	return 2 * float64(same) / float64(len(as)+len(bs))
}

// linesAlike reports whether for every line of want there is one in text of
// the same characters, in any order: sets and dicts have none, and brackets
// come and go.
func linesAlike(text, want string) bool {
	have := map[string]int{}
	for line := range strings.Lines(text) {
		have[letters(line)]++
	}
	for line := range strings.Lines(want) {
		l := letters(line)
		if l == "" {
			continue
		}
		if have[l] == 0 {
			return false
		}
		have[l]--
	}
	return true
}

func letters(line string) string {
	all := []rune(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("()[]{},", r) {
			return -1
		}
		return r
	}, line))
	slices.Sort(all)
	return string(all)
}

// containsLines reports whether want stands in text as whole lines. In one
// line the width of white space says nothing; in several it may draw something.
func containsLines(text, want string) bool {
	lines := solid(want)
	if len(lines) < 2 {
		return contains(solid(text), lines, func(a, b string) bool {
			return Squeeze(a) == Squeeze(b)
		})
	}
	indent := len(lines[0]) - len(strings.TrimLeft(lines[0], " "))
	return contains(solid(text), lines, func(a, b string) bool { return a == b }) ||
		// The first line may have lost its indentation where it was pasted.
		contains(solid(text), lines, func(a, b string) bool {
			return strings.TrimLeft(a, " ") == strings.TrimLeft(b, " ") && (indent == 0 || len(lines) < 3)
		})
}

// solid are the lines of a text that are not blank, without what trails them.
func solid(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRightFunc(line, unicode.IsSpace); line != "" {
			all = append(all, line)
		}
	}
	return all
}

func contains(all, want []string, same func(a, b string) bool) bool {
	for i := range len(all) - len(want) + 1 {
		if slices.EqualFunc(all[i:i+len(want)], want, same) {
			return true
		}
	}
	return len(want) == 0
}

// What differs from run to run and machine to machine, and what to write for it.
var noise = []struct {
	is   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`0x[0-9a-fA-F]+`), "ADDR"},
	{regexp.MustCompile(`(?:[A-Za-z]:)?(?:[/\\][\w.+@-]+){2,}`), "PATH"},
	{regexp.MustCompile(`\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`), "N"},
	{regexp.MustCompile(`\s+`), " "},
}

// Normal returns message without what is never the same twice: addresses,
// paths, numbers and the width of white space.
func Normal(message string) string {
	for _, n := range noise {
		message = n.is.ReplaceAllString(message, n.with)
	}
	return strings.TrimSpace(message)
}
