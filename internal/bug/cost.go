package bug

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// costForm is how a person says that a program costs too much: "slower: 1.5x
// than python3.11", "memory: > 2x", "compile: 2x".
var costForm = regexp.MustCompile(`^(slower|memory|compile):\s*>?\s*(\d+(?:\.\d+)?)\s*(?:x|times)?(?:\s+than\s+(\S+))?$`)

// parseCost reads what costForm describes.
func parseCost(s string) (Symptom, bool, error) {
	m := costForm.FindStringSubmatch(s)
	if m == nil {
		if strings.HasPrefix(s, "slower:") || strings.HasPrefix(s, "memory:") || strings.HasPrefix(s, "compile:") {
			return Symptom{}, false, fmt.Errorf("%q: want 'slower: 1.5x', 'memory: 2x', 'compile: 2x' or one of these with "+
				"'than PYTHON'", s)
		}
		return Symptom{}, false, nil
	}
	factor, err := strconv.ParseFloat(m[2], 64)
	if err != nil || factor <= 1 {
		return Symptom{}, false, fmt.Errorf("%q: it must be more than 1 times what it is compared with", s)
	}
	return Symptom{Kind: Kind(m[1]), Factor: factor, Than: m[3]}, true, nil
}

// Costs reports whether s is that a program takes more than elsewhere, which no
// run shows alone.
func (s Symptom) Costs() bool { return s.Kind == Slower || s.Kind == Hungry || s.Kind == Compiles }

// told is how the project itself says what a run has cost.
var told = regexp.MustCompile(`(?m)^scrub: told (\d+(?:\.\d+)?)$`)

// Of is what a run costs, as s counts it: work, memory, or what the project tells; ok means that it is known.
func (s Symptom) Of(o Outcome) (cost float64, ok bool) {
	switch s.Kind {
	case Hungry:
		return float64(o.Cost.Memory), true
	case Compiles:
		all := told.FindAllStringSubmatch(o.Stderr, -1)
		if len(all) == 0 {
			return 0, false
		}
		cost, err := strconv.ParseFloat(all[len(all)-1][1], 64)
		return cost, err == nil
	}
	return o.Cost.CPU.Seconds(), true
}

// Unit is what s counts.
func (s Symptom) Unit() string {
	return map[Kind]string{Slower: "CPU time", Hungry: "peak memory", Compiles: "compile time"}[s.Kind]
}

func (s Symptom) costs() string {
	return fmt.Sprintf("%g times the %s of %s", s.Factor, s.Unit(), cmp.Or(s.Than, "another version"))
}

func (s Symptom) expectCost() string {
	text := fmt.Sprintf("%s: %gx", s.Kind, s.Factor)
	if s.Than != "" {
		text += " than " + s.Than
	}
	return text
}
