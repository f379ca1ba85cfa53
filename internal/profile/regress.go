package profile

// A Test is how the project writes its tests, in the file regress.toml.
type Test struct {
	// Template is a file with one test. {imports} and {body} stand alone in
	// their lines; {name}, {class} and {issue} anywhere.
	Template string `toml:"template"`
	// Method is one test as it stands in an older file, its imports in its body.
	Method string `toml:"method"`
	// Alone is a file that runs its own tests; otherwise they are plain functions.
	Alone bool      `toml:"alone"`
	Place []Place   `toml:"place"`
	Marks []Pattern `toml:"marks"` // how a test is marked that is known to fail
	// Expected marks a test, in the line above it, that fails until its bug is fixed.
	Expected string `toml:"expected"`
	Needs    string `toml:"expected_needs"` // the import that takes
}

// A Place is the file that a test belongs into.
type Place struct {
	Component string `toml:"component"` // of the bug; empty for any
	File      string `toml:"file"`      // {name} is the test's
	Class     string `toml:"class"`     // the class that gets a method, if there is one
}

// PlaceFor is where the test of a bug in a component belongs.
func (t Test) PlaceFor(component string) Place {
	for _, p := range t.Place {
		if p.Component == "" || p.Component == component {
			return p
		}
	}
	return Place{File: "test_{name}.py"}
}

// onTopOf takes what t leaves unsaid from parent.
func (t Test) onTopOf(parent Test) Test {
	if t.Template == "" {
		t.Template, t.Method, t.Alone = parent.Template, parent.Method, parent.Alone
		t.Expected, t.Needs = parent.Expected, parent.Needs
	}
	t.Place = append(t.Place, parent.Place...)
	t.Marks = append(t.Marks, parent.Marks...)
	return t
}
