// Package project is what is known about a project: its profile, checked as a
// whole, and what it consents to.
package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/triage"
)

// For is the profile called name, or that of a repository.
func For(name, repo string) (profile.Profile, error) {
	if name != "" {
		return Checked(profile.Load(name))
	}
	return Checked(profile.ForRepo(repo))
}

// In is the profile called name, or that of the project which a program
// or a log names.
func In(name, text string) (profile.Profile, error) {
	if name != "" {
		return Checked(profile.Load(name))
	}
	return Checked(profile.ForText(text))
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
	if err := triage.Check(p, words); err != nil {
		return p, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	if _, err := policy(p, ""); err != nil {
		return p, err
	}
	if err := classify.Check(p); err != nil {
		return p, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	return p, nil
}

// policy is a profile's, made as strict as a repository's own
// .scrub/consent.toml, if there is a checkout of it.
func policy(p profile.Profile, checkout string) (action.Policy, error) {
	rules, err := action.PolicyOf(p.Consent)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	if checkout == "" {
		return rules, nil
	}
	file := filepath.Join(checkout, ".scrub", "consent.toml")
	own, err := profile.ReadConsent(file)
	if err == nil {
		err = rules.Tighten(own)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return rules, nil
}

// Policy is how to ask for the rules of a repository as they are now.
func Policy(name, repo, checkout string) func() (action.Policy, error) {
	return func() (action.Policy, error) {
		p, err := For(name, repo)
		if err != nil {
			return nil, err
		}
		return policy(p, checkout)
	}
}

// Ignored are the triage rules that a person has set aside. What must not be
// touched is not theirs to set aside here.
func Ignored(names []string, p profile.Profile) ([]string, error) {
	var known []string
	for _, k := range p.Triage {
		if k.Hands != "off" {
			known = append(known, k.Name)
		}
	}
	if slices.Contains(names, "all") {
		return known, nil
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, refusal.Bad("--ignore-rule %s: the rules are %s, or all", n, strings.Join(known, ", "))
		}
	}
	return names, nil
}

// A Profile is what is said of one.
type Profile struct {
	Schema  string   `json:"schema"`
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Extends string   `json:"extends,omitempty"`
	Repos   []string `json:"repos,omitempty"`
	Package string   `json:"package,omitempty"`
	Rules   int      `json:"rules"`
}

// Look checks a profile, by its name or folder.
func Look(name string) (Profile, error) {
	p, err := Checked(profile.Load(name))
	return Profile{"profile/1", p.Name, p.About, p.Extends, p.Repos, p.Package, len(p.Triage) + len(p.Symptoms) + len(p.Vet)}, err
}

// All are the profiles that scrub brings along.
func All() ([]Profile, error) {
	var all []Profile
	for _, name := range profile.Names() {
		p, err := Look(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
