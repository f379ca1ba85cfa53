package bug

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

var signalWord = regexp.MustCompile(`^SIG[A-Z]+$`)

// Expect is s in the words that ParseSymptom reads.
func (s Symptom) Expect() string {
	switch s.Kind {
	case Crashes:
		return cmp.Or(s.Signal, "crash")
	case Hangs:
		return "hang"
	case Prints:
		return "prints: " + s.Output
	case Lacks:
		return "lacks: " + s.Wanted
	case Warns:
		return "warns: " + strings.TrimSuffix(s.Class+": "+s.Message, ": ")
	case Slower, Hungry, Compiles:
		return s.expectCost()
	}
	return strings.TrimSuffix(s.Class+": "+s.Message, ": ")
}

// ParseSymptom reads what a person expects to see: "ValueError: no",
// "SIGSEGV", "hang", "prints: TEXT", "lacks: TEXT", "slower: 1.5x", "memory: 2x" or "compile: 2x".
func ParseSymptom(s string) (Symptom, error) {
	s = strings.TrimSpace(s)
	if cost, ok, err := parseCost(s); ok || err != nil {
		return cost, err
	}
	if text, ok := strings.CutPrefix(s, "prints:"); ok {
		return Symptom{Kind: Prints, Output: strings.TrimSpace(text)}, nil
	}
	if text, ok := strings.CutPrefix(s, "lacks:"); ok {
		return Symptom{Kind: Lacks, Wanted: strings.TrimSpace(text)}, nil
	}
	if text, ok := strings.CutPrefix(s, "warns:"); ok {
		class, message, _ := strings.Cut(strings.TrimSpace(text), ":")
		return Symptom{Kind: Warns, Class: strings.TrimSpace(class), Message: strings.TrimSpace(message)}, nil
	}
	switch {
	case strings.EqualFold(s, "hang"), strings.EqualFold(s, "hangs"):
		return Symptom{Kind: Hangs}, nil
	case strings.EqualFold(s, "crash"):
		return Symptom{Kind: Crashes}, nil
	case signalWord.MatchString(s):
		return Symptom{Kind: Crashes, Signal: s}, nil
	}
	m := errorLine.FindStringSubmatch(s)
	if m == nil {
		return Symptom{}, fmt.Errorf("%q is not a symptom: want 'ValueError: text', 'SIGSEGV', 'hang', 'prints: text', "+
			"'lacks: text', 'warns: UserWarning: text', 'slower: 1.5x', 'memory: 2x' or 'compile: 2x'", s)
	}
	return SymptomOf(Exception{Class: m[1], Message: m[2]}), nil
}
