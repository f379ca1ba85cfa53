package sandboxtest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// A Host is what a program in a box must not reach: decoys on this machine,
// and servers that count who comes by. All of it is made for the test.
type Host struct {
	Dir     string // holds the decoys and may be written by anybody
	Secret  string // what the decoys say
	Key     string // a private key below a home
	State   string // a state file
	TCP     string // addresses of servers on the loopback device
	TCP6    string // empty if this machine has no IPv6
	UDP     string
	Unix    string // path of a socket
	Marker  string // a word that every process started by an attack carries
	visitor atomic.Int64
}

// NewHost sets the decoys up. They are gone after the test.
func NewHost(t *testing.T) *Host {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "scrub-host-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	h := &Host{Dir: dir, Secret: "canary-5c2f", Key: dir + "/home/.ssh/id_ed25519", State: dir + "/home/state/scrub.db",
		Unix: dir + "/socket", Marker: "scrub-marker-" + filepath.Base(dir)}
	must(t, os.Chmod(dir, 0o777))
	for _, file := range []string{h.Key, h.State, dir + "/target"} {
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(h.Secret), 0o666))
	}
	h.leaveKey(t)
	h.TCP = h.listen(t, "tcp", "127.0.0.1:0")
	h.listen(t, "unix", h.Unix)
	must(t, os.Chmod(h.Unix, 0o777))
	h.listen(t, "unix", "@"+h.Marker)
	if l, err := net.Listen("tcp", "[::1]:0"); err == nil {
		l.Close()
		h.TCP6 = h.listen(t, "tcp", "[::1]:0")
	}
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	h.UDP = conn.LocalAddr().String()
	go func() {
		buf := make([]byte, 64)
		for {
			if _, _, err := conn.ReadFrom(buf); err != nil {
				return
			}
			h.visitor.Add(1)
		}
	}()
	return h
}

// leaveKey puts a key into the session keyring of this thread, which what it
// starts inherits. The test stays on the thread.
func (h *Host) leaveKey(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	if _, _, e := unix.Syscall(unix.SYS_KEYCTL, unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0); e != 0 {
		t.Logf("no session keyring here: %v", e)
		return
	}
	if _, err := unix.AddKey("user", h.Marker, []byte(h.Secret), unix.KEY_SPEC_SESSION_KEYRING); err != nil {
		t.Logf("no key was left: %v", err)
	}
}

func (h *Host) listen(t *testing.T, network, address string) string {
	t.Helper()
	l, err := net.Listen(network, address)
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			h.visitor.Add(1)
			c.Close()
		}
	}()
	return l.Addr().String()
}

// Harm says what an attack has done to the host; nothing, if all is well.
func (h *Host) Harm() string {
	var harm []string
	if n := h.visitor.Load(); n > 0 {
		harm = append(harm, fmt.Sprintf("%d visits to its servers", n))
		h.visitor.Store(0)
	}
	for _, file := range []string{h.Key, h.State, h.Dir + "/target"} {
		if data, err := os.ReadFile(file); err != nil || string(data) != h.Secret {
			harm = append(harm, file+" was changed")
		}
	}
	if left, err := filepath.Glob(h.Dir + "/written*"); err != nil || len(left) > 0 {
		harm = append(harm, fmt.Sprintf("files were written: %v", left))
	}
	if shared, err := os.ReadFile("/proc/sysvipc/shm"); err == nil && bytes.Contains(shared, []byte(" 23599 ")) {
		harm = append(harm, "shared memory was left behind")
	}
	if pids := Processes(h.Marker); len(pids) > 0 {
		harm = append(harm, fmt.Sprintf("processes are alive: %v", pids))
	}
	return strings.Join(harm, "; ")
}

// Processes returns the folders in /proc of processes whose command line
// holds word.
func Processes(word string) []string {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	var found []string
	for _, dir := range dirs {
		line, err := os.ReadFile(dir + "/cmdline")
		if err == nil && bytes.Contains(line, []byte(word)) {
			found = append(found, dir)
		}
	}
	return found
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
