package watched

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/rehearse"
	"github.com/scrub-dev/scrub/internal/sandbox/witness"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// An ear makes deeds of system calls, in the words by which a reading knows them.
type ear struct {
	tell        func(rehearse.Deed)
	interpreter string // the file of the interpreter, which is started first
}

// deeds are system calls and what a reading calls them; what has no name of its own there changes something of a file.
var deeds = map[string]string{
	"open": "open", "openat": "open", "openat2": "open", "creat": "open",
	"execve": "os.execv", "execveat": "os.execv",
	"unlink": "os.remove", "unlinkat": "os.remove", "rmdir": "os.rmdir",
	"rename": "os.rename", "renameat": "os.rename", "renameat2": "os.rename",
	"link": "os.link", "linkat": "os.link", "symlink": "os.symlink", "symlinkat": "os.symlink",
	"mkdir": "os.mkdir", "mkdirat": "os.mkdir", "mknod": "os.mkdir", "mknodat": "os.mkdir", "truncate": "os.truncate",
	"connect": "socket.socket.connect", "bind": "socket.socket.bind",
	"sendto": "socket.socket.sendto", "sendmsg": "socket.socket.sendto", "sendmmsg": "socket.socket.sendto",
	"kill": "os.kill",
}

// nameService is the port at which names of machines are asked for.
const nameService = "53"

// commandLine is what is started, by the name that it was called: not if the program has made that name itself.
func commandLine(on []string) string {
	called := on[1]
	if !strings.HasPrefix(called, "/") || strings.HasPrefix(called, "/box/") || strings.HasPrefix(called, "/tmp/") {
		called = on[0]
	}
	return strings.Join(append([]string{called}, on[2:]...), " ")
}

// interprets reports whether a program is an interpreter: what another one does not find it does not run.
func (e *ear) interprets(program string) bool {
	return program == e.interpreter || strings.HasPrefix(path.Base(program), "python")
}

// hear takes in a call of the program or of one that it has started.
func (e *ear) hear(c witness.Call) {
	name, ok := deeds[c.Name]
	if !ok {
		name = "os.chmod"
	}
	args := c.On
	switch {
	case name == "os.execv" && e.interpreter == "":
		e.interpreter, name, args = c.On[0], rehearse.Started, nil
	case e.interpreter == "":
		return
	case name == "os.execv":
		args = []string{commandLine(c.On)}
	case name == "open" && c.Absent && !e.interprets(c.By):
		return // it has read nothing
	case name == "open" && c.Absent:
		name = rehearse.Absent
	case name == "open" && c.Writes:
		args = append(slices.Clone(c.On), "w")
	case name == "open":
		args = append(slices.Clone(c.On), "r")
	case name == "os.kill":
		if n, err := strconv.Atoi(c.On[0]); err != nil || n == 0 || n > 1 {
			return // itself, or a child of its own: there is nobody else
		}
	case strings.HasPrefix(name, "socket."):
		args = c.On[:1]
		if c.On[1] == nameService {
			name, args = "socket.getaddrinfo", []string{"a name that is asked for"}
		}
	}
	e.tell(rehearse.Deed{Use: syntax.Use{Name: name, Args: args}, Via: rehearse.System})
}
