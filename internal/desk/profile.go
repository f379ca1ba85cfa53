package desk

import (
	"context"

	"scrub/internal/profile"
	"scrub/internal/project"
)

// A Profile is what is said of one.
type Profile struct {
	Schema  string   `json:"schema"`
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Extends string   `json:"extends,omitempty"`
	Repos   []string `json:"repos,omitempty"`
	Rules   int      `json:"rules"`
}

func aboutProfile(p profile.Profile) Profile {
	return Profile{"profile/1", p.Name, p.About, p.Extends, p.Repos, len(p.Triage) + len(p.Symptoms) + len(p.Vet)}
}

// Profile checks a profile, by its name or folder.
func (d *Desk) Profile(_ context.Context, name string) (Profile, error) {
	p, err := project.Checked(profile.Load(name))
	return aboutProfile(p), err
}

// Profiles are those that scrub brings along.
func (d *Desk) Profiles(ctx context.Context) ([]Profile, error) {
	var all []Profile
	for _, name := range profile.Names() {
		p, err := d.Profile(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
