package history

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clone makes a repository by a shell script.
func clone(t *testing.T, script string) Clone {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	dir := t.TempDir()
	cmd := exec.Command("sh", "-ec", "git init -q -b main .; git config commit.gpgsign false\n"+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com", "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c, err := Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const history = `
commit() { git add -A; git commit -qm "$1"; }
mkdir snail docs
echo 1 > snail/a.py; commit "Begin"
git tag v1.0
git checkout -qb side
echo 2 > snail/a.py; commit "Half"
echo 3 > snail/a.py; echo x > docs/x.rst; commit "Whole"
git checkout -q main
git merge -q --no-ff -m "Merge pull request #7 from a/side" side
echo 4 > snail/b.py; commit "More (#8)

Fixes #5"
git tag release-2022.09.0
`

// The commits between two releases are those of the main line, each with all
// that was merged by it.
func TestLine(t *testing.T) {
	c := clone(t, history)
	from, err := c.Release(t.Context(), "snail", "1.0")
	if err != nil {
		t.Fatal(err)
	}
	to, err := c.Release(t.Context(), "snail", "2022.9.0") // as the index spells it
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Release(t.Context(), "snail", "3.0"); err == nil ||
		!strings.Contains(err.Error(), "the clone has no tag for version 3.0") {
		t.Errorf("%v", err)
	}
	all, err := c.Line(t.Context(), from, to)
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	if all[0].Subject != "Merge pull request #7 from a/side" ||
		strings.Join(all[0].Files, " ") != "docs/x.rst snail/a.py" || len(all[0].Parents) != 2 {
		t.Errorf("%+v", all[0])
	}
	if all[1].Subject != "More (#8)" || all[1].Body != "Fixes #5" || all[1].ID != to {
		t.Errorf("%+v", all[1])
	}
	side, err := c.Line(t.Context(), from, "side")
	if err != nil || len(side) != 2 || !side[0].Aside || all[0].Aside || all[1].Aside {
		t.Errorf("%+v, %v: what is on the side branch only is aside", side, err)
	}
	if base, err := c.Base(t.Context(), from, to); err != nil || base != from {
		t.Errorf("%s, %v", base, err)
	}
}

// A tree is a package as it was at a commit, alone. Few stay.
func TestTrees(t *testing.T) {
	c := clone(t, history)
	now := time.Now()
	trees := Trees{Clone: c, Dir: filepath.Join(t.TempDir(), "trees"), Keep: 2,
		Now: func() time.Time { now = now.Add(time.Minute); return now }}
	all, err := c.Line(t.Context(), "v1.0", "main")
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.Resolve(t.Context(), "v1.0")
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{first, all[0].ID, first, all[1].ID} {
		dir, err := trees.Get(t.Context(), id, "snail")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "snail", "a.py"))
		if want := []string{"1\n", "3\n", "1\n", "3\n"}[i]; err != nil || string(text) != want {
			t.Errorf("%d: %q, %v, want %q", i, text, err, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "docs")); err == nil {
			t.Errorf("%d: all of it is there", i)
		}
	}
	if left, err := os.ReadDir(trees.Dir); err != nil || len(left) != 2 {
		t.Errorf("%v, %v: two should stay", left, err)
	}
	if _, err := trees.Get(t.Context(), first, "slug"); err != ErrNotThere {
		t.Errorf("%v", err)
	}
	whole, err := trees.Whole(t.Context(), all[1].ID)
	if _, err2 := os.Stat(filepath.Join(whole, "docs", "x.rst")); err != nil || err2 != nil {
		t.Errorf("%v, %v", err, err2)
	}
	if _, err := Open(t.Context(), t.TempDir(), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "is not a git clone") {
		t.Errorf("%v", err)
	}
}

// More than git may say is an error, however it comes.
func TestBounded(t *testing.T) {
	b := bounded{most: 10}
	if n, err := io.Copy(&b, strings.NewReader(strings.Repeat("x", 100))); err == nil {
		t.Errorf("%d bytes were taken", n)
	}
}
