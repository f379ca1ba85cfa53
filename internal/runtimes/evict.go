package runtimes

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/event"
)

// evict takes away environments that were used least recently until the rest
// fits into the budget. keep stays, and so does what somebody builds.
func (e *Environments) evict(keep string) {
	marks, err := filepath.Glob(filepath.Join(e.Dir, "*"+ready))
	if err != nil || e.Budget <= 0 {
		return
	}
	type env struct {
		dir  string
		used time.Time
		size int64
	}
	var all []env
	total := int64(0)
	for _, mark := range marks {
		if info, err := os.Stat(mark); err == nil {
			dir := strings.TrimSuffix(mark, ready)
			size := sizeOf(dir)
			all, total = append(all, env{dir, info.ModTime(), size}), total+size
		}
	}
	slices.SortFunc(all, func(a, b env) int { return cmp.Compare(a.used.UnixNano(), b.used.UnixNano()) })
	for _, old := range all {
		if total <= e.Budget {
			return
		}
		if old.dir == keep || busy(old.dir+".lock") {
			continue
		}
		if err := errors.Join(os.Remove(old.dir+ready), os.RemoveAll(old.dir)); err == nil {
			total -= old.size
			e.tell(event.Found, "deleted the least recently used environment, "+filepath.Base(old.dir)+", to stay within --disk")
		}
	}
}

func (e *Environments) tell(how event.State, text string) {
	if e.Tell != nil {
		e.Tell(how, text)
	}
}

// sizeOf is how much the files of a folder hold.
func sizeOf(dir string) int64 {
	total := int64(0)
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // what cannot be seen is not counted
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

// busy reports whether somebody holds a lock.
func busy(lock string) bool {
	f, err := os.Open(lock)
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}
