package runtimes

import (
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// Installing is done in a box. It can write to the environment and to nothing
// else that stays, has no home and no token, and reaches the package index
// alone, through scrub: a build that runs the package's own code is no worse
// off there than a stranger's program.

// builders may be newer than what they build.
var builders = []string{"setuptools", "wheel"}

// A workshop is where one environment is built.
type workshop struct {
	e      *Environments
	dir    string // the environment itself
	tmp    string
	cache  string // what was downloaded; empty where the package's own code could change it
	python bug.Runtime
	index  *index.Mirror
}

// buildAsOf makes the environment with packages as of a day, if that is not zero.
func (e *Environments) buildAsOf(ctx context.Context, dir string, spec Spec, python bug.Runtime, day time.Time) error {
	w := workshop{e: e, dir: dir, tmp: dir + ".tmp", python: python, index: index.NewMirror(e.Index, day, builders)}
	if !e.Source {
		w.cache = filepath.Join(e.Dir, "cache")
	}
	want := append([]string{spec.String()}, spec.With...)
	if bug.CompareVersions(python.Version, "3.12") < 0 {
		want = append(want, "setuptools<70") // every environment had it then, and old packages count on it
	}
	for _, name := range want {
		if !wanted.MatchString(name) {
			return CannotBuild{spec, fmt.Sprintf("%q is no name of a package", name)}
		}
	}
	w.index.Given = func(name string, got, of int64) {
		e.tell(event.Going, fmt.Sprintf("building %v for Python %s: %s, %s", spec, python.Version, name, share(got, of)))
	}
	defer os.RemoveAll(w.tmp)
	if err := w.open(); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer w.mindDisk(ctx, stop)()
	start, install := w.withPip()
	if e.UV != "" {
		start, install = w.withUV()
	}
	if err := w.step(ctx, spec, start); err != nil {
		return err
	}
	if err := w.step(ctx, spec, append(slices.Clip(install), want...)); err != nil {
		return err
	}
	if err := w.complete(ctx, spec, install); err != nil {
		return err
	}
	if e.UV != "" {
		if err := w.step(ctx, spec, w.compiled()); err != nil {
			return err
		}
	}
	return w.close()
}

// share is how much there is of a file.
func share(got, of int64) string {
	if of <= 0 {
		return fmt.Sprintf("%d MB", got/1e6)
	}
	return fmt.Sprintf("%d of %d MB", got/1e6, of/1e6)
}

// step runs one step of the build, which must not fail.
func (w workshop) step(ctx context.Context, spec Spec, argv []string) error {
	o, err := w.run(ctx, argv)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("build %v: %w", spec, err)
	case o.Limit != "":
		return CannotBuild{spec, "the build was stopped at the limit of " + o.Limit}
	case o.Failed() && w.index.Trouble() != nil:
		return fmt.Errorf("build %v: %w", spec, w.index.Trouble())
	case o.Failed():
		return CannotBuild{spec, lastWords(o.Stdout + "\n" + o.Stderr)}
	}
	return nil
}

// withUV is how uv makes an environment and installs into it.
func (w workshop) withUV() (start, install []string) {
	install = []string{w.e.UV, "pip", "install", "--quiet", "--no-config", "--link-mode", "copy", "--python",
		inside(w.dir), "--index-url", index.AtDoor}
	return []string{w.e.UV, "venv", "--quiet", "--no-config", "--python", w.python.Path, w.dir}, w.ready(install)
}

// compiled compiles what uv has installed: in the box nothing can be written
// beside the sources, and without this each run would compile them.
func (w workshop) compiled() []string {
	return []string{inside(w.dir), "-I", "-c", "import compileall, sys; compileall.compile_dir(sys.argv[1], quiet=2)",
		filepath.Join(w.dir, "lib")}
}

// withPip is how Python's own tools do it.
func (w workshop) withPip() (start, install []string) {
	install = []string{inside(w.dir), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
		"--no-input", "--index-url", index.AtDoor}
	return []string{w.python.Path, "-I", "-c", seed, w.dir}, w.ready(install)
}

// ready has install take nothing that must be built, unless it may.
func (w workshop) ready(install []string) []string {
	if !w.e.Source {
		install = append(install, "--only-binary", ":all:")
	}
	return install
}

//go:embed seed.py
var seed string

func inside(dir string) string { return filepath.Join(dir, "bin", "python") }

// buildLimits are generous: large packages take their time.
var buildLimits = sandbox.Limits{Time: time.Hour, Memory: 16 << 30, Processes: 2048, Files: 8192, Output: 256 << 10}

// run runs one step of the build.
func (w workshop) run(ctx context.Context, argv []string) (bug.Outcome, error) {
	box := w.e.Box
	if box == nil {
		box = sandbox.Native{}
	}
	reads := slices.DeleteFunc(append(slices.Clone(w.python.Folders), w.e.UV), func(s string) bool { return s == "" })
	vars := map[string]string{"TMPDIR": w.tmp, "PIP_INDEX_URL": index.AtDoor, "UV_INDEX_URL": index.AtDoor,
		"PIP_CONFIG_FILE": "/dev/null", "UV_PYTHON_DOWNLOADS": "never"}
	writes := []string{w.dir, w.tmp}
	if w.cache != "" {
		vars["UV_CACHE_DIR"], vars["PIP_CACHE_DIR"] = filepath.Join(w.cache, "uv"), filepath.Join(w.cache, "pip")
		writes = append(writes, w.cache)
	} else {
		// Every pip takes "false" for no cache; one before 19.0.3 takes "1" for the name of the folder.
		vars["UV_NO_CACHE"], vars["PIP_NO_CACHE_DIR"] = "1", "false"
	}
	return box.Run(ctx, sandbox.Job{
		Repro: bug.Repro{Command: argv}, Setting: bug.Setting{Factors: vars}, Runtime: bug.Runtime{Path: argv[0],
			Folders: reads},
		Limits: buildLimits, Write: writes, Serve: w.index.Serve,
	})
}

// open makes the folders that the build writes to, for whoever is in the box.
func (w workshop) open() error {
	for _, dir := range []string{w.dir, w.tmp, w.cache} {
		if dir == "" {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if uid, ok := sandbox.Inhabitant(); ok {
			if err := os.Chown(dir, uid, uid); err != nil {
				return err
			}
		}
	}
	return nil
}

// close takes the environment over from whoever was in the box.
func (w workshop) close() error {
	uid, ok := sandbox.Inhabitant()
	if !ok {
		return nil
	}
	return filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
			return fmt.Errorf("%s would run as somebody else", path)
		}
		if st, is := info.Sys().(*unix.Stat_t); is && int(st.Uid) != uid {
			return nil
		}
		return os.Lchown(path, os.Getuid(), os.Getgid())
	})
}

// leastDisk is what a build leaves free for everybody else.
const leastDisk = 512 << 20

// mindDisk stops a build that fills the disk. What it returns ends the watch.
func (w workshop) mindDisk(ctx context.Context, stop context.CancelCauseFunc) func() {
	over := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		every := time.NewTicker(250 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-over:
				return
			case <-ctx.Done():
				return
			case <-every.C:
				var st unix.Statfs_t
				if err := unix.Statfs(w.dir, &st); err == nil && int64(st.Bavail)*int64(st.Bsize) < leastDisk {
					stop(fmt.Errorf("less than %d MiB would be left: %w", leastDisk>>20, unix.ENOSPC))
				}
			}
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}
