package bug

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// costForm is how a person says that a program costs too much: "slower: 1.5x
// than python3.11", "memory: > 2x".
var costForm = regexp.MustCompile(`^(slower|memory):\s*>?\s*(\d+(?:\.\d+)?)\s*(?:x|times)?(?:\s+than\s+(\S+))?$`)

// parseCost reads what costForm describes.
func parseCost(s string) (Symptom, bool, error) {
	m := costForm.FindStringSubmatch(s)
	if m == nil {
		if strings.HasPrefix(s, "slower:") || strings.HasPrefix(s, "memory:") {
			return Symptom{}, false, fmt.Errorf("%q: want 'slower: 1.5x', 'memory: 2x' or either with 'than PYTHON'", s)
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
func (s Symptom) Costs() bool { return s.Kind == Slower || s.Kind == Hungry }

// Of is what a run costs, as s counts it: work or memory.
func (s Symptom) Of(c Cost) float64 {
	if s.Kind == Hungry {
		return float64(c.Memory)
	}
	return c.CPU.Seconds()
}

// Unit is what s counts.
func (s Symptom) Unit() string {
	if s.Kind == Hungry {
		return "peak memory"
	}
	return "CPU time"
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
