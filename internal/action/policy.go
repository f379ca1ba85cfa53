package action

import (
	"fmt"
	"slices"
)

// A Policy is whose word each kind of action needs.
type Policy map[Kind]Mode

// PolicyOf reads words by kind: auto, ask or never. A kind that is not named
// has to be asked for.
func PolicyOf(words map[string]string) (Policy, error) {
	p := Policy{}
	for _, k := range Kinds {
		p[k] = Ask
	}
	for kind, word := range words {
		if !slices.Contains(Kinds, Kind(kind)) {
			return nil, fmt.Errorf("there is no action %q: want one of %v", kind, Kinds)
		}
		if c := Mode(word); c != Auto && c != Ask && c != Never {
			return nil, fmt.Errorf("%s = %q: want auto, ask or never", kind, word)
		}
		p[Kind(kind)] = Mode(word)
	}
	return p, nil
}

// Tighten makes p as strict as words are where they are stricter.
func (p Policy) Tighten(words map[string]string) error {
	other, err := PolicyOf(words)
	if err != nil {
		return err
	}
	for kind := range words {
		p[Kind(kind)] = Stricter(p[Kind(kind)], other[Kind(kind)])
	}
	return nil
}
