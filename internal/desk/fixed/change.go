package fixed

import (
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/overlay"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/smallfile"
	"github.com/scrub-dev/scrub/internal/triage"
)

// most is how large a module may be.
const most = 8 << 20

// sides are a change's files before it and after it: what git calls each content.
type sides struct {
	clone         history.Clone
	before, after map[string]string
	text          func(ctx context.Context, path string) (string, error) // after the change
	base          string
}

// change reads a change and fits it to what is installed.
func (d Desk) change(ctx context.Context, r Request) (overlay.Change, error) {
	change := overlay.Change{Name: r.name(), Modules: bug.Files{}}
	report, err := d.Read(ctx, r.Source)
	if err != nil {
		return change, err
	}
	prof, err := project.For(r.Profile, report.Ref.Repo)
	if err != nil {
		return change, err
	}
	name := cmp.Or(r.Versions.Package, triage.PackageOf(prof, report, intake.Read(report)))
	if name == "" {
		return change, refusal.Bad("no package given: use --package NAME")
	}
	s, err := d.read(ctx, r)
	if err != nil {
		return change, err
	}
	touched := s.touched()
	if built := overlay.Built(touched); len(built) > 0 {
		return change, refusal.None("%s changes files that must be compiled: %s; build it, and name its interpreter "+
			"with --built", change.Name, bug.Short(strings.Join(built, ", "), 200))
	}
	found, err := d.Machine.Pythons(ctx, r.Box, nil, r.Pythons...)
	if err != nil {
		return change, err
	}
	on := found[len(found)-1]
	for _, file := range touched {
		below, ok := overlay.Below(name, file)
		switch {
		case !ok:
			continue
		case s.after[file] == "":
			change.Gone = append(change.Gone, below)
			continue
		}
		if change.Modules[below], err = s.fitted(ctx, file, installed(on, below)); err != nil {
			return change, err
		}
	}
	if len(change.Modules)+len(change.Gone) == 0 {
		return change, refusal.None("%s changes no module of %s", change.Name, name)
	}
	return change, nil
}

