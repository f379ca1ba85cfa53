// Package refusal is why something that was asked for is not given, where that
// is no failure of scrub's.
package refusal

import "fmt"

// A Kind is what would have to change.
type Kind string

const (
	BadRequest Kind = "bad-request" // it makes no sense as it is
	Undecided  Kind = "undecided"   // a person must decide first
	Nothing    Kind = "nothing"     // it was looked at, and there is nothing to give
)

// A Refusal is an error of that kind.
type Refusal struct {
	Kind Kind
	Err  error
}

func (r Refusal) Error() string { return r.Err.Error() }

func (r Refusal) Unwrap() error { return r.Err }

// Bad refuses what makes no sense.
func Bad(form string, args ...any) error { return Refusal{BadRequest, fmt.Errorf(form, args...)} }

// Wait refuses what a person must decide first.
func Wait(form string, args ...any) error { return Refusal{Undecided, fmt.Errorf(form, args...)} }

// None refuses what there is nothing of.
func None(form string, args ...any) error { return Refusal{Nothing, fmt.Errorf(form, args...)} }
