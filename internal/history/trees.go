package history

import (
	"archive/tar"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Trees are commits of a clone laid out in folders, to be run from there. The
// clone itself is not touched.
type Trees struct {
	Clone Clone
	Dir   string
	Keep  int // how many stay; those that were used least recently go
	Now   func() time.Time
}

// ErrNotThere means that a commit has no package that could be run from its tree.
var ErrNotThere = errors.New("the commit does not contain the package")

// Get lays out a package as it was at a commit, and returns the folder that
// Python must look in.
func (t Trees) Get(ctx context.Context, id, name string) (string, error) {
	if !commitID.MatchString(id) {
		return "", fmt.Errorf("%q is no commit", id)
	}
	dir := filepath.Join(t.Dir, name+"-"+id[:12])
	for _, below := range []string{"", "src"} {
		top := filepath.Join(dir, below)
		if _, err := os.Stat(filepath.Join(top, name)); err == nil {
			now := t.Now()
			_ = os.Chtimes(dir, now, now) // only for the order in which they go
			return top, nil
		}
		if _, err := t.Clone.git(ctx, "cat-file", "-e", id+":"+filepath.Join(below, name)); err != nil {
			continue
		}
		t.forget()
		return top, t.write(ctx, id, filepath.ToSlash(filepath.Join(below, name)), dir)
	}
	return "", ErrNotThere
}

// Whole lays out all of a commit.
func (t Trees) Whole(ctx context.Context, id string) (string, error) {
	if !commitID.MatchString(id) {
		return "", fmt.Errorf("%q is no commit", id)
	}
	dir := filepath.Join(t.Dir, "all-"+id[:12])
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	t.forget()
	return dir, t.write(ctx, id, ".", dir)
}

// write puts a folder of a commit below dir. It appears whole or not at all.
func (t Trees) write(ctx context.Context, id, folder, dir string) error {
	if err := os.MkdirAll(t.Dir, 0o755); err != nil {
		return err
	}
	half, err := os.MkdirTemp(t.Dir, "half")
	if err != nil {
		return err
	}
	defer os.RemoveAll(half)
	if err := os.Chmod(half, 0o755); err != nil { // who runs in the box is nobody here
		return err
	}
	cmd := t.Clone.command(ctx, "archive", "--format=tar", id, folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := errors.Join(unpack(out, half), cmd.Wait()); err != nil {
		return fmt.Errorf("git archive: %w", err)
	}
	if err := os.Rename(half, dir); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// unpack writes the files and folders of an archive; links are left out.
func unpack(r io.Reader, dir string) error {
	r = &io.LimitedReader{R: r, N: treeSize}
	for n, archive := 0, tar.NewReader(r); ; n++ {
		h, err := archive.Next()
		if n > treeFiles {
			return errors.New("the tree has too many files")
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("the archive would write to %q", h.Name)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, 0o755)
		case tar.TypeReg:
			err = writeFile(path, archive, fs.FileMode(h.Mode)&0o111)
		}
		if err != nil {
			return err
		}
	}
}

// What a tree may have at most. More is no project.
const (
	treeSize  = 2 << 30
	treeFiles = 300_000
)

func writeFile(path string, from io.Reader, run fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644|run)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// forget makes room for one more.
func (t Trees) forget() {
	entries, err := os.ReadDir(t.Dir)
	if err != nil || t.Keep <= 0 {
		return
	}
	type old struct {
		name string
		when time.Time
	}
	var all []old
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && !strings.HasPrefix(e.Name(), "half") {
			all = append(all, old{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b old) int { return cmp.Compare(a.when.UnixNano(), b.when.UnixNano()) })
	for _, o := range all[:max(0, len(all)-t.Keep+1)] {
		_ = os.RemoveAll(filepath.Join(t.Dir, o.name)) // what cannot go is in the way of nothing
	}
}
