// Package dirforge is a forge in a folder: issue 7 of a/b is the file
// a/b/7.md or a/b/7.json. All that scrub does can be tried on one, offline.
package dirforge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/issuefile"
)

// A Dir is a forge whose issues are files under it.
type Dir string

// Collaborator looks for user in the file a/b/collaborators, one name a line.
func (d Dir) Collaborator(_ context.Context, repo, user string) (bool, error) {
	names, err := os.ReadFile(filepath.Join(string(d), filepath.FromSlash(repo), "collaborators"))
	if err != nil || user == "" {
		return false, err
	}
	return slices.Contains(strings.Fields(string(names)), user), nil
}

// Report reads an issue, with what was written on it since.
func (d Dir) Report(_ context.Context, ref bug.Ref) (bug.Report, error) {
	r, w, err := d.now(ref)
	if err != nil {
		return r, err
	}
	r.State, r.Labels, r.Comments = w.State, w.Labels, append(r.Comments, w.Comments...)
	for i, c := range r.Comments {
		r.Comments[i].Own = forge.Own(c.Body, c.Author, Me)
	}
	return r, nil
}

// file reads the issue's own file.
func (d Dir) file(ref bug.Ref) (bug.Report, error) {
	base := filepath.Join(string(d), filepath.FromSlash(ref.Repo), fmt.Sprint(ref.Number))
	for _, ext := range []string{".md", ".json"} {
		f, err := os.Open(base + ext)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return bug.Report{}, err
		}
		defer f.Close()
		r, err := issuefile.Read(base+ext, f)
		r.Ref = ref
		return r, err
	}
	return bug.Report{}, fmt.Errorf("%w: neither %s.md nor %s.json", forge.ErrNotFound, base, base)
}
