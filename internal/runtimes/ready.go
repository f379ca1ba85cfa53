package runtimes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// InFolder are the interpreters of the environments in a folder that have a
// package, the oldest version of it first.
func (p Places) InFolder(ctx context.Context, dir, name string) ([]bug.Runtime, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "bin", "python"))
	if err != nil {
		return nil, err
	}
	return p.having(ctx, found, name)
}

// OfConda are those of the conda environments whose names are of a form, in
// which {version} stands for the version of the package: pytorch-{version}.
// conda, mamba and micromamba are asked, whichever there is.
func (p Places) OfConda(ctx context.Context, form, name string) ([]bug.Runtime, error) {
	prefix, suffix, ok := strings.Cut(form, "{version}")
	if !ok {
		return nil, fmt.Errorf("%q has no {version} in it", form)
	}
	folders, err := p.condaFolders(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, dir := range folders {
		base := filepath.Base(dir)
		if strings.HasPrefix(base, prefix) && strings.HasSuffix(base, suffix) && len(base) > len(prefix)+len(suffix) {
			paths = append(paths, inside(dir))
		}
	}
	return p.having(ctx, paths, name)
}

// condaFolders are all environments that conda, or one like it, knows of. It
// is asked from a folder where nothing of ours is in its way.
func (p Places) condaFolders(ctx context.Context) ([]string, error) {
	for _, tool := range []string{"conda", "mamba", "micromamba"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			continue
		}
		cmd := exec.CommandContext(ctx, path, "env", "list", "--json")
		cmd.Dir = "/"
		cmd.Env = p.Env
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s env list: %w", tool, err)
		}
		var list struct {
			Envs []string `json:"envs"`
		}
		if err := json.Unmarshal(out, &list); err != nil {
			return nil, fmt.Errorf("%s env list: %w", tool, err)
		}
		return list.Envs, nil
	}
	return nil, errors.New("conda, mamba and micromamba are not on the PATH")
}

// having asks interpreters for the version of a package and leaves out those
// that lack it.
func (p Places) having(ctx context.Context, paths []string, name string) ([]bug.Runtime, error) {
	var all []bug.Runtime
	for _, path := range paths {
		// The folder may be a link; the interpreter in it is one on purpose.
		if dir, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(path))); err == nil {
			path = inside(dir)
		}
		r, err := p.Inspect(ctx, path, []string{name})
		if err != nil {
			return nil, err
		}
		if r.Packages[name] != "" {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b bug.Runtime) int {
		return bug.CompareVersions(a.Packages[name],
			b.Packages[name])
	})
	return all, nil
}
