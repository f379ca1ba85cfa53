package sandbox_test

import (
	"context"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/witness"
)

// An eared is a native box that listens to its programs.
type eared struct{ sandbox.Native }

func (e eared) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	job.Hear = func(witness.Call) {}
	return e.Native.Run(ctx, job)
}

// testHeard sees that all by which a program, or one that it starts, reaches out of itself is heard, by whatever way it
// does it, and that nothing else is.
func testHeard(t *testing.T) {
	const c = "import ctypes, os, sys\nc = ctypes.CDLL(None)\n"
	for _, one := range []struct{ program, want string }{
		{"open('x', 'w').write('1'); import os; os.rename('x', '/tmp/x'); print(open('/tmp/x').read())", ""},
		{"import json, socket; socket.socketpair(); open('/dev/null', 'w').close(); open('/etc/hosts').close()", ""},
		{"try: open('/home/x/secret')\nexcept OSError: pass", "open /home/x/secret"},
		{c + "c.fopen(b'/home/x/secret', b'r')", "open /home/x/secret"},
		{c + "c.fopen(b'../srv/./a/../secret', b'r')", "open /srv/secret"},
		{"import os\nos.symlink('/srv', 'a')\ntry: open('a/secret')\nexcept OSError: pass", "open /srv/secret"},
		{"import os\nfd = os.open('/', os.O_RDONLY)\ntry: os.open('srv/secret', 0, dir_fd=fd)\nexcept OSError: pass",
			"open /srv/secret"},
		{c + "c.fopen(b'/proc/self/' b'root/srv/secret', b'r')", "open /srv/secret"},
		{c + "c.fopen(b'/proc/self/cwd/../srv/secret', b'r')", "open /srv/secret"},
		{c + "import pathlib\nc.fopen(b'/proc/%d/cwd/../srv/secret' % os.getpid(), b'r')", "cwd/../srv/secret"},
		{c + "c.unlink(b'/usr/x')", "unlink /usr/x (writes)"},
		{c + "c.rename(b'/box/repro.py', b'/srv/x')", "rename /box/repro.py /srv/x (writes)"},
		{c + "c.open(b'/usr/x', os.O_RDWR)", "open /usr/x (writes)"},
		{c + "c.open(b'/usr/lib', os.O_RDONLY)", ""},
		{c + "c.system(b'true a')", "execve /usr/bin/dash /bin/sh -c true a"},
		{"import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'open(\"/srv/x\")'], stderr=-3)", "open /srv/x"},
		{"import socket\ns = socket.socket(2, 2)\ntry: s.connect(('192.0.2.7', 9))\nexcept OSError: pass",
			"connect 192.0.2.7 9"},
		{"import socket\ns = socket.socket(10, 2)\ntry: s.sendto(b'x', ('2001:db8::7', 9))\nexcept OSError: pass",
			"sendto 2001:db8::7 9"},
		{"open('x', 'w').close(); open('x').close(); open('/tmp/y', 'a+').close()", ""},
		{"try: open('y')\nexcept OSError: pass", "open /box/y"},
		{c + "c.fopen(b'/tmp/y', b'r')", "open /tmp/y"},
		{c + "c.fopen(b'/proc/self/environ', b'r')", "open /proc/self/environ"},
		{"import socket\na, b, c = (socket.socket(1) for _ in range(3))\na.bind('\\0x'); a.listen(); b.connect('\\0x')\n" +
			"c.bind('/tmp/x'); c.listen(); socket.socket(1).connect('/tmp/x')", ""},
		{"import socket\ntry: socket.socket(1).connect('\\0x')\nexcept OSError: pass", "connect unix:@x"},
		{"import socket\ntry: socket.socket(1).connect('/tmp/x')\nexcept OSError: pass", "connect unix:/tmp/x"},
		{"import socket\nfor a in '127.0.0.1', '::1', '::ffff:127.0.0.1': socket.getnameinfo((a, 1), 0)\n" +
			"for f in 2, 10: socket.getaddrinfo('localhost', 1, f); socket.getaddrinfo('scrub', 1, f)",
			"not connect 127.0.0.1 53"},
		{c + "c.gethostbyname(b'a.invalid')", "connect 127.0.0.1 53"},
		{"import os\ntry: os.kill(1, 15)\nexcept OSError: pass", "kill 1"},
		{c + "import threading\nt = threading.Thread(target=c.unlink, args=(b'/srv/x',))\nt.start(); t.join()",
			"unlink /srv/x (writes)"},
	} {
		var heard []string
		o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program(one.program), Runtime: python(t),
			Hear: func(c witness.Call) {
				if len(c.On) > 0 && (c.On[0] == "/etc/localtime" || c.On[0] == "/etc/locale.alias") {
					return // the interpreter's own
				}
				line := strings.TrimSuffix(c.Name, "at") + " " + strings.Join(c.On, " ")
				if c.Writes {
					line += " (writes)"
				}
				heard = append(heard, line)
			}})
		if err != nil || o.End != bug.Exited {
			t.Fatalf("%s: %s, %v: %s", one.program, o.Words(), err, o.Stderr)
		}
		if len(heard) == 0 || !strings.HasPrefix(heard[0], "execve ") {
			t.Errorf("%s: its own start was not heard: %q", one.program, heard)
			continue
		}
		rest := strings.Join(heard[1:], "\n")
		no, not := strings.CutPrefix(one.want, "not ")
		if one.want == "" && rest != "" || not == strings.Contains(rest, no) {
			t.Errorf("%s\nheard: %q, want %q", one.program, heard[1:], one.want)
		}
	}
}
