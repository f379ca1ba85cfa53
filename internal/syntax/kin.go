package syntax

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kin is what makes it the same bug: what was asked of a library when it failed,
// and where its operands came from.
type Kin struct {
	Operations []Operation `json:"operations"` // that failed
	Printed    []Print     `json:"printed"`
	Flow       []Operation `json:"flow"`            // that fed these
	Raised     []Raise     `json:"raised"`          // what a group holds, or the one exception
	Again      *Again      `json:"again,omitempty"` // all that was asked, as a program that asks the same
	Plain      *Again      `json:"plain,omitempty"` // the last of it, from values that are written down
}

// RaisedByProgram reports whether it was the program's own code that failed, wherever it was called from.
func (k Kin) RaisedByProgram() bool {
	return slices.ContainsFunc(k.Raised, func(r Raise) bool { return r.Raiser == "" })
}

// Again is all that a program asked of its libraries, one thing after the other, with what it was given: whatever chose
// that is not in it.
type Again struct {
	Above []string `json:"above"` // imports, and what of the program is handed to a library
	Steps []Step   `json:"steps"`
}

// Text is the program.
func (a Again) Text() string {
	lines := slices.Clone(a.Above)
	for _, s := range a.Steps {
		lines = append(lines, s.Line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// A Step is one of these.
type Step struct {
	Line    string `json:"line"`
	Name    string `json:"name"`    // that its result has further down; empty for none
	Entry   string `json:"entry"`   // what was asked
	Form    string `json:"form"`    // call, method, attr, op, item, …
	Plainly bool   `json:"plainly"` // it only counts or chooses among values
}

// An Operation is one thing that a program asked of a library, or of Python.
type Operation struct {
	Entry    string    `json:"entry"` // the function, or the operator
	Operands []Operand `json:"operands"`
	Values   []string  `json:"values"`   // of the operands, where the result is yes, no or nothing
	Relation string    `json:"relation"` // how the two sides of a comparison differ that should not
	Called   []string  `json:"called"`   // methods of the program's own that the library called for it
	Equal    bool      `json:"equal"`    // an operand of the program's own equals one that a library was given before
}

// An Operand is what an operation was given, and where that came from.
type Operand struct {
	At     string // its place or its name
	Origin Origin
	What   string // the package of its type, or the kind of value that was written down
	// the operation that gave it, if that was a library's; the class of an object of the program's own; of a number
	// that was written down, the number
	By string
}

// An Origin is where a value comes from.
type Origin string

const (
	Library Origin = "library"
	Own     Origin = "own" // a class or a function of the program
	Written Origin = "written"
)

// UnmarshalJSON reads an operand as look.py writes it.
func (o *Operand) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&o.At, &o.Origin, &o.What, &o.By})
}

// MarshalJSON writes an operand as look.py does.
func (o Operand) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{o.At, o.Origin, o.What, o.By})
}

// A Print is something that was printed, and the operations that computed it.
type Print struct {
	Text string
	By   []Operation
}

// UnmarshalJSON reads what was printed as look.py writes it.
func (p *Print) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.Text, &p.By})
}

// MarshalJSON writes what was printed as look.py does.
func (p Print) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.Text, p.By}) }

// A Raise is an exception with the functions that it came through.
type Raise struct {
	Class   string   `json:"class"`
	Raiser  string   `json:"raiser"`  // the function of a library that raised it; empty if that was the program
	Library []string `json:"library"` // functions of libraries, the outermost first
	Path    []string `json:"path"`    // functions of the program
	Causes  []string `json:"causes"`  // classes of what it was raised from
}
