package profile

import (
	"fmt"
	"strings"
)

// Warm is what an interpreter that many programs are forked from has for them, in
// the file warm.toml.
type Warm struct {
	Caches []string `toml:"caches"` // folders in the box that they share
	Own    []string `toml:"own"`    // folders in those that each has for itself
	Ready  []Ready  `toml:"ready"`
}

// Ready is a Python program that such an interpreter runs first, for programs that
// use something of which the first time is dear. It must leave no threads and no
// processes behind.
type Ready struct {
	Uses   Pattern `toml:"uses"` // in the text of the program
	With   string  `toml:"with"` // a file of the profile
	Script string  `toml:"-"`
}

// Before is what an interpreter does before it runs a program and those that are
// made of it.
func (w Warm) Before(program string) string {
	var all []string
	for _, r := range w.Ready {
		if r.Uses.MatchString(program) {
			all = append(all, r.Script)
		}
	}
	return strings.Join(all, "\n")
}

// scripts finds the programs in the files of a profile.
func (w *Warm) scripts(files map[string]string) error {
	for i := range w.Ready {
		r := &w.Ready[i]
		if r.Script = files[r.With]; r.Script == "" {
			return fmt.Errorf("there is no %q", r.With)
		}
	}
	return nil
}

// onTopOf is w with what parent has, too.
func (w Warm) onTopOf(parent Warm) Warm {
	return Warm{Caches: append(w.Caches, parent.Caches...), Own: append(w.Own, parent.Own...),
		Ready: append(w.Ready, parent.Ready...)}
}
