// Package surveyed is the part of the desk that makes a profile for a project.
package surveyed

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/smallfile"
	"github.com/scrub-dev/scrub/internal/survey"
)

// A Desk is the application, asked about repositories.
type Desk struct{ *desk.Desk }

// A Request is a clone of a project.
type Request struct {
	Clone string `json:"clone"`
	Repo  string `json:"repo,omitempty"` // OWNER/REPO; as the clone says if it is empty
}

// A Survey is what a repository says of its project, and the profile made of it.
type Survey struct {
	Schema string `json:"schema"`
	Repo   string `json:"repo,omitempty"`
	survey.Project
	Files map[string]string `json:"files"` // of the profile, by their names
}

const (
	mostFile  = 1 << 20
	mostTotal = 256 << 20
)

// Survey reads a clone.
func (d Desk) Survey(ctx context.Context, r Request) (Survey, error) {
	if r.Repo == "" {
		r.Repo = origin(r.Clone)
	}
	if _, err := bug.ParseRef(r.Repo + "#1"); r.Repo != "" && err != nil {
		return Survey{}, refusal.Bad("--repo %s: want OWNER/REPO", r.Repo)
	}
	clone, err := history.Open(ctx, r.Clone, filepath.Join(d.Machine.Cache, "clones"))
	if err != nil {
		return Survey{}, refusal.Bad("%w", err)
	}
	if d.Tell != nil {
		d.Tell(event.Event{Step: "init", State: event.Going, Text: "reading the files of " + r.Clone, At: d.Now()})
	}
	files, err := texts(ctx, clone)
	if err != nil {
		return Survey{}, err
	}
	p := survey.Read(files)
	if p.Package == "" {
		return Survey{}, refusal.Bad("%s does not say what its package is called: it has no pyproject.toml, setup.cfg or "+
			"setup.py with a name", r.Clone)
	}
	made, err := p.Files(r.Repo)
	return Survey{Schema: "survey/1", Repo: r.Repo, Project: p, Files: made}, err
}

// texts are the files of a clone's newest commit that have something to say.
func texts(ctx context.Context, clone history.Clone) (map[string]string, error) {
	blobs, err := clone.Blobs(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	var wanted []history.Blob
	total := int64(0)
	for _, b := range blobs {
		odd := !utf8.ValidString(b.Path) || strings.ContainsFunc(b.Path, unicode.IsControl)
		if odd || b.Size < 0 || b.Size > mostFile || !survey.Wants(b.Path) || total+b.Size > mostTotal {
			continue
		}
		total += b.Size
		wanted = append(wanted, b)
	}
	files := map[string]string{}
	err = clone.ReadBlobs(ctx, wanted, func(b history.Blob, in io.Reader) error {
		text, err := io.ReadAll(in)
		files[b.Path] = string(text)
		return err
	})
	return files, err
}

var address = regexp.MustCompile(`(?m)^\s*url *= *\S*github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?$`)

// origin is the repository that a clone says it was made from.
func origin(clone string) string {
	for _, at := range []string{".git/config", "config"} {
		text, err := smallfile.Read(filepath.Join(clone, filepath.FromSlash(at)), mostFile)
		if m := address.FindStringSubmatch(string(text)); err == nil && m != nil {
			return m[1]
		}
	}
	return ""
}

// Write puts the files of a profile into a new folder. One that is there may be the
// repository's own, and have more in it than anybody sees.
func (s Survey) Write(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	switch err := os.Mkdir(dir, 0o755); {
	case errors.Is(err, fs.ErrExist):
		return refusal.Bad("%s is there already: name another folder with --out", dir)
	case err != nil:
		return err
	}
	for name, text := range s.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
