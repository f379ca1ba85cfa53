package sandboxtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/rule"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Script decides how each run of a program ends by rules, the first that holds:
//
//	version < "2.0" && has(program, "fast") => raises ValueError: too fast
//	run == 2 => hangs
//
// Programs of scrub's own, which read others, run for real in Tools with On. What
// a rule may name is what World's may.
type Script struct {
	Lines   []Line
	Factors []string
	Tools   sandbox.Box
	On      bug.Runtime
	runs    atomic.Int64
}

// A Line is a rule and what it leads to.
type Line struct {
	When rule.Rule
	Then bug.Outcome
}

// ParseScript reads lines of the form "RULE => END".
func ParseScript(text string) ([]Line, error) {
	var all []Line
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		when, then, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			return nil, fmt.Errorf("%q is not of the form RULE => END", line)
		}
		r, err := rule.Compile(when)
		if err != nil {
			return nil, err
		}
		o, err := ending(then)
		if err != nil {
			return nil, err
		}
		all = append(all, Line{r, o})
	}
	return all, nil
}

// ending is an outcome by its words.
func ending(words string) (bug.Outcome, error) {
	kind, text, _ := strings.Cut(words, " ")
	switch kind {
	case "raises":
		trace := "Traceback (most recent call last):\n  File \"%s\", line 1, in <module>\n    f()\n%s\n"
		return bug.Outcome{End: bug.Exited, Code: 1, Stderr: fmt.Sprintf(trace, bug.Script, text)}, nil
	case "refuses": // with an error that the package raises on purpose
		trace := "Traceback (most recent call last):\n  File \"%s\", line 1, in <module>\n    f()\n" +
			"  File \"snail/__init__.py\", line 2, in f\n    raise ValueError(x)\n%s\n"
		return bug.Outcome{End: bug.Exited, Code: 1, Stderr: fmt.Sprintf(trace, bug.Script, text)}, nil
	case "prints":
		return bug.Outcome{End: bug.Exited, Stdout: text + "\n"}, nil
	case "hangs":
		return bug.Outcome{End: bug.TimedOut, Limit: "time"}, nil
	case "crashes":
		return bug.Outcome{End: bug.Killed, Signal: text}, nil
	case "starves":
		return bug.Outcome{End: bug.Killed, Signal: "SIGKILL", Limit: "memory"}, nil
	case "unstartable":
		return bug.Outcome{End: bug.NoStart, Stderr: text}, nil
	}
	return bug.Outcome{}, fmt.Errorf("%q is no end of a run", words)
}

// tools are the scripts of scrub's own.
var tools = []string{"read.py", "exports.py", "parts.py", "session.py"}

// Run implements sandbox.Box.
func (s *Script) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	if slices.Contains(job.Repro.Command, "transcript.py") {
		return bug.Outcome{End: bug.Exited}, nil // a pretended world has nothing to be seen from inside
	}
	if slices.ContainsFunc(tools, func(name string) bool { return job.Repro.Files[name] != "" }) {
		job.Runtime = s.On
		return s.Tools.Run(ctx, job)
	}
	facts := factsOf(job, int(s.runs.Add(1)), s.Factors)
	for _, line := range s.Lines {
		yes, _, err := line.When.Holds(facts)
		if err != nil {
			return bug.Outcome{}, err
		}
		if yes {
			return line.Then, nil
		}
	}
	return bug.Outcome{End: bug.Exited, Stdout: "ok\n"}, nil
}
