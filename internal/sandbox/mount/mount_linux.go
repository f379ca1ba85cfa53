// Package mount puts the root of a box together.
package mount

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// IsLink reports whether a path is a symbolic link.
func IsLink(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.Mode()&os.ModeSymlink != 0
}

// Detached makes a copy of the mounts at and under path that is mounted
// nowhere yet, read-only unless it may be written.
func Detached(path string, write bool) (int, error) {
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return -1, fmt.Errorf("open_tree %s: %w", path, err)
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID}
	if !write {
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if !strings.HasPrefix(path, "/dev/") {
		attr.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, attr); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("set how %s is mounted: %w", path, err)
	}
	return fd, nil
}

// Zeroes can be mapped as memory that processes share, which only a cgroup counts.
const Zeroes = "/dev/zero"

// newRoot is where the box's root is put together before it becomes the root.
const newRoot = "/tmp"

// A Point is a file or folder of the host that the program may read.
type Point struct {
	From, To string
	Write    bool
	Laid     bool // into a folder of its own what is there is copied, to be changed
	FD       int  // of the detached mount, if the host made it; else 0
}

// A Root is what the root of a box is made of.
type Root struct {
	Points   []Point
	Scratch  []string          // folders of its own that a program may write to
	Size     int64             // of each of them
	Files    map[string]string // that are not the host's
	Enclosed bool              // a cgroup counts what no process has mapped
}

// Build makes a root of its own from an empty folder in memory, what r lists of
// the host, and private folders to write to.
func (r Root) Build() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	for i := range r.Points {
		m := &r.Points[i]
		if m.FD != 0 || IsLink(m.From) {
			continue
		}
		fd, err := Detached(m.From, m.Write)
		if err != nil {
			return err
		}
		m.FD = fd
	}
	links := map[string]string{"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0",
		"/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2"}
	for _, m := range r.Points {
		if m.FD == 0 {
			to, err := os.Readlink(m.From)
			if err != nil {
				return err
			}
			links[m.To] = to
		}
	}
	if err := tmpfs(newRoot, 4<<20, "0755"); err != nil {
		return err
	}
	// An interpreter may live below one of these, so they come first.
	for _, dir := range r.Scratch {
		if err := os.MkdirAll(newRoot+dir, 0o755); err != nil {
			return err
		}
		if err := tmpfs(newRoot+dir, r.Size, "0777"); err != nil {
			return err
		}
	}
	for _, m := range r.Points {
		if err := m.attach(r.Enclosed); err != nil {
			return err
		}
	}
	for at, to := range links {
		if err := os.MkdirAll(filepath.Dir(newRoot+at), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(to, newRoot+at); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return r.furnish()
}

// furnish adds what is not the host's: /proc and small files.
func (r Root) furnish() error {
	for path, text := range r.Files {
		if err := os.MkdirAll(filepath.Dir(newRoot+path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(newRoot+path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(newRoot+"/proc", 0o755); err != nil {
		return err
	}
	if err := unix.Mount("proc", newRoot+"/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

func tmpfs(at string, size int64, mode string) error {
	opts := fmt.Sprintf("size=%d,nr_inodes=65536,mode=%s", size, mode)
	if err := unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, opts); err != nil {
		return fmt.Errorf("mount tmpfs on %s: %w", at, err)
	}
	return nil
}

// attach mounts m under newRoot.
func (m Point) attach(enclosed bool) error {
	if m.FD == 0 {
		return nil
	}
	defer unix.Close(m.FD)
	if m.To == Zeroes && !enclosed {
		return nil
	}
	var st unix.Stat_t
	if err := unix.Fstat(m.FD, &st); err != nil {
		return fmt.Errorf("%s: %w", m.From, err)
	}
	at := newRoot + m.To
	if m.Laid {
		at = newRoot + "/.laid"
	}
	make := os.MkdirAll
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		make = makeFile
	}
	// A folder that is part of one already mounted is there.
	if err := make(at, 0o755); err != nil && !os.IsExist(err) {
		return err
	}
	if err := unix.MoveMount(m.FD, "", unix.AT_FDCWD, at, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("mount %s: %w", m.To, err)
	}
	if m.Laid {
		return lay(at, newRoot+m.To)
	}
	return nil
}

// lay copies what is mounted at from, and lets go of it.
func lay(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	if err := unix.Unmount(from, unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount %s: %w", from, err)
	}
	return os.Remove(from)
}

func makeFile(path string, _ os.FileMode) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o644)
}

// Enter makes newRoot the root, lets go of the old one and shuts the
// door: nothing but the scratch folders can be written.
func Enter() error {
	old := newRoot + "/.old"
	if err := os.Mkdir(old, 0o700); err != nil {
		return err
	}
	if err := unix.PivotRoot(newRoot, old); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	if err := unix.Unmount("/.old", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("let go of the host's root: %w", err)
	}
	if err := os.Remove("/.old"); err != nil {
		return err
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", 0, attr); err != nil {
		return fmt.Errorf("make / read-only: %w", err)
	}
	return nil
}
