package observe

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Transcript is what each statement of a session showed.
type Transcript struct {
	Seen []Seen `json:"seen"`
}

// Seen is what one statement showed. The zero Seen showed nothing.
type Seen struct {
	Out     string            `json:"out,omitempty"`
	Value   map[string]string `json:"value,omitempty"` // of an expression, in the ways that people show it
	Set     map[string]string `json:"set,omitempty"`   // what a name was just given
	Warned  []string          `json:"warned,omitempty"`
	Raised  []Raised          `json:"raised,omitempty"` // and what that came from
	Slow    float64           `json:"slow,omitempty"`   // stopped after so many seconds of CPU
	Skipped string            `json:"skipped,omitempty"`
	Mended  string            `json:"mended,omitempty"` // what was run before it so that it could
	Died    string            `json:"died,omitempty"`   // the process did not survive it: the signal, or the limit
}

// Raised is an exception.
type Raised struct {
	Class   string `json:"class"`
	Module  string `json:"module,omitempty"`
	Message string `json:"message"`
	Where   string `json:"where,omitempty"` // the function that raised it
	Depth   int    `json:"depth"`           // how many calls down that was
	// other names that the class has had
	Also []string `json:"also,omitempty"`
}

// Why a statement did not run.
const (
	Unreached = "unreached" // it uses what an earlier one failed to make
	Budget    = "budget"    // the time for all of them was up
	Ended     = "ended"     // the program had ended before
)

// Limits are how much CPU a session may take.
type Limits struct {
	Each, All time.Duration
}

// Ways are what a project knows about watching its sessions.
type Ways struct {
	Views map[string]string // Python that shows values of a package as its users do, by its name
	Seeds map[string]string // what makes a module draw the same numbers every time
}

// Known fills in what a project knows about names that changed.
func (t Transcript) Known(alsoCalled func(class string) []string) Transcript {
	for _, s := range t.Seen {
		for i, r := range s.Raised {
			s.Raised[i].Also = alsoCalled(r.Class)
		}
	}
	return t
}

// A request is what transcript.py reads.
type request struct {
	Statements []string          `json:"statements"`
	Password   string            `json:"password"`
	Each       float64           `json:"each"`
	Budget     float64           `json:"budget"`
	Seeds      map[string]string `json:"seeds"`
}

// Watch runs a session and returns what it showed.
func Watch(ctx context.Context, s Session, limits Limits, ways Ways, run bug.Runner) (Transcript, error) {
	repro := bug.Repro{Files: maps.Clone(files), Command: []string{"python", "transcript.py"}}
	for name, text := range ways.Views {
		repro.Files["scrub_view_"+name+".py"] = text
	}
	texts := make([]string, len(s.Statements))
	for i, st := range s.Statements {
		texts[i] = st.Text
	}
	// The session writes to the same output: what begins with a word that it cannot
	// guess is not its own. See syntax.LookAt for what that is worth.
	password := rand.Text()
	asked, err := json.Marshal(request{texts, password, limits.Each.Seconds(), limits.All.Seconds(), ways.Seeds})
	if err != nil {
		return Transcript{}, err
	}
	repro.Files["session.json"] = string(asked)
	o, err := run(ctx, repro)
	if err != nil {
		return Transcript{}, err
	}
	return transcript(len(texts), password, o), nil
}

// transcript reads what the statements told. The one that began and did not end is
// the one that the process died of.
func transcript(n int, password string, o bug.Outcome) Transcript {
	t := Transcript{Seen: make([]Seen, n)}
	for i := range t.Seen {
		t.Seen[i].Skipped = Ended
	}
	began := -1
	for line := range strings.Lines(o.Stdout) {
		line, ours := strings.CutPrefix(line, password)
		var told struct {
			Seen
			Begins *int
			Number int
		}
		if !ours || json.Unmarshal([]byte(line), &told) != nil {
			continue
		}
		if told.Begins != nil {
			began = *told.Begins
		} else if told.Number >= 0 && told.Number < n {
			t.Seen[told.Number] = told.Seen
			began = -1
		}
	}
	if began >= 0 && began < n {
		t.Seen[began] = Seen{Died: death(o)}
	}
	return t
}

func death(o bug.Outcome) string {
	if signal, ok := o.Crash(); ok {
		return signal
	}
	if o.End == bug.TimedOut {
		return string(bug.TimedOut)
	}
	if o.Limit != "" {
		return "the limit of " + o.Limit
	}
	return "exit"
}
