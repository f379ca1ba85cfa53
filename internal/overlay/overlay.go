// Package overlay tries a change of a package without building it: modules in
// Python are put over those of an installed release while a program runs.
package overlay

import (
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/shim"
)

//go:embed over.py
var over string

// A Change is modules of a package in another version.
type Change struct {
	Name    string    // what to call it in a sentence, as in "#12"
	Modules bug.Files // by their paths below the folder that the package is in
	Gone    []string  // those that it deletes
}

// Below is the path of a module's file below the folder that its package is in. It is
// not ok for files that are no modules of the package.
func Below(pkg, file string) (below string, ok bool) {
	if file == pkg+".py" || file == "src/"+pkg+".py" {
		return pkg + ".py", true // it is all of it
	}
	at := strings.Index("/"+file, "/"+pkg+"/")
	if at < 0 || path.Ext(file) != ".py" || aside.MatchString(file[:at]) {
		return "", false
	}
	return file[at:], true
}

// imported is the name by which such a file is imported.
func imported(below string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(below, ".py"), "/__init__"), "/", ".")
}

// aside are files of a project that are no part of its package.
var aside = regexp.MustCompile(`(?i)(^|/)(tests?|docs?|benchmarks?|examples?|\.github|\.ci|tools|scripts)/|` +
	`\.(md|rst|txt|toml|cfg|ini|lock|json|yml|pyi)$|(^|/)(CODEOWNERS|LICENSE|\.git\w+|\.lintrunner\S*)$`)

// Built are the files among those a change touches that have no effect before
// something is compiled.
func Built(touched []string) []string {
	return slices.DeleteFunc(slices.Clone(touched), func(f string) bool {
		return path.Ext(f) == ".py" || aside.MatchString(f)
	})
}

// On is a runtime with the change over it.
func (c Change) On(r bug.Runtime) bug.Runtime {
	r.Over, r.Content = c.Name, r.Content+bug.Digest([]any{c.Modules, c.Gone})
	return r
}

// A Box puts the change over what runs on such a runtime.
type Box struct {
	sandbox.Box
	Change Change
}

// Run implements sandbox.Box.
func (b Box) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	if job.Runtime.Over == "" || len(job.Repro.Command) == 0 || job.Repro.Command[0] != "python" {
		return b.Box.Run(ctx, job)
	}
	files := maps.Clone(job.Repro.Files)
	where := map[string]string{}
	for _, below := range b.Change.Gone {
		where[imported(below)] = ""
	}
	for below, text := range b.Change.Modules {
		where[imported(below)] = below
		files["over/"+below] = text
	}
	table, err := json.Marshal(where)
	if err != nil {
		return bug.Outcome{}, err
	}
	job.Repro = shim.Around(bug.Repro{Files: files, Command: job.Repro.Command}, "scrub_over",
		"MODULES = "+string(table)+"\n"+over)
	job.Preload = nil // what was imported before is not the change's
	return b.Box.Run(ctx, job)
}
