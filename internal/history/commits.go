package history

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// Commits is the line of the commits between two releases of a package that
// needs no building: each is run from its tree, with the environment of the
// release before them. The first of the line is what they all build on.
func (t Trees) Commits(ctx context.Context, name, from, to string,
	base bug.Runtime) (runtimes.Line, []bug.Commit, error) {
	first, err := t.Clone.Release(ctx, name, from)
	if err != nil {
		return runtimes.Line{}, nil, err
	}
	last, err := t.Clone.Release(ctx, name, to)
	if err != nil {
		return runtimes.Line{}, nil, err
	}
	start, err := t.Clone.Base(ctx, first, last)
	if err != nil {
		return runtimes.Line{}, nil, err
	}
	commits, err := t.Clone.Line(ctx, start, last)
	if err != nil || len(commits) == 0 {
		return runtimes.Line{}, nil, err
	}
	line := runtimes.Line{Of: "commit", Names: []string{start}, Bad: 0, Good: len(commits)}
	for _, c := range commits {
		line.Names = append(line.Names, c.ID)
	}
	line.Get = func(ctx context.Context, i int) (bug.Runtime, bug.Setting, string, error) {
		dir, err := t.Get(ctx, line.Names[i], name)
		if errors.Is(err, ErrNotThere) {
			return base, bug.Setting{}, err.Error(), nil
		}
		r := base
		r.Folders = append(slices.Clone(base.Folders), dir)
		r.Packages = maps.Clone(base.Packages)
		return r, bug.Setting{Version: line.Names[i][:12], Factors: map[string]string{"PYTHONPATH": dir}}, "", err
	}
	return line, commits, nil
}
