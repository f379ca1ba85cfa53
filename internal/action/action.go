// Package action holds what scrub wants to do in public. Nothing here does
// it: an action is a proposal, down to the last byte.
package action

import "scrub/internal/bug"

// An Action is one thing to do on a forge.
type Action struct {
	Kind Kind    `json:"kind"`
	On   bug.Ref `json:"on"`
	Text string  `json:"text"` // the comment, the label's name or the reason to close
	Why  string  `json:"why"`
}

// A Kind is a kind of action.
type Kind string

const (
	Comment     Kind = "comment"
	AddLabel    Kind = "add-label"
	RemoveLabel Kind = "remove-label"
	RenewLabel  Kind = "renew-label" // take it away and put it back, so that the issue counts as looked at
	Close       Kind = "close"
)

// ID is a digest of all of a: change a word and it is another action.
func (a Action) ID() string { return bug.Digest(a)[:12] }
