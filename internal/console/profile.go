package console

import (
	"fmt"

	"scrub/internal/casefile"
	"scrub/internal/classify"
	"scrub/internal/profile"
	"scrub/internal/triage"
)

// ProfileFor is the profile called name, or that of a repository.
func ProfileFor(name, repo string) (profile.Profile, error) {
	if name != "" {
		return Checked(profile.Load(name))
	}
	return Checked(profile.ForRepo(repo))
}

// Checked is p if all that it says makes sense.
func Checked(p profile.Profile, err error) (profile.Profile, error) {
	if err != nil {
		return p, err
	}
	words := make([]string, len(casefile.Verdicts))
	for i, v := range casefile.Verdicts {
		words[i] = string(v)
	}
	if err := triage.Check(p.Triage, words); err != nil {
		return p, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	if _, err := Policy(p, ""); err != nil {
		return p, err
	}
	if err := classify.Check(p); err != nil {
		return p, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	return p, nil
}

// ProfileIn is the profile called name, or that of the project which a
// program or a log names.
func ProfileIn(name, text string) (profile.Profile, error) {
	if name != "" {
		return Checked(profile.Load(name))
	}
	return Checked(profile.ForText(text))
}
