// Package runtimes finds the interpreters that programs are run with.
package runtimes

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// Places is where to look for an interpreter, in this order.
type Places struct {
	Named []string // by the person, with --python; if any, nothing else is looked at
	Venv  string   // folder of the active virtual environment
	Conda string   // folder of the active conda environment
	Pyenv string   // the version that pyenv is told to use, by its variable
	Home  string   // never shown to a program as a whole
	Env   []string // of tools that are asked outside a box; nil for ours

	Box   sandbox.Box // in which they are started; nil for the native one
	In    string      // its name, which runs are remembered by
	Image string      // of a box that brings interpreters of its own, by its digest; those here are not looked at
}

// ErrNone means that there is no Python at all.
var ErrNone = errors.New("no Python 3 found: install one, or name it with --python PATH")

// Find returns the interpreters to use, oldest language version first. It
// asks each of them for the versions of packages.
func (p Places) Find(ctx context.Context, packages []string) ([]bug.Runtime, error) {
	if len(p.Named) == 0 {
		path, err := p.first()
		if err != nil {
			return nil, err
		}
		r, err := p.Inspect(ctx, path, packages)
		return []bug.Runtime{r}, err
	}
	var all []bug.Runtime
	for _, name := range p.Named {
		path, err := p.lookUp(name)
		if err != nil {
			return nil, fmt.Errorf("--python %s: %w", name, err)
		}
		r, err := p.Inspect(ctx, path, packages)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, older)
	return all, nil
}

// lookUp is the path of an interpreter that a person has named.
func (p Places) lookUp(name string) (string, error) {
	if p.Image != "" {
		return name, nil
	}
	return exec.LookPath(name)
}

func (p Places) first() (string, error) {
	if p.Image != "" {
		return "python3", nil
	}
	for _, dir := range []string{p.Venv, p.Conda} {
		if dir == "" {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, "bin", "python")); err == nil {
			return path, nil
		}
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

//go:embed inspect.py
var inspector string

// inspected is what inspect.py prints.
type inspected struct {
	Path     string            `json:"path"`
	Version  string            `json:"version"`
	Packages map[string]string `json:"packages"`
}

// numbered is how versions are written.
var numbered = regexp.MustCompile(`^[0-9][0-9A-Za-z.+!_-]{0,63}$`)

// inspectTime is generous: an interpreter on a cold network disk is slow.
const inspectTime = 30 * time.Second

// Inspect finds out what the interpreter at path is. It is started in the box
// alone: what is installed in it runs whenever it starts.
func (p Places) Inspect(ctx context.Context, path string, packages []string) (bug.Runtime, error) {
	if p.Image != "" {
		return p.ask(ctx, bug.Runtime{Path: path, Content: p.Image}, packages)
	}
	r, err := p.laidOut(path)
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return p.ask(ctx, r, packages)
}

// ask has the interpreter of r say its version and those of packages.
func (p Places) ask(ctx context.Context, r bug.Runtime, packages []string) (bug.Runtime, error) {
	repro := bug.Repro{Files: bug.Files{"inspect.py": inspector},
		Command: append([]string{"python", "-I", "inspect.py"}, packages...)}
	o, err := p.box().Run(ctx, sandbox.Job{Repro: repro, Runtime: r, Limits: sandbox.Limits{Time: inspectTime}})
	if err != nil {
		return r, fmt.Errorf("start %s in the sandbox: %w", r.Path, err)
	}
	var t inspected
	said := strings.TrimSpace(o.Stdout)
	if err := json.Unmarshal([]byte(said[strings.LastIndexByte(said, '\n')+1:]), &t); o.Failed() || err != nil ||
		t.Version == "" {
		return r, fmt.Errorf("%s is not a working Python 3: it %s: %s", r.Path, o.Words(),
			lastWords(o.Stderr))
	}
	// What is installed in it may have answered in its place.
	if !numbered.MatchString(t.Version) {
		return r, fmt.Errorf("%s is not a working Python 3: it reports no valid version", r.Path)
	}
	maps.DeleteFunc(t.Packages, func(_, version string) bool { return !numbered.MatchString(version) })
	if p.Image != "" {
		r.Path = t.Path
	}
	r.Version, r.Packages, r.Box = t.Version, t.Packages, p.In
	return r, nil
}

// box is where interpreters are started.
func (p Places) box() sandbox.Box {
	if p.Box == nil {
		return sandbox.Native{}
	}
	return p.Box
}

// visible checks what an interpreter wants to read: everything there will
// be shown to strangers' programs.
func (p Places) visible(folders []string) ([]string, error) {
	var all []string
	for _, dir := range folders {
		dir = filepath.Clean(dir)
		home := p.Home != "" && (dir == filepath.Clean(p.Home) || strings.HasPrefix(p.Home+"/", dir+"/"))
		if dir == "/" || home {
			return nil, fmt.Errorf("it is installed directly in %s, which a sandboxed program could then read; use a "+
				"Python in a folder of its own", dir)
		}
		covered := func(other string) bool { return dir == other || strings.HasPrefix(dir, other+"/") }
		if !slices.ContainsFunc(all, covered) {
			all = append(all, dir)
		}
	}
	return all, nil
}

func older(a, b bug.Runtime) int {
	return bug.CompareVersions(a.Version, b.Version)
}

// Parser is the interpreter that reads programs for r: r itself if its parser
// says where everything stands, which began with 3.10, or else the newest there
// is. One of 3.8 does, too, but does not see single names of an import.
func (p Places) Parser(ctx context.Context, r bug.Runtime) (bug.Runtime, error) {
	if bug.CompareVersions(r.Version, "3.10") >= 0 {
		return r, nil
	}
	if all := p.All(ctx); len(all) > 0 && older(r, all[len(all)-1]) < 0 {
		r = all[len(all)-1]
	}
	if bug.CompareVersions(r.Version, "3.8") < 0 {
		return r, fmt.Errorf("parsing programs for Python %s needs another Python, 3.8 or newer: install one",
			r.Version)
	}
	return r, nil
}
