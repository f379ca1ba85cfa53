// Package witness is told of the system calls by which a program in a box reaches for something, before they are made.
package witness

import (
	"regexp"
	"slices"
	"strings"
)

// A Call is one by which a program reaches for a file, another program, another machine or another process.
type Call struct {
	Name   string   // of the system call
	On     []string // what it is about: paths, links followed, as the box has them; an address; a program, what it was called and what it is given; a process
	Writes bool     // it changes what it is about
	Absent bool     // what it is about is not there
	By     string   // the program file that makes it, as the box has it
}

// A form says where in the arguments of a call stands what it is about.
type form struct {
	paths  []place // files
	flags  int     // how they are opened; 0 for a call that is not about that
	writes bool    // it changes them
}

// A place is a path among the arguments: from is the descriptor of the folder that it begins at, or none.
type place struct{ from, path int }

const none = -1

func at(path int) []place          { return []place{{none, path}} }
func below(from, path int) []place { return []place{{from, path}} }

// forms are the calls that are about files.
var forms = map[string]form{
	"open": {paths: at(0), flags: 1}, "openat": {paths: below(0, 1), flags: 2}, "openat2": {paths: below(0, 1), flags: 2},
	"creat":  {paths: at(0), writes: true},
	"unlink": {paths: at(0), writes: true}, "unlinkat": {paths: below(0, 1), writes: true},
	"rmdir": {paths: at(0), writes: true}, "mkdir": {paths: at(0), writes: true},
	"mkdirat": {paths: below(0, 1), writes: true}, "mknod": {paths: at(0), writes: true},
	"mknodat":  {paths: below(0, 1), writes: true},
	"rename":   {paths: []place{{none, 0}, {none, 1}}, writes: true},
	"renameat": {paths: []place{{0, 1}, {2, 3}}, writes: true}, "renameat2": {paths: []place{{0, 1}, {2, 3}}, writes: true},
	"link": {paths: []place{{none, 0}, {none, 1}}, writes: true}, "linkat": {paths: []place{{0, 1}, {2, 3}}, writes: true},
	"symlink": {paths: at(1), writes: true}, "symlinkat": {paths: below(1, 2), writes: true},
	"chmod": {paths: at(0), writes: true}, "fchmodat": {paths: below(0, 1), writes: true},
	"fchmodat2": {paths: below(0, 1), writes: true}, "chown": {paths: at(0), writes: true},
	"lchown": {paths: at(0), writes: true}, "fchownat": {paths: below(0, 1), writes: true},
	"truncate": {paths: at(0), writes: true}, "utime": {paths: at(0), writes: true},
	"utimes": {paths: at(0), writes: true}, "utimensat": {paths: below(0, 1), writes: true},
	"futimesat": {paths: below(0, 1), writes: true}, "setxattr": {paths: at(0), writes: true},
	"lsetxattr": {paths: at(0), writes: true}, "removexattr": {paths: at(0), writes: true},
	"lremovexattr": {paths: at(0), writes: true},
}

// A Ground is what belongs to a program: what it may read and what it may write, with all below.
type Ground struct{ Read, Write []string }

// Foreign reports whether a call is about something else than that: another file, a program, a machine, a process, or
// what should be of its own and is not there.
func (g Ground) Foreign(c Call) bool {
	if at, ok := strings.CutPrefix(c.On[0], "unix:/"); ok {
		return c.Absent || !within("/"+at, g.Write)
	}
	_, files := forms[c.Name]
	return !files || slices.ContainsFunc(c.On, func(path string) bool {
		return aside.MatchString(path) || inmost.MatchString(path) || c.Absent && within(path, g.Write) ||
			!within(path, g.Write) && (c.Writes || path != "/" && !within(path, g.Read))
	})
}

// Own reports whether a call is about something that is the program's own and is not there.
func (g Ground) Own(c Call) bool { return c.Absent && within(c.On[0], g.Write) }

// inmost is what a process holds, as the list of processes shows it.
var inmost = regexp.MustCompile(`^/proc/[^/]+/(task/[^/]+/)?(environ|mem)$`)

// aside is a way through the list of processes to other files.
var aside = regexp.MustCompile(`^/proc/[^/]+/(task/[^/]+/)?(root|cwd|fd/\d+)/`)

func within(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") })
}
