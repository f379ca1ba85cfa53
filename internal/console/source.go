package console

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"scrub/internal/bug"
	"scrub/internal/forge"
	"scrub/internal/forge/issuefile"
)

// A Reading is how reports are read.
type Reading struct {
	Forge   string // a folder or a server; empty for GitHub
	Offline bool   // what was last seen
}

// Read reads the report that source names: an issue of a forge, a file, or
// "-" for standard input.
func (a *Console) Read(ctx context.Context, source string, how Reading) (bug.Report, error) {
	if source == "-" {
		return issuefile.Read("standard input", a.In)
	}
	f, err := os.Open(source)
	if err == nil {
		defer f.Close()
		r, err := issuefile.Read(source, io.Reader(f))
		for i, c := range r.Comments {
			r.Comments[i].Own = forge.Own(c.Body, c.Author, "")
		}
		return r, err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return bug.Report{}, err
	}
	ref, refErr := bug.ParseRef(source)
	if refErr != nil {
		return bug.Report{}, Usage("%s: neither a file nor an issue; want a file, -, OWNER/REPO#N or the issue's URL", source)
	}
	s, err := a.Open(ctx)
	if err != nil {
		return bug.Report{}, err
	}
	defer s.Close()
	return a.Issue(ctx, s, how, ref)
}

// ReadProgram reads a file that is a program.
func ReadProgram(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", Usage("%w", err)
	}
	defer f.Close()
	return issuefile.Text(file, f)
}
