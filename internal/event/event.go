// Package event is the news of work that is being done: what a terminal, a
// page or a log shows while it goes on.
package event

import "time"

// A State is how far a step has come.
type State string

const (
	Going   State = "going"   // it is being done
	Found   State = "found"   // the step is over; Text is what came of it
	Skipped State = "skipped" // it could not be done; Text is why
	Warning State = "warning" // something that a person should know, of no step
)

// An Event is one piece of news.
type Event struct {
	Case  string    `json:"case,omitempty"` // whose it is; empty for what belongs to no case
	Step  string    `json:"step"`
	State State     `json:"state"`
	Text  string    `json:"text"`
	N     int       `json:"n,omitempty"` // how many of them are done
	Of    int       `json:"of,omitempty"`
	Show  string    `json:"show,omitempty"` // what there is to see of it now: a program that shrinks, the versions so far
	At    time.Time `json:"at,omitzero"`
}

// A Listener is told of events. It may be called from several places at once.
type Listener func(Event)
