// Package regress writes a regression test for a bug in the style of its
// project, and finds marks that expect a bug which is gone. Whether a test
// is worth anything is measured by whoever runs it.
package regress

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
)

// A Part is a statement of a program, with the lines it has.
type Part struct {
	Kind  string `json:"kind"` // import, future, print or other
	Text  string `json:"text"`
	Value string `json:"value,omitempty"` // print: what is printed
	Show  string `json:"show,omitempty"`  // print: str or repr
}

//go:embed parts.py
var parter string

//go:embed runs.py
var runner string

//go:embed alone.py
var alone string

// Parts takes a program apart; run runs a script of scrub's own, boxed.
func Parts(ctx context.Context, text string, run bug.Runner) ([]Part, error) {
	o, err := run(ctx, bug.Repro{Files: bug.Files{"parts.py": parter, "program.txt": text},
		Command: []string{"python", "parts.py", "program.txt"}})
	if err != nil {
		return nil, err
	}
	var parts []Part
	if err := json.Unmarshal([]byte(o.Stdout), &parts); o.Failed() || err != nil {
		return nil, fmt.Errorf("take the program apart: it %s", o.Words())
	}
	return parts, nil
}

// stays begins a line that is inside of a text, and so may not be moved to
// the right.
const stays = "\x00"

// mark ends what one print statement printed.
const mark = "\x1escrub"

// Instrumented is the program with a mark behind everything it prints at the
// top, so that it can be told which statement printed what.
func Instrumented(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strings.ReplaceAll(p.Text, stays, "") + "\n")
		if p.Kind == "print" {
			fmt.Fprintf(&b, "print(%q)\n", mark)
		}
	}
	return b.String()
}

// Printed is what each print statement of an instrumented program printed.
func Printed(stdout string) []string {
	all := strings.Split(stdout, mark+"\n")
	return all[:len(all)-1]
}

// A Test is a regression test in a file of its own.
type Test struct {
	Name   string    `json:"name"`   // as in issue_123
	File   string    `json:"file"`   // its own name
	Text   string    `json:"text"`   // all of the file
	Method string    `json:"method"` // as it is put into an older file
	Run    bug.Repro `json:"-"`
}

// ErrNothingToAssert is that a program shows nothing which a test could hold
// on to.
var ErrNothingToAssert = errors.New("no printed value that the report mentions differs between the two versions, so " +
	"there is nothing to assert")

// A Bug is what a test is written for.
type Bug struct {
	Title  string
	Ref    bug.Ref
	N      int // which of the failures of the report; the first has no number
	Parts  []Part
	InText bool     // it shows in what is printed, not in how the program ends
	Shown  string   // what the report shows that it prints
	Wanted string   // and what it should
	Bad    []string // what each print statement printed with the bug
	Good   []string // and without it
}

// Write writes the test in the style of t.
func Write(b Bug, t profile.Test) (Test, error) {
	var future, head, body []string
	asserts, prints := 0, 0
	for _, p := range b.Parts {
		switch p.Kind {
		case "future":
			future = append(future, p.Text)
		case "import":
			head = append(head, p.Text)
		case "print":
			bad, good := at(b.Bad, prints), at(b.Good, prints)
			prints++
			line, asserted := p.assert(bad, good, b)
			if asserted {
				asserts++
			}
			body = append(body, line)
		default:
			body = append(body, p.Text)
		}
	}
	if b.InText && asserts == 0 {
		return Test{}, ErrNothingToAssert
	}
	name := testName(b)
	where := b.Ref.String()
	if where == "" {
		where = b.Title
	}
	fill := strings.NewReplacer("{name}", name, "{class}", className(name), "{issue}", bug.Squeeze(where))
	made := Test{Name: name, File: "test_" + name + ".py"}
	made.Text = layout(fill.Replace(t.Template),
		map[string]string{"{imports}": strings.Join(append(future, head...), "\n"), "{body}": strings.Join(body, "\n")})
	made.Method = layout(fill.Replace(t.Method), map[string]string{"{body}": strings.Join(append(head, body...), "\n")})
	made.Run = bug.Repro{Files: bug.Files{made.File: made.Text, "runs.py": runner},
		Command: []string{"python", "runs.py", made.File}}
	if t.Alone {
		made.Run = bug.Repro{Files: bug.Files{made.File: made.Text, "alone.py": alone},
			Command: []string{"python", "alone.py", made.File}}
	}
	return made, nil
}

