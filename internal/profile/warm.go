package profile

import (
	"fmt"
	"slices"
	"strings"
)

// Warm is what an interpreter that many programs are forked from has for them, in
// the file warm.toml.
type Warm struct {
	Caches []string `toml:"caches"` // folders in the box that they share
	Own    []string `toml:"own"`    // folders in those that each has for itself
	// What such an interpreter runs first, for programs that use something of which the first time is dear. It must
	// leave no threads and no processes behind.
	Ready []Script `toml:"ready"`
}

// A Script is Python of a project, for programs that use something.
type Script struct {
	About string  `toml:"about"`
	Uses  Pattern `toml:"uses"` // in the text of the program
	With  string  `toml:"with"` // a file of the profile
	Text  string  `toml:"-"`    // of that file
}

// For are the texts of the scripts that are for a program.
func For(all []Script, program string) []string {
	var texts []string
	for _, s := range all {
		if s.Uses.MatchString(program) {
			texts = append(texts, s.Text)
		}
	}
	return texts
}

// find puts in the texts of scripts, from the files of a profile.
func find(all []Script, files map[string]string) error {
	for i := range all {
		s := &all[i]
		if s.Text = files[s.With]; s.Text == "" {
			return fmt.Errorf("there is no %q", s.With)
		}
		if s.Uses.Regexp == nil {
			return fmt.Errorf("%s needs uses", s.With)
		}
	}
	return nil
}

// Before is what an interpreter does before it runs a program and those that are
// made of it.
func (w Warm) Before(program string) string { return strings.Join(For(w.Ready, program), "\n") }

// onTopOf is w with what parent has, too.
func (w Warm) onTopOf(parent Warm) Warm {
	return Warm{Caches: slices.Concat(w.Caches, parent.Caches), Own: slices.Concat(w.Own, parent.Own),
		Ready: slices.Concat(w.Ready, parent.Ready)}
}
