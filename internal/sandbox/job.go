package sandbox

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// innerID is who a program is inside every box: an ordinary user.
const innerID = 1000

// noCore keeps the kernel from handing a crash to the host's own program for
// that: a limit of 0 does not.
const noCore = 1

// environment is all of the environment that a program sees.
var environment = []string{
	"HOME=" + Scratch, "TMPDIR=/tmp", "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
	"USER=scrub", "LOGNAME=scrub",
	"PYTHONDONTWRITEBYTECODE=1", "PYTHONFAULTHANDLER=1",
}

// variable is how a variable of the environment is spelled.
var variable = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// argv is the command to run.
func (j Job) argv() []string {
	all := slices.Clone(j.Repro.Command)
	if all[0] == "python" {
		all[0] = j.Runtime.Path
	}
	return all
}

// env is the environment to run it in.
func (j Job) env() []string {
	all := slices.Clone(environment)
	for _, name := range slices.Sorted(maps.Keys(j.Setting.Factors)) {
		if variable.MatchString(name) { // other knobs are not the box's to turn
			all = append(all, name+"="+j.Setting.Factors[name])
		}
	}
	return all
}

func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// writeFilesTo puts files below dir.
func writeFilesTo(dir string, files bug.Files) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if !inside(path, dir) {
			return fmt.Errorf("%s: not a name for a file in the box", name)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