// aTest is where a test begins.
var aTest = regexp.MustCompile(`(?m)^([ \t]*)def test_`)

// Marked is the test as it is put into a project whose bug is still there: it is expected to fail, and
// complains once it passes. It is not ok if the project has no such mark.
func (t Test) Marked(style profile.Test) (Test, bool) {
	if style.Expected == "" {
		return t, false
	}
	with := "${1}" + strings.ReplaceAll(style.Expected, "$", "$$") + "\n${1}def test_"
	before := t.Text
	t.Text, t.Method = aTest.ReplaceAllString(t.Text, with), aTest.ReplaceAllString(t.Method, with)
	if style.Needs != "" && !strings.Contains(t.Text, style.Needs+"\n") {
		t.Text = withImport(t.Text, style.Needs)
	}
	files := bug.Files{}
	for name, text := range t.Run.Files {
		if files[name] = text; text == before {
			files[name] = t.Text
		}
	}
	t.Run.Files = files
	return t, true
}

var firstImport = regexp.MustCompile(`(?m)^(?:import|from) (?:[^_]|_[^_])`)

// withImport puts an import before the others, and behind what must come first.
func withImport(text, line string) string {
	at := firstImport.FindStringIndex(text)
	if at == nil {
		return line + "\n" + text
	}
	return text[:at[0]] + line + "\n" + text[at[0]:]
}

func at(all []string, i int) *string {
	if i >= len(all) {
		return nil
	}
	return &all[i]
}

// assert is what becomes of a statement that prints a value: if the value
// tells the two versions apart, it must be the one without the bug; else it
// is only computed.
func (p Part) assert(bad, good *string, b Bug) (string, bool) {
	if good != nil && (bad == nil || *bad != *good) && b.about(bad, *good) {
		return fmt.Sprintf("assert %s(%s) == %s", p.Show, p.Value, quoted(strings.TrimSuffix(*good, "\n"))), true
	}
	return p.Show + "(" + p.Value + ")", false
}

// about reports whether a value that differs is the one that the report is
// about: a number of a version differs, too.
func (b Bug) about(bad *string, good string) bool {
	if !b.InText {
		return false
	}
	wants := bug.Squeeze(b.Wanted)
	if wants != "" && strings.Contains(bug.Squeeze(good), wants) {
		return true
	}
	if bad == nil {
		return false
	}
	shown := bug.Squeeze(b.Shown)
	for line := range strings.Lines(*bad) {
		if line = bug.Squeeze(line); line != "" && strings.Contains(shown, line) {
			return true
		}
	}
	return false
}

// quoted is s as Python spells it.
func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a text
	}
	text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(data))
	if strings.Contains(text, `\n`) {
		return "(" + strings.ReplaceAll(text, `\n`, "\\n\"\n    \"") + ")"
	}
	return text
}

var word = regexp.MustCompile(`[A-Za-z0-9]+`)

// testName is what the test is called: by the issue, or by its title.
func testName(b Bug) string {
	if b.N > 1 {
		n := b.N
		b.N = 1
		return fmt.Sprintf("%s_%d", testName(b), n)
	}
	if b.Ref.Number > 0 {
		return fmt.Sprintf("issue_%d", b.Ref.Number)
	}
	words := word.FindAllString(strings.ToLower(b.Title), 6)
	if len(words) == 0 {
		return "regression"
	}
	return strings.Join(words, "_")
}

func className(name string) string {
	var b strings.Builder
	for _, w := range strings.Split(name, "_") {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// layout puts texts of several lines where a template names them, as far to
// the right as it does.
func layout(template string, texts map[string]string) string {
	var b strings.Builder
	for line := range strings.Lines(template) {
		key := strings.TrimSpace(line)
		text, ok := texts[key]
		if !ok {
			b.WriteString(line)
			continue
		}
		indent := line[:strings.Index(line, key)]
		for inner := range strings.Lines(text) {
			inner, still := strings.CutPrefix(inner, stays)
			if !still && strings.TrimSpace(inner) != "" {
				b.WriteString(indent)
			}
			b.WriteString(strings.TrimRight(inner, "\n") + "\n")
		}
	}
	return b.String()
}
