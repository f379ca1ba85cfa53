package bug

import (
	"fmt"
	"regexp"
	"strings"
)

// A Symptom is how we recognize a bug from outside. The zero Symptom means
// that nobody has said what goes wrong.
type Symptom struct {
	Kind    Kind   `json:"kind"`
	Class   string `json:"class,omitempty"`   // Raises: the exception, without its module
	Message string `json:"message,omitempty"` // Raises: the part of the message that is about this bug
	At      string `json:"at,omitempty"`      // Raises, when there is no message: the statement that raised
	Signal  string `json:"signal,omitempty"`  // Crashes: as in "SIGSEGV"; empty for any
	Output  string `json:"output,omitempty"`  // Prints: the text, line for line
	Wanted  string `json:"wanted,omitempty"`  // Prints, Lacks: what should have been printed
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
)

// SymptomOf is the symptom of a program that ended with e.
func SymptomOf(e Exception) Symptom {
	s := Symptom{Kind: Raises, Class: e.Name(), Message: distinctive(e.Message)}
	if s.Message == "" {
		s.At = e.At()
	}
	return s
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
	}
	return "nothing that the report names"
}

// InOutput reports whether s is about what a program prints.
func (s Symptom) InOutput() bool { return s.Kind == Prints || s.Kind == Lacks }

// In answers whether o shows s. A run that could not start, or that hit a
// limit of ours other than time, is evidence of nothing.
func (s Symptom) In(o Outcome) Answer {
	if o.End == NoStart || s.Kind == Unsaid || (o.Limit != "" && o.End != TimedOut) {
		return Unknown
	}
	return answer(s.shown(o))
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
		return containsLines(o.Stdout, s.Output)
	case Lacks:
		return !o.Failed() && o.Stdout != "" && !containsLines(o.Stdout, s.Wanted)
	}
	return false
}

func (s Symptom) isRaised(e Exception) bool {
	if e.Name() != s.Class {
		return false
	}
	if s.Message == "" {
		return s.At == "" || s.At == e.At()
	}
	return strings.Contains(Normal(e.Message), Normal(s.Message))
}

func answer(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// containsLines reports whether want stands in text as whole lines.
func containsLines(text, want string) bool {
	clean := func(s string) string {
		var b strings.Builder
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != "" {
				b.WriteString("\n" + line)
			}
		}
		return b.String() + "\n"
	}
	return strings.Contains(clean(text), clean(want))
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

var signalWord = regexp.MustCompile(`^SIG[A-Z]+$`)

// ParseSymptom reads what a person expects to see: "ValueError: no",
// "SIGSEGV", "hang", "prints: TEXT" or "lacks: TEXT".
func ParseSymptom(s string) (Symptom, error) {
	s = strings.TrimSpace(s)
	if text, ok := strings.CutPrefix(s, "prints:"); ok {
		return Symptom{Kind: Prints, Output: strings.TrimSpace(text)}, nil
	}
	if text, ok := strings.CutPrefix(s, "lacks:"); ok {
		return Symptom{Kind: Lacks, Wanted: strings.TrimSpace(text)}, nil
	}
	switch {
	case strings.EqualFold(s, "hang"):
		return Symptom{Kind: Hangs}, nil
	case strings.EqualFold(s, "crash"):
		return Symptom{Kind: Crashes}, nil
	case signalWord.MatchString(s):
		return Symptom{Kind: Crashes, Signal: s}, nil
	}
	m := errorLine.FindStringSubmatch(s)
	if m == nil {
		return Symptom{}, fmt.Errorf("%q is no symptom: want 'ValueError: text', 'SIGSEGV', 'hang', 'prints: text' or 'lacks: text'", s)
	}
	return SymptomOf(Exception{Class: m[1], Message: m[2]}), nil
}
