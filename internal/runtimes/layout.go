package runtimes

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/smallfile"
)

// What a program may read of an interpreter is found out here, by looking at
// the disk, and never by asking the interpreter: whoever has put a package
// into it could answer in its place.

// laidOut is the interpreter at path with the folders that it needs.
func (p Places) laidOut(path string) (bug.Runtime, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return bug.Runtime{}, err
	}
	if path, err = p.unshimmed(path); err != nil {
		return bug.Runtime{}, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return bug.Runtime{}, err
	}
	base := filepath.Dir(filepath.Dir(real))
	r := bug.Runtime{Path: real}
	folders := []string{base}
	if venv := filepath.Dir(filepath.Dir(path)); isVenv(venv) {
		if venv, err = filepath.EvalSymlinks(venv); err != nil {
			return r, err
		}
		r.Path = filepath.Join(venv, filepath.Base(filepath.Dir(path)), filepath.Base(path))
		folders = []string{venv, base}
		if base == venv { // the interpreter was copied into it
			home, err := setting(filepath.Join(venv, "pyvenv.cfg"), "home")
			if err != nil {
				return r, err
			}
			folders[1] = filepath.Dir(home)
		}
	}
	if !hasLibrary(folders[len(folders)-1]) {
		return r, fmt.Errorf("it is not in the folder of a Python: %s has no standard library", folders[len(folders)-1])
	}
	own, err := p.editable(folders)
	if err != nil {
		return r, err
	}
	r.Folders, err = p.visible(slices.Concat(folders, own))
	r.Content = contentOf(folders, own)
	return r, err
}

func isVenv(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil
}

// setting is what a file of lines "name = value" says of a name.
func setting(file, name string) (string, error) {
	text, err := readFile(file)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(line, "="); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v), nil
		}
	}
	return "", fmt.Errorf("%s does not say %s", file, name)
}

// smallFile is more than any file has that is read here.
const smallFile = 1 << 20

func readFile(path string) (string, error) { return smallfile.Read(path, smallFile) }

// hasLibrary reports whether Python's own library is below a folder.
func hasLibrary(dir string) bool {
	for _, pattern := range []string{"lib/python3*/os.py", "lib64/python3*/os.py"} {
		if found, _ := filepath.Glob(filepath.Join(dir, pattern)); len(found) > 0 { // the pattern is good
			return true
		}
	}
	return false
}

