// Package runtimes finds the interpreters that programs are run with.
package runtimes

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"scrub/internal/bug"
)

// Places is where to look for an interpreter, in this order.
type Places struct {
	Named []string // by the person, with --python; if any, nothing else is looked at
	Venv  string   // folder of the active virtual environment
	Conda string   // folder of the active conda environment
	Home  string   // never shown to a program as a whole
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
		path, err := exec.LookPath(name)
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

func (p Places) first() (string, error) {
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

// told is what inspect.py prints.
type told struct {
	Path     string            `json:"path"`
	Version  string            `json:"version"`
	Folders  []string          `json:"folders"`
	Packages map[string]string `json:"packages"`
}

// inspectTime is generous: an interpreter on a cold network disk is slow.
const inspectTime = 30 * time.Second

// Inspect asks the interpreter at path what it is. It is the person's own
// and is started outside the box, isolated from the current folder.
func (p Places) Inspect(ctx context.Context, path string, packages []string) (bug.Runtime, error) {
	ctx, cancel := context.WithTimeout(ctx, inspectTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append([]string{"-I", "-c", inspector}, packages...)...)
	cmd.Dir = "/"
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		last := strings.TrimSpace(errOut.String())
		last = last[strings.LastIndexByte(last, '\n')+1:]
		return bug.Runtime{}, fmt.Errorf("%s does not answer as a Python 3 would: %w: %s", path, err, last)
	}
	var t told
	if err := json.Unmarshal(out.Bytes(), &t); err != nil {
		return bug.Runtime{}, fmt.Errorf("%s does not answer as a Python 3 would: %w", path, err)
	}
	folders, err := p.visible(t.Folders)
	if err != nil {
		return bug.Runtime{}, fmt.Errorf("%s: %w", path, err)
	}
	return bug.Runtime{Path: t.Path, Version: t.Version, Folders: folders, Packages: t.Packages}, nil
}

// visible checks what an interpreter wants to read: everything there will
// be shown to strangers' programs.
func (p Places) visible(folders []string) ([]string, error) {
	var all []string
	for _, dir := range folders {
		dir = filepath.Clean(dir)
		home := p.Home != "" && (dir == filepath.Clean(p.Home) || strings.HasPrefix(p.Home+"/", dir+"/"))
		if dir == "/" || home {
			return nil, fmt.Errorf("it lives in %s itself, so a program in the box could read all of that; use a Python in a folder of its own", dir)
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
		return r, fmt.Errorf("to read programs for Python %s another one is needed, of at least 3.8: install one", r.Version)
	}
	return r, nil
}
