// Package checkout is a clone with all that is asked of it more than once: its files, its commands, and what its
// changes did.
package checkout

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/history"
)

// A Checkout is a clone at its newest commit.
type Checkout struct {
	history.Clone
	Name  string
	Files []string
	There map[string]bool // files, and folders with a slash behind them
}

// Window is how many changes are looked at. What is older is about another program.
const Window = 4000

// Open reads what there is at the newest commit.
func Open(ctx context.Context, dir, work string) (Checkout, error) {
	clone, err := history.Open(ctx, dir, work)
	if err != nil {
		return Checkout{}, err
	}
	if _, err := clone.Resolve(ctx, "HEAD"); err != nil {
		return Checkout{}, fmt.Errorf("%s has no commits yet", dir)
	}
	p := Checkout{Clone: clone, There: map[string]bool{}}
	if p.Files, err = clone.Files(ctx); err != nil {
		return p, err
	}
	for _, f := range p.Files {
		p.There[f] = true
		for at := path.Dir(f); at != "."; at = path.Dir(at) {
			p.There[at+"/"] = true
		}
	}
	abs := strings.TrimSuffix(strings.TrimSuffix(clone.Dir, "/"), "/.git")
	p.Name = filepath.Base(abs)
	return p, nil
}

// Speaks reports whether a part is still there, and its name nothing but a name.
func (p Checkout) Speaks(part cochange.Part) bool { return p.There[part.Path] && Plain(part.Path) }

// Recent are the newest changes that people made, as they are mined.
func (p Checkout) Recent(ctx context.Context, most int) ([]history.Change, []cochange.Change, error) {
	all, err := p.Changes(ctx, most)
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(c history.Change) bool { return c.Machine })
	// A clone may lack what files contained, and then it is not known what was done to them; nor is it worth the time in
	// a history that is longer than usual.
	done, err := p.deeds(ctx, min(most, Window))
	if err != nil && ctx.Err() != nil {
		return nil, nil, err
	}
	mined := make([]cochange.Change, len(all))
	for i, c := range all {
		for _, f := range c.Touched {
			one := File(f.Path, f.How == 'A')
			one.Does = append(one.Does, done[c.ID][f.Path]...)
			mined[i] = append(mined[i], one)
		}
	}
	return all, mined, nil
}

// File is a file of a change.
func File(name string, isNew bool) cochange.File {
	if isNew {
		return cochange.File{Path: name, Does: []cochange.Deed{cochange.NewFile}}
	}
	return cochange.File{Path: name}
}

// Agents obey what they read in AGENTS.md, so nothing that people wrote goes there but names of files and
// commands, and of these only plain ones.
var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9._@+-]{1,48}$`)
	wordEnd   = regexp.MustCompile(`[._@+-]+`)
)

// mostWords is how many words a plain name has at most.
const mostWords = 6

// Plain reports whether a path is nothing but a path, and leads nowhere but into the project.
func Plain(name string) bool {
	words := 0
	for part := range strings.SplitSeq(strings.TrimSuffix(name, "/"), "/") {
		some := len(wordEnd.Split(strings.Trim(part, "._@+-"), -1))
		if !plainName.MatchString(part) || some > mostWords || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
		words += some
	}
	return len(name) <= 120 && words <= 3*mostWords && filepath.IsLocal(strings.TrimSuffix(name, "/"))
}
