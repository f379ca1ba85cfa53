package runtimes

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

func TestFindAsksTheInterpreterItself(t *testing.T) {
	got, err := Places{}.Find(t.Context(), []string{"pip", "no-such-package"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", "-c",
		"import os, sys; print(os.path.realpath(sys.executable)); print('%d.%d.%d' % sys.version_info[:3])").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(out))
	if len(got) != 1 || got[0].Path != want[0] || !strings.HasPrefix(got[0].Version, want[1]) ||
		len(got[0].Folders) == 0 {
		t.Errorf("Find = %+v, want %v", got, want)
	}
	if _, ok := got[0].Packages["no-such-package"]; ok {
		t.Error("it found a package that does not exist")
	}
}

func TestAVirtualEnvironmentGoesFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "venv")
	if out, err := exec.Command("python3", "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := Places{Venv: dir}.Find(t.Context(), nil)
	if err != nil || got[0].Path != filepath.Join(dir, "bin", "python") || !slices.Contains(got[0].Folders, dir) {
		t.Errorf("Find = %+v, %v", got, err)
	}
}

func TestHomeIsNeverShownAsAWhole(t *testing.T) {
	p := Places{Home: "/home/ann"}
	for _, dirs := range [][]string{{"/home/ann"}, {"/home"}, {"/"}, {"/usr", "/home/ann/"}} {
		if got, err := p.visible(dirs); err == nil {
			t.Errorf("visible(%v) = %v", dirs, got)
		}
	}
	got, err := p.visible([]string{"/home/ann/py", "/home/ann/py/lib", "/usr", "/home/annex"})
	if err != nil || strings.Join(got, " ") != "/home/ann/py /usr /home/annex" {
		t.Errorf("visible = %v, %v", got, err)
	}
}

func TestALinkFromElsewhereIsFollowed(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	real, err := Places{}.Inspect(t.Context(), python, nil)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "python3")
	if err := os.Symlink(real.Path, link); err != nil {
		t.Fatal(err)
	}
	if got, err := (Places{}).Inspect(t.Context(), link, nil); err != nil || got.Path != real.Path {
		t.Errorf("Inspect(%s) = %+v, %v, want %s", link, got, err, real.Path)
	}
}

func TestNoPython(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := (Places{}).Find(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "--python") {
		t.Errorf("Find = %v", err)
	}
	dir := filepath.Join(t.TempDir(), "some")
	fake := filepath.Join(dir, "bin", "python3")
	write(t, fake, "#!/bin/sh\necho hello\n")
	if _, err := (Places{Named: []string{fake}}).Find(t.Context(), nil); err == nil ||
		!strings.Contains(err.Error(), "no standard library") {
		t.Errorf("Find = %v", err)
	}
	write(t, filepath.Join(dir, "lib", "python3.11", "os.py"), "")
	if _, err := (Places{Named: []string{fake}}).Find(t.Context(), nil); err == nil ||
		!strings.Contains(err.Error(), "not a working Python 3") {
		t.Errorf("Find = %v", err)
	}
}

func TestOldestFirst(t *testing.T) {
	all := []bug.Runtime{{Version: "3.13.0rc2"}, {Version: "3.9.18"}, {Version: "3.10.1"}}
	slices.SortFunc(all, older)
	if all[0].Version != "3.9.18" || all[2].Version != "3.13.0rc2" {
		t.Errorf("%v", all)
	}
}

// write puts a file and its folders there.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
		t.Fatal(err)
	}
}
