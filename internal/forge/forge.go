// Package forge is where issues live.
package forge

import (
	"context"
	"errors"

	"scrub/internal/bug"
)

// A Reader reads what anybody may read.
type Reader interface {
	Report(ctx context.Context, ref bug.Ref) (bug.Report, error)
	// Collaborator reports whether somebody may change the repository. Whoever
	// asks takes any error, and any doubt, for a no.
	Collaborator(ctx context.Context, repo, user string) (bool, error)
}

// ErrNotFound means that the forge has no such issue, or does not show it.
var ErrNotFound = errors.New("no such issue")
