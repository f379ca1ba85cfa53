// Package sandboxtest is a pretend sandbox with one planted bug.
package sandboxtest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/rule"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A World runs nothing. It decides how each run ends from a rule:
//
//	has(program, "compile") && version >= "2.3" && backend != "eager"
//
// The name program is the text of all files, version the setting's version
// of the package, or else the interpreter's, run the number of the run, and any other name
// a factor. Scrub's whole job, seen from a test, is to find the rule out.
type World struct {
	Fault   rule.Rule
	Broken  rule.Rule // when a setting cannot be built; zero for never
	Factors []string  // names that rules may use and a setting may leave unsaid
	Runs    atomic.Int64
}

// Planted is the error of every planted bug.
const Planted = "AssertionError: planted"

// Run implements sandbox.Box.
func (w *World) Run(_ context.Context, job sandbox.Job) (bug.Outcome, error) {
	if job.Repro.Files["session.py"] != "" {
		return bug.Outcome{End: bug.Exited}, nil // a pretended world has nothing to be seen from inside
	}
	n := w.Runs.Add(1)
	if job.Repro.Files["read.py"] != "" || job.Repro.Files["exports.py"] != "" {
		return bug.Outcome{End: bug.Exited, Stdout: `{"uses": [], "imports": [], "missing": []}`}, nil
	}
	facts := factsOf(job, int(n), w.Factors)
	if broken, _, err := w.Broken.Holds(facts); err != nil || broken {
		return bug.Outcome{End: bug.NoStart, Stderr: "no matching distribution"}, err
	}
	faulty, _, err := w.Fault.Holds(facts)
	if err != nil || !faulty {
		return bug.Outcome{End: bug.Exited, Stdout: "ok\n"}, err
	}
	trace := fmt.Sprintf("Traceback (most recent call last):\n  File \"%s\", line 1, in <module>\n    f()\n%s\n",
		bug.Script, Planted)
	return bug.Outcome{End: bug.Exited, Code: 1, Stderr: trace}, nil
}

// factsOf is what rules speak of: a run, by what is run and where.
func factsOf(job sandbox.Job, n int, factors []string) rule.Facts {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(job.Repro.Files)) {
		text.WriteString(job.Repro.Files[name])
	}
	version := job.Setting.Version
	for _, v := range job.Runtime.Packages {
		version = cmp.Or(version, v)
	}
	if version == "" {
		version = job.Runtime.Version
	}
	facts := rule.Facts{"program": rule.Text(text.String()), "version": rule.Text(version), "run": rule.Count(n)}
	for _, name := range factors {
		facts[name] = rule.Text(job.Setting.Factors[name])
	}
	return facts
}