// unshimmed is the interpreter behind a script of pyenv's, which chooses one by
// its own settings.
func (p Places) unshimmed(path string) (string, error) {
	dir := filepath.Dir(path)
	if filepath.Base(dir) != "shims" {
		return path, nil
	}
	root := filepath.Dir(dir)
	chosen := p.Pyenv
	if chosen == "" {
		text, err := readFile(filepath.Join(root, "version"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		chosen = strings.Join(strings.Fields(text), ":")
	}
	for version := range strings.SplitSeq(chosen, ":") {
		if !filepath.IsLocal(version) {
			continue
		}
		at := filepath.Join(root, "versions", version, "bin", filepath.Base(path))
		if version == "system" {
			at = filepath.Join("/usr/bin", filepath.Base(path))
		}
		if _, err := os.Stat(at); err == nil {
			return at, nil
		}
	}
	return "", errors.New("it selects a Python by settings that scrub does not read: use --python PATH")
}

// sites are the folders with packages below the folders of an interpreter.
func sites(folders []string) []string {
	var all []string
	for _, dir := range folders {
		for _, pattern := range []string{"lib/python3*/site-packages", "lib64/python3*/site-packages",
			"lib/python3*/dist-packages", "local/lib/python3*/dist-packages"} {
			found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is good
			all = append(all, found...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// contentOf is a digest of what is installed in the folders of an interpreter
// and, file by file, of packages that are edited in place.
func contentOf(folders, edited []string) string {
	var all []string
	enter := func(path string) {
		if info, err := os.Stat(path); err == nil {
			all = append(all, fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano()))
		}
	}
	for _, site := range sites(folders) {
		entries, _ := os.ReadDir(site) // one that cannot be read has nothing for anybody
		for _, e := range entries {
			switch filepath.Ext(e.Name()) {
			case ".dist-info", ".egg-info", ".pth", ".egg-link":
				enter(filepath.Join(site, e.Name()))
				enter(filepath.Join(site, e.Name(), "RECORD"))
			}
		}
	}
	for _, dir := range edited {
		// what cannot be seen does not count
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(path) != ".pyc" {
				enter(path)
			}
			return nil
		})
	}
	return bug.Digest(all)[:16]
}

// editable are the packages that are installed so that they can be edited where
// they are: these, and nothing else of the work tree around them.
func (p Places) editable(folders []string) ([]string, error) {
	var all []string
	for _, site := range sites(folders) {
		trees, err := workTrees(site)
		if err != nil {
			return nil, err
		}
		for _, t := range trees {
			if t, ok := p.project(t); ok {
				all = append(all, t.packages()...)
			}
		}
	}
	return all, nil
}

// project is a work tree as it really is, if it looks like a project: any package
// can say that it is edited somewhere, so what is private by its name, or holds
// the home, is not shown.
func (p Places) project(t workTree) (workTree, bool) {
	real, err := filepath.EvalSymlinks(t.dir)
	if err != nil {
		return t, false
	}
	home := p.Home
	if h, err := filepath.EvalSymlinks(home); err == nil {
		home = h
	}
	hidden := slices.ContainsFunc(strings.Split(real, "/"),
		func(part string) bool { return strings.HasPrefix(part, ".") })
	if hidden || home != "" && within(home, real) || real == "/" {
		return t, false
	}
	for _, sign := range []string{"pyproject.toml", "setup.py", "setup.cfg"} {
		if info, err := os.Lstat(filepath.Join(real, sign)); err == nil && info.Mode().IsRegular() {
			t.dir = real
			return t, true
		}
	}
	return t, false
}

// within reports whether a path is a folder or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// A workTree is a project that is installed in place.
type workTree struct {
	dir   string
	names []string // of its packages and modules; nil if nobody says
}

// packages are the folders and files of the tree that are imported.
func (t workTree) packages() []string {
	var all []string
	for _, top := range []string{t.dir, filepath.Join(t.dir, "src"), filepath.Join(t.dir, "python")} {
		if real, err := filepath.EvalSymlinks(top); err != nil || real != top {
			continue // it leads elsewhere
		}
		entries, _ := os.ReadDir(top) // most projects have only one of these
		for _, e := range entries {
			path := filepath.Join(top, e.Name())
			name, _, _ := strings.Cut(e.Name(), ".")
			_, err := os.Stat(filepath.Join(path, "__init__.py"))
			isPackage := e.IsDir() && err == nil
			isModule := e.Type().IsRegular() && (strings.HasSuffix(path, ".py") || strings.HasSuffix(path, ".so"))
			isNamed := slices.Contains(t.names, name) && (isPackage || isModule)
			if isNamed || t.names == nil && isPackage || e.IsDir() && strings.HasSuffix(path, ".egg-info") {
				all = append(all, path)
			}
		}
	}
	return all
}

// linkedTree reads the file that setup.py leaves for a project in place.
func linkedTree(file string) (workTree, error) {
	text, err := readFile(file)
	if err != nil {
		return workTree{}, err
	}
	line, _ := bufio.NewReader(strings.NewReader(text)).ReadString('\n') // it may be the only one
	t := workTree{dir: strings.TrimSpace(line)}
	lists, _ := filepath.Glob(filepath.Join(t.dir, "*.egg-info", "top_level.txt")) // the pattern is good
	for _, list := range lists {
		if names, err := readFile(list); err == nil {
			t.names = append(t.names, strings.Fields(names)...)
		}
	}
	return t, nil
}
