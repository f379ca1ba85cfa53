package bug

import "fmt"

// An Answer is what we know about a yes-or-no question.
type Answer int

const (
	Unknown Answer = iota
	No
	Yes
)

var answers = [...]string{"unknown", "no", "yes"}

func (a Answer) String() string { return answers[a] }

// MarshalText writes the answer as its word.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (a *Answer) UnmarshalText(text []byte) error {
	for i, word := range answers {
		if word == string(text) {
			*a = Answer(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no answer", text)
}
