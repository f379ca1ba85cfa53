package desk

import (
	"context"

	"github.com/scrub-dev/scrub/internal/project"
)

// A Profile is what is said of one.
type Profile = project.Profile

// Profile checks a profile, by its name or folder.
func (d *Desk) Profile(_ context.Context, name string) (Profile, error) { return project.Look(name) }

// Profiles are those that scrub brings along.
func (d *Desk) Profiles(context.Context) ([]Profile, error) { return project.All() }
