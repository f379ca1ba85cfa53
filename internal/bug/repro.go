package bug

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Files maps slash-separated paths to text.
type Files map[string]string

// Whole is all of f as one text, each file under its name if there are several.
func (f Files) Whole() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if len(f) > 1 {
			b.WriteString("# " + name + "\n")
		}
		b.WriteString(strings.TrimRight(f[name], "\n") + "\n")
	}
	return b.String()
}

// asksVariable is how a program asks for a variable and sets none.
var asksVariable = regexp.MustCompile(`\benviron\s*\.\s*get\(|\bgetenv\(`)

// SetVariables reports whether Python among f may set variables of its environment.
func (f Files) SetVariables() bool {
	for name, text := range f {
		text = asksVariable.ReplaceAllString(text, "")
		if strings.HasSuffix(name, ".py") && (strings.Contains(text, "environ") || strings.Contains(text, "putenv")) {
			return true
		}
	}
	return false
}

// Shares reports whether one of f is also one of other, text and all.
func (f Files) Shares(other Files) bool {
	for name, text := range f {
		if found, ok := other[name]; ok && found == text {
			return true
		}
	}
	return false
}

// Modules are what the Python files among f are imported by, sorted.
func (f Files) Modules() []string {
	var all []string
	for name := range f {
		if name, ok := strings.CutSuffix(name, ".py"); ok {
			all = append(all, strings.ReplaceAll(strings.TrimSuffix(name, "/__init__"), "/", "."))
		}
	}
	slices.Sort(all)
	return all
}

// A Repro is a program meant to show a bug, and the command that runs it.
// In Command the word "python" stands for the interpreter of the setting.
type Repro struct {
	Files   Files    `json:"files"`
	Command []string `json:"command"`
}

// Script is the name of the file that a one-file program gets.
const Script = "repro.py"

// Program makes a Repro of one Python file.
func Program(text string) Repro {
	return Repro{Files: Files{Script: text}, Command: []string{"python", Script}}
}

// Digest names exactly these bytes, run in this way. Consent is by all of it:
// of two digests that only begin alike somebody could make a pair.
func (r Repro) Digest() string { return Digest(r) }

// Digest is a short name for any value that marshals to JSON.
func Digest(v any) string {
	data, err := json.Marshal(v) // canonical: map keys are sorted
	if err != nil {
		panic(err) // only our own plain structs are digested
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// A Setting is where a repro runs, in words that mean the same on any machine.
// The zero Setting is whatever is here, with every knob at its default.
type Setting struct {
	Version string            `json:"version,omitempty"` // a release, a nightly or a commit of the package
	Device  string            `json:"device,omitempty"`  // "cpu", "cuda:h100"; empty for whatever there is
	Factors map[string]string `json:"factors,omitempty"` // knobs turned away from their defaults
}

// A Runner runs a program and says what it did.
type Runner func(ctx context.Context, r Repro) (Outcome, error)

// A Runtime is an interpreter on this machine and what it says of itself.
type Runtime struct {
	Path     string            `json:"path"`
	Version  string            `json:"version"` // of the language
	Folders  []string          `json:"folders"` // what it reads besides the system's own libraries
	Packages map[string]string `json:"packages,omitempty"`
	Content  string            `json:"content,omitempty"` // a digest of all that is installed in it
	Box      string            `json:"box,omitempty"`     // what it runs in
	Over     string            `json:"over,omitempty"`    // a change that is put over what is installed, as one calls it
}
