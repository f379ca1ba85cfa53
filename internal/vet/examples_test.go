package vet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

// Every entry of the profiles finds what it says in programs of its own, and nothing is found in those that only look
// alike.
func TestEntriesHaveExamples(t *testing.T) {
	box, parents := newBox(t), 0 // the entries of a parent come last
	for _, name := range []string{"python", "pytorch"} {
		prof, err := profile.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		own := prof.Vet[:len(prof.Vet)-parents]
		for i, d := range own {
			if len(d.Yes) == 0 || len(d.No) == 0 {
				t.Errorf("%s: %s: %s: it has no examples", name, d.Class, d.Why)
			}
			prof.Vet[i].Why = fmt.Sprintf("%d, %s", i, d.Why)
			texts = append(append(texts, d.Yes...), d.No...)
		}
		readings, err := syntax.ReadAll(t.Context(), texts, sandbox.Tool(sandbox.Native{}, box.python))
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range own {
			for j := range len(d.Yes) + len(d.No) {
				text, reading := texts[0], readings[0]
				texts, readings = texts[1:], readings[1:]
				found := vet.Review(text, reading, prof)
				if yes := j < len(d.Yes); yes && !has(found, fmt.Sprintf("%d, ", i)) || !yes && len(found) > 0 {
					t.Errorf("%s: %s (yes: %v) in\n%s\nfound %+v", name, d.Why, yes, text, found)
				}
			}
		}
		parents = len(prof.Vet)
	}
}

func has(found []vet.Finding, why string) bool {
	for _, f := range found {
		if strings.HasPrefix(f.Why, why) {
			return true
		}
	}
	return false
}
