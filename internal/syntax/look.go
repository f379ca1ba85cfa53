package syntax

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Look is what one run of a program shows from inside.
type Look struct {
	Raised bool    `json:"raised"`
	Lines  []int   `json:"lines"` // that ran
	Frames []Stand `json:"frames"`
	Lifts  []Lift  `json:"lifts"`
	Values []Value `json:"values"` // of expressions that were met
	Kin    *Kin    `json:"kin"`    // nil if it could not be watched
}

// A Stand is where a function of the program stood when it failed.
type Stand struct {
	Func   string            `json:"func"`
	Line   int               `json:"line"`
	Locals map[string]string `json:"locals"` // names that stand for something that can be written down
}

// A Lift is a program that makes a failing call alone, from the values that it had.
type Lift struct {
	Depth int    `json:"depth"`
	Own   bool   `json:"own"` // the call stands in the program itself, not in a library
	Text  string `json:"text"`
	// Computed says that what libraries gave is computed again in it, and not written down.
	Computed bool `json:"computed,omitempty"`
}

// A Value is an expression and what it always was: the value, if it can be
// written down, and its type.
type Value struct {
	Start, End int
	Text, Type string
}

// UnmarshalJSON reads a value as look.py writes it.
func (v *Value) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&v.Start, &v.End, &v.Text, &v.Type})
}

// MarshalJSON writes a value as look.py does.
func (v Value) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{v.Start, v.End, v.Text, v.Type})
}

// A LookFor is what to look for in a run.
type LookFor struct {
	Text     string
	What     string            // frames, values, kin, again or replay
	Patience time.Duration     // how long to wait for a program that does not end; 0 for as long as it takes
	Shows    map[string]string // Python that writes down values of a package, by its name
}

//go:embed python/look.py python/scrub_look/*.py
var looker embed.FS

// looking are the files of a look. They go into the box together.
var looking = FilesOf(looker, "python")

// LookAt runs a program once under observation and returns what was seen, or the
// zero Look if that cannot be: a program may end before it tells.
func LookAt(ctx context.Context, q LookFor, run bug.Runner) (Look, error) {
	// The program writes to the same output. What begins with a word that it
	// cannot guess is not its own. It could still find it out, being in the same
	// process: what it says to run is read by vet before it runs.
	password := rand.Text()
	// It goes by the name of the program, so that the same warm interpreter does for both.
	repro := bug.Program(looking["look.py"])
	for name, text := range looking {
		if name != "look.py" {
			repro.Files[name] = text
		}
	}
	for name, text := range q.Shows {
		repro.Files["scrub_show_"+name+".py"] = text
	}
	repro.Files["subject.py"] = q.Text
	repro.Files["look.txt"] = fmt.Sprintf("%s %g %s", q.What, q.Patience.Seconds(), password)
	o, err := run(ctx, repro)
	if err != nil {
		return Look{}, err
	}
	_, answer, _ := cutLast(o.Stdout, "\n"+password)
	var l Look
	if json.Unmarshal([]byte(lastLine(answer)), &l) != nil {
		return Look{}, nil
	}
	return l, nil
}

//go:embed python/imported.py
var importer string

// Imported are the modules that a program has imported by the time it ends, in that order, besides those
// that were there before. None is no failure: it may end before it tells.
func Imported(ctx context.Context, text string, run bug.Runner) ([]string, error) {
	repro := bug.Program(importer)
	repro.Files["subject.py"] = text
	o, err := run(ctx, repro)
	var all []string
	if err == nil {
		_ = json.Unmarshal([]byte(lastLine(o.Stdout)), &all)
	}
	return all, err
}

// Programs are those that a run has printed last, as a list of texts.
func Programs(o bug.Outcome) []Lift {
	var texts []string
	if json.Unmarshal([]byte(lastLine(o.Stdout)), &texts) != nil {
		return nil
	}
	all := make([]Lift, len(texts))
	for i, text := range texts {
		all[i] = Lift{Text: text, Computed: true}
	}
	return all
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
