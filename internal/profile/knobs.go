package profile

import "github.com/scrub-dev/scrub/internal/rule"

// Knobs is what can be turned about a run, in the file knobs.toml.
type Knobs struct {
	Knob   []Knob   `toml:"knob"`
	Deeper []Deeper `toml:"deeper"`
	// Shim is the file knobs.py: it turns, inside the interpreter and before the
	// program runs, what no environment variable of the project does. It finds what
	// it is told in TURNED, and what package shim gives it.
	Shim string `toml:"-"`
	// Preload are modules that a warm interpreter has imported before, besides the program's own.
	Preload []string `toml:"preload"`
	// Varies is what the same failure says differently with each value.
	Varies []Pattern `toml:"varies"`
}

// A Knob is one thing that can be turned.
type Knob struct {
	Name   string    `toml:"name"`
	About  string    `toml:"about"`
	When   rule.Rule `toml:"when"`   // speaks of program and symptom; without it, always
	Stages bool      `toml:"stages"` // each value does more than the one before it
	After  string    `toml:"after"`  // asked only if this stage is the first that shows the bug
	Open   bool      `toml:"open"`   // asked only if the stages leave it open what a steady bug depends on
	Plain  string    `toml:"plain"`  // the value that makes things simpler, if one does
	Said   *Pattern  `toml:"said"`   // how a program sets it itself; a group has the value
	Value  []Value   `toml:"value"`
}

// A Value is one way to turn a knob.
type Value struct {
	Name    string            `toml:"name"`
	Set     map[string]string `toml:"set"`     // environment variables
	Shim    map[string]string `toml:"shim"`    // what the shim is told
	Rewrite []Swap            `toml:"rewrite"` // changes to the program's text
	// of a stage: to blame if this is the first to show the bug; empty if that leaves it open
	Component string   `toml:"component"`
	Gone      string   `toml:"gone"`   // what it means if the bug goes away
	Labels    []string `toml:"labels"` // those that fit then
}

// A Swap replaces some text.
type Swap struct {
	From Pattern `toml:"from"`
	To   string  `toml:"to"`
}

// A Deeper looks into a stage: parts of it can be told to do only the first
// so many of the things they do.
type Deeper struct {
	Stage string            `toml:"stage"`
	Parts []string          `toml:"parts"`
	Shim  map[string]string `toml:"shim"` // what the shim is told; {part} and {n} stand for which, and for how many
	What  Pattern           `toml:"what"` // in what it printed: {n} and what the n-th is, as groups
}

// onTopOf puts what k knows before what parent does; a knob of the same name
// takes the place of the parent's.
func (k Knobs) onTopOf(parent Knobs) Knobs {
	own := map[string]bool{}
	for _, knob := range k.Knob {
		own[knob.Name] = true
	}
	for _, knob := range parent.Knob {
		if !own[knob.Name] {
			k.Knob = append(k.Knob, knob)
		}
	}
	k.Deeper = append(k.Deeper, parent.Deeper...)
	k.Shim = or(k.Shim, parent.Shim)
	k.Preload = append(k.Preload, parent.Preload...)
	k.Varies = append(k.Varies, parent.Varies...)
	return k
}
