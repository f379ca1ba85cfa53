package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/oracle"
	"scrub/internal/reduce"
	"scrub/internal/reduce/pass"
)

// minimizeBy makes files small by a command of the person's own, which
// answers with its exit code: 0 if they are still interesting.
func (a *app) minimizeBy(ctx context.Context, names []string, f minimizeFlags) (casefile.Small, error) {
	files := bug.Files{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return casefile.Small{}, console.Usage("%w", err)
		}
		files[filepath.Base(name)] = string(text)
	}
	if len(files) < len(names) {
		return casefile.Small{}, console.Usage("the files must have different names: they are put into one folder")
	}
	v := a.View()
	defer v.Close()
	o, main := oracle.Command{Line: f.cmd, Limit: f.timeout}, filepath.Base(names[0])
	ask := func(ctx context.Context, files bug.Files) (reduce.Verdict, error) {
		return o.Interesting(ctx, files, main)
	}
	first, err := ask(ctx, files)
	if err != nil {
		return casefile.Small{}, err
	}
	if first.Answer != bug.Yes {
		return casefile.Small{}, console.Ends(console.No, fmt.Errorf("the command does not find the file interesting to begin with: it %s", first.Words))
	}
	r := reduce.Reducer{
		Passes: pass.Text, Ask: ask, Workers: a.jobs(f.jobs), Budget: f.budget, Enough: f.enough, Saw: a.shrinking(v),
		View: func(_ context.Context, files bug.Files) (reduce.Program, error) {
			return reduce.Program{Files: files}, nil
		},
	}
	got, err := r.Reduce(ctx, files)
	small := casefile.Small{First: files, Before: reduce.SizeOf(files), After: reduce.SizeOf(got.Files), Runs: got.Asked + 1, Spared: got.Spared,
		Minimal: got.Minimal, Program: got.Files[main], Steps: got.Steps, ByPass: got.ByPass}
	for name, text := range got.Files {
		if name != main {
			if small.Others == nil {
				small.Others = bug.Files{}
			}
			small.Others[name] = text
		}
	}
	return small, err
}