// touched are the files that differ, in order.
func (s sides) touched() []string {
	var all []string
	for file, id := range s.after {
		if s.before[file] != id {
			all = append(all, file)
		}
	}
	for file := range s.before {
		if s.after[file] == "" {
			all = append(all, file)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// read reads both sides of a change.
func (d Desk) read(ctx context.Context, r Request) (s sides, err error) {
	dir := r.Work
	if dir == "" {
		dir = r.Git
	}
	if s.clone, err = history.Open(ctx, dir, filepath.Join(d.Machine.Cache, "clones")); err != nil {
		return s, refusal.Bad("%s: %w", dir, err)
	}
	tip := "HEAD"
	if r.Work == "" {
		if tip, s.base, err = s.tip(ctx, r); err != nil {
			return s, err
		}
	}
	if s.base == "" {
		if s.base, err = s.whence(ctx, r.Base, tip); err != nil {
			return s, err
		}
	}
	if s.before, err = s.ids(ctx, s.base); err != nil {
		return s, err
	}
	if r.Work != "" {
		s.text = func(_ context.Context, path string) (string, error) {
			return smallfile.Read(filepath.Join(r.Work, filepath.FromSlash(path)), most)
		}
		s.after, err = s.onDisk(r.Work)
		return s, err
	}
	s.text = func(ctx context.Context, path string) (string, error) { return s.clone.TextAt(ctx, tip, path) }
	s.after, err = s.ids(ctx, tip)
	return s, err
}

// tip is the last commit of a change, and the one before it if it is merged.
func (s sides) tip(ctx context.Context, r Request) (tip, base string, err error) {
	if r.Branch != "" {
		tip, err = s.clone.Resolve(ctx, r.Branch)
		return tip, "", err
	}
	for _, form := range []string{"refs/pull/%d/head", "refs/remotes/origin/pull/%d/head", "refs/remotes/origin/pr/%d",
		"refs/heads/pr-%d"} {
		if tip, err = s.clone.Resolve(ctx, fmt.Sprintf(form, r.Pull)); err == nil {
			return tip, "", nil
		}
	}
	if tip, base, err = s.clone.Merged(ctx, r.Pull); err != nil || tip != "" {
		return tip, base, err
	}
	return "", "", refusal.Bad("the clone has no pull request %d; in it, run: git fetch origin "+
		"pull/%d/head:refs/pull/%d/head", r.Pull, r.Pull, r.Pull)
}

// whence is where a change left the main line.
func (s sides) whence(ctx context.Context, said, tip string) (string, error) {
	if said != "" {
		return s.clone.Resolve(ctx, said)
	}
	for _, main := range []string{"origin/HEAD", "origin/main", "origin/master", "upstream/main", "main", "master"} {
		if id, err := s.clone.Resolve(ctx, main); err == nil {
			return s.clone.Base(ctx, id, tip)
		}
	}
	return "", refusal.Bad("the clone has no main branch that is known: name the commit the change builds on with --base")
}

func (s sides) ids(ctx context.Context, at string) (map[string]string, error) {
	blobs, err := s.clone.Blobs(ctx, at)
	all := map[string]string{}
	for _, b := range blobs {
		all[b.Path] = b.ID
	}
	return all, err
}

// onDisk are the files of a work tree, by what git would call their contents. What is not
// of the base and no module is not looked at.
func (s sides) onDisk(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && slices.Contains([]string{".git", "build", "node_modules", "third_party"}, e.Name()) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel = filepath.ToSlash(rel)
		if s.before[rel] == "" && filepath.Ext(rel) != ".py" {
			return nil
		}
		text, err := smallfile.Read(path, 64<<20)
		if err != nil {
			all[rel] = s.before[rel] // too large to be a module
			return nil
		}
		all[rel] = fmt.Sprintf("%x", sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(text), text))))
		return nil
	})
	for file, id := range s.before {
		if strings.Contains("/"+file, "/third_party/") || strings.HasPrefix(file, "build/") {
			all[file] = id
		} else if st, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(file))); err == nil && !st.Mode().IsRegular() {
			all[file] = id // a link is no change
		}
	}
	return all, err
}

// installed is the path of a module in an interpreter, or empty if it has none.
func installed(on bug.Runtime, below string) string {
	for _, folder := range on.Folders {
		for _, form := range []string{"lib/python*/site-packages", "site-packages", ""} {
			found, err := filepath.Glob(filepath.Join(folder, form, filepath.FromSlash(below)))
			if err == nil && len(found) > 0 {
				return found[len(found)-1]
			}
		}
	}
	return ""
}

// fitted is a file after the change, for a release that may be another than the one it was made for: the
// change is merged into what is installed.
func (s sides) fitted(ctx context.Context, file, at string) (string, error) {
	after, err := s.text(ctx, file)
	if err != nil || s.before[file] == "" || at == "" {
		return after, err
	}
	before, err := s.clone.TextAt(ctx, s.base, file)
	if err != nil {
		return "", err
	}
	have, err := smallfile.Read(at, most)
	if err != nil || have == before {
		return after, err
	}
	merged, err := merge(ctx, have, before, after)
	if err != nil {
		return "", refusal.None("%s: the change does not fit the installed release (%v); install one that is nearer to "+
			"it", file, err)
	}
	return merged, nil
}

// errConflict is that two changes touch the same lines.
var errConflict = errors.New("both have changed the same lines")

// merge is what git makes of two changes of one file.
func merge(ctx context.Context, have, before, after string) (string, error) {
	dir, err := os.MkdirTemp("", "scrub-merge-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	args := []string{"merge-file", "-p", "-q"}
	for _, side := range []struct{ name, text string }{{"have", have}, {"before", before}, {"after", after}} {
		path := filepath.Join(dir, side.name)
		if err := os.WriteFile(path, []byte(side.text), 0o600); err != nil {
			return "", err
		}
		args = append(args, path)
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + "/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return "", errConflict
	}
	return string(out), err
}
