package checkout

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/guide/guidetest"
)

// A clone that lacks what files contained can still be asked which were touched.
func TestContentsAreMissing(t *testing.T) {
	dir := guidetest.World(t, `for i in 1 2 3; do echo "class A$i: pass" > a.py; commit $i; done`)
	cmd := exec.Command("git", "rev-parse", "HEAD~1:a.py")
	cmd.Dir = dir
	id, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSpace(string(id))
	if err := os.Remove(filepath.Join(dir, ".git", "objects", name[:2], name[2:])); err != nil {
		t.Fatal(err)
	}
	p, err := Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if all, mined, err := p.Recent(t.Context(), 10); err != nil || len(all) != 3 || len(mined[2]) != 1 {
		t.Errorf("%+v, %+v, %v", all, mined, err)
	}
}
