package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/reduce"
	"scrub/internal/sandbox"
	"scrub/internal/syntax"
	"scrub/internal/vet"
)

// minimizer is what makes programs small on one interpreter, warm where the
// box can be. Who has it closes it.
func (a *app) minimizer(ctx context.Context, f console.BoxFlags, log journal.Log, sub subject, timeout time.Duration) (m pipeline.Minimizer, closeIt func(), err error) {
	box, err := a.Box(f)
	if err != nil {
		return m, nil, err
	}
	prof, err := console.ProfileIn("", sub.text)
	if err != nil {
		return m, nil, err
	}
	m = pipeline.Minimizer{Box: box, Cold: box, Log: log, Runtime: sub.runtime, Symptom: sub.symptom, Limits: sandbox.Limits{Time: timeout, Memory: int64(prof.Run.Memory)}, Workers: a.jobs(0)}
	m.Review = func(ctx context.Context, texts []string) ([][]vet.Finding, error) {
		return pipeline.Reviews(ctx, m.Box, texts, m.Runtime, prof)
	}
	if m.Parser, err = a.Parser(ctx, f, m.Runtime); err != nil {
		return m, nil, err
	}
	if f.Name != "native" || f.Unsafe {
		return m, func() {}, nil
	}
	warm := new(sandbox.Warm)
	m.Box, m.Preload = warm, sub.imports
	return m, warm.Close, nil
}

// smaller makes the program of a case small, for scrub issue.
func (a *app) smaller(f issueFlags, log journal.Log, v *console.View) func(context.Context, casefile.Case, bug.Runtime, *bug.Runtime) (casefile.Small, error) {
	return func(ctx context.Context, c casefile.Case, on bug.Runtime, passesOn *bug.Runtime) (casefile.Small, error) {
		sub := subject{c.Repro.Files[bug.Script], on, c.Symptom, pipeline.Preload(*c.Reading)}
		timeout := f.timeout
		if timeout == 0 {
			timeout = 2 * time.Minute
		}
		m, done, err := a.minimizer(ctx, f.box, log, sub, timeout)
		if err != nil {
			return casefile.Small{}, err
		}
		defer done()
		m.PassesOn, m.Saw = passesOn, a.shrinking(v)
		began := a.Now()
		small, err := m.Minimize(ctx, sub.text)
		small.Seconds = a.Now().Sub(began).Seconds()
		return small, err
	}
}

// wholeProgram is the text of a program, with the modules that are given with
// it in it.
func (a *app) wholeProgram(ctx context.Context, f console.BoxFlags, box sandbox.Box, names []string, python string) (string, error) {
	text, err := console.ReadProgram(names[0])
	if err != nil || len(names) == 1 {
		return text, err
	}
	var pythons []string
	if python != "" {
		pythons = []string{python}
	}
	found, err := a.Pythons(ctx, f, pythons)
	if err != nil {
		return "", err
	}
	parser, err := a.Parser(ctx, f, found[len(found)-1])
	if err != nil {
		return "", err
	}
	modules := bug.Files{}
	for _, name := range names[1:] {
		module, err := console.ReadProgram(name)
		if err != nil {
			return "", err
		}
		path, err := filepath.Rel(filepath.Dir(names[0]), name)
		if err != nil || strings.HasPrefix(path, "..") {
			return "", console.Usage("%s is not beside %s, where Python would look for it", name, names[0])
		}
		modules[filepath.ToSlash(path)] = module
	}
	return syntax.Merge(ctx, text, modules, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		return box.Run(ctx, sandbox.Job{Repro: repro, Runtime: parser, Limits: sandbox.Limits{Time: time.Minute, Output: 32 << 20}})
	})
}

// writeHistory writes every program on the way as a patch of the one before.
func writeHistory(dir string, before bug.Files, steps []reduce.Step) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return console.Usage("%w", err)
	}
	for i, s := range steps {
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %d lines, %d tokens, after %d questions\n\n", s.Pass, s.Size.Lines, s.Size.Tokens, s.Asked)
		for name, text := range s.Files {
			b.Write(diff.Diff("a/"+name, []byte(before[name]), "b/"+name, []byte(text)))
		}
		before = s.Files
		if err := writeFile(filepath.Join(dir, fmt.Sprintf("%03d.patch", i+1)), b.String()); err != nil {
			return err
		}
	}
	return nil
}
