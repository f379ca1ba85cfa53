// Package profile is what scrub knows about a project. It is all data:
// a folder of TOML files, strictly decoded. A profile can extend another
// and then says only what is different.
package profile

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"scrub/internal/bug"
	"scrub/internal/rule"
)

// A Profile is what scrub knows about one project.
type Profile struct {
	Project
	Triage   []Triage
	Symptoms []Phrase
	Vet      []Danger
}

// A Project is the file profile.toml.
type Project struct {
	Name    string   `toml:"name"`
	Extends string   `toml:"extends"` // the profile that says the rest
	About   string   `toml:"about"`
	Title   string   `toml:"title"`   // what to call it in a sentence
	Repos   []string `toml:"repos"`   // where its issues live
	Package string   `toml:"package"` // whose version matters; empty for the interpreter alone
	Run     Run      `toml:"run"`
}

// Run is how a program is run.
type Run struct {
	Timeout Duration `toml:"timeout"`
	Times   int      `toml:"times"`
	Memory  Size     `toml:"memory"`
}

// Triage is one reason why a report needs no run, in the file triage.toml.
// The first whose condition holds is taken.
type Triage struct {
	Name    string    `toml:"name"`
	When    rule.Rule `toml:"when"`
	Verdict string    `toml:"verdict"`
	Reason  string    `toml:"reason"` // one sentence
	Add     []string  `toml:"add"`    // labels to propose
	Remove  []string  `toml:"remove"` // labels to propose to take away
	Hands   string    `toml:"hands"`  // "off": nothing at all may be proposed
}

// A Phrase is how people say that a program crashed or hung without a
// traceback to show for it, in the file symptoms.toml.
type Phrase struct {
	Match  Pattern  `toml:"match"`
	Kind   bug.Kind `toml:"kind"`
	Signal string   `toml:"signal"`
}

// A Danger is something a program may do that a person must know before it
// runs, in the file vet.toml.
type Danger struct {
	Class  string   `toml:"class"`
	Why    string   `toml:"why"`
	Names  []string `toml:"names"`  // dotted names, as in "os.system"; a final * stands for any rest
	Arg    *Pattern `toml:"arg"`    // only if a literal argument matches
	Unless *Pattern `toml:"unless"` // not if a literal argument matches
}

// A Duration is written as in "120s".
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v <= 0 {
		err = fmt.Errorf("%q: must be more than nothing", text)
	}
	*d = Duration(v)
	return err
}

// A Size is a number of bytes, written as in "4GiB".
type Size int64

var units = map[string]int64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(text []byte) error {
	var n int64
	var unit string
	if _, err := fmt.Sscanf(string(text), "%d%s", &n, &unit); err != nil || units[unit] == 0 || n <= 0 {
		return fmt.Errorf("%q is no size: want a number and B, KiB, MiB or GiB", text)
	}
	*s = Size(n * units[unit])
	return nil
}

// A Pattern is a regular expression.
type Pattern struct{ *regexp.Regexp }

// UnmarshalText compiles a pattern.
func (p *Pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

// onTopOf returns p with what it leaves unsaid taken from parent. Of rules
// with a name the child's wins; lists are asked child first.
func (p Profile) onTopOf(parent Profile) Profile {
	p.Title = or(p.Title, parent.Title)
	p.Package = or(p.Package, parent.Package)
	p.Run.Timeout = or(p.Run.Timeout, parent.Run.Timeout)
	p.Run.Times = or(p.Run.Times, parent.Run.Times)
	p.Run.Memory = or(p.Run.Memory, parent.Run.Memory)
	for _, t := range parent.Triage {
		if !slices.ContainsFunc(p.Triage, func(own Triage) bool { return own.Name == t.Name }) {
			p.Triage = append(p.Triage, t)
		}
	}
	p.Symptoms = append(p.Symptoms, parent.Symptoms...)
	p.Vet = append(p.Vet, parent.Vet...)
	return p
}

func or[T comparable](a, b T) T {
	var zero T
	if a != zero {
		return a
	}
	return b
}
