package shim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/shim"
)

// The text that programs run behind: json can do more than it should.
const text = `
def more(json):
    json.SNAIL = "main" if MAIN else "child"

after("json", more)
`

func TestHoldsInEveryPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	const show = "import json; print(getattr(json, 'SNAIL', 'nothing'))"
	for name, c := range map[string]struct {
		files   bug.Files
		command []string
		want    string
	}{
		"the program": {bug.Files{"repro.py": show}, []string{"repro.py"}, "main"},
		"a module":    {bug.Files{"snail/__main__.py": show, "snail/__init__.py": ""}, []string{"-m", "snail"}, "main"},
		"a child": {bug.Files{"repro.py": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', \"" + show + "\"])"},
			[]string{"repro.py"}, "child"},
		"a spawned one": {bug.Files{"repro.py": `
import multiprocessing

def go():
    import json
    print(json.SNAIL)

if __name__ == "__main__":
    one = multiprocessing.get_context("spawn").Process(target=go)
    one.start()
    one.join()
`}, []string{"repro.py"}, "child"},
		"a child with a sitecustomize of its own": {bug.Files{"repro.py": `
import os, subprocess, sys
os.environ["PYTHONPATH"] += os.pathsep + os.path.abspath("own")
subprocess.run([sys.executable, "-c", "import json, sitecustomize; print(json.SNAIL, sitecustomize.OWN)"])
`, "own/sitecustomize.py": "OWN = 7"}, []string{"repro.py"}, "child 7"},
		"arguments": {bug.Files{"repro.py": "import json, sys; print(json.SNAIL, sys.argv, __name__)"},
			[]string{"repro.py", "-x", "1"}, "main ['repro.py', '-x', '1'] __main__"},
	} {
		t.Run(name, func(t *testing.T) {
			r := shim.Around(bug.Repro{Files: c.files, Command: append([]string{"python"}, c.command...)}, "scrub_snail", text)
			dir := t.TempDir()
			for at, content := range r.Files {
				at = filepath.Join(dir, at)
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(python, r.Command[1:]...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
				t.Errorf("%v: %q, want %q", err, got, c.want)
			}
		})
	}
}
