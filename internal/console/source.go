package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"scrub/internal/bug"
	"scrub/internal/forge/dirforge"
	"scrub/internal/forge/issuefile"
)

// Read reads the report that source names: an issue of a forge, a file, or
// "-" for standard input.
func (a *Console) Read(ctx context.Context, source, forgeDir string) (bug.Report, error) {
	if source == "-" {
		return issuefile.Read("standard input", a.In)
	}
	f, err := os.Open(source)
	if err == nil {
		defer f.Close()
		return issuefile.Read(source, io.Reader(f))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return bug.Report{}, err
	}
	ref, refErr := bug.ParseRef(source)
	switch {
	case refErr != nil:
		return bug.Report{}, Usage("%s: neither a file nor an issue; want a file, -, OWNER/REPO#N or the issue's URL", source)
	case forgeDir == "":
		return bug.Report{}, fmt.Errorf("%v: this scrub reads issues from files; save it with: gh issue view %d -R %s --json number,url,title,body,author,createdAt,comments,labels,assignees,state > issue.json", ref, ref.Number, ref.Repo)
	}
	r, err := dirforge.Dir(forgeDir).Report(ctx, ref)
	if err != nil {
		return r, fmt.Errorf("%v: %w", ref, err)
	}
	return r, nil
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
