package witness

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Bounds of what is read of a caller.
const (
	longest  = 4096 // bytes of a path or an argument
	mostArgs = 32   // of a command line
)

// read is what stands at an address of the caller's memory, as far as there is some.
func (c caller) read(addr uint64, n int) []byte {
	data := make([]byte, n)
	got := 0
	for got < n {
		part := min(n-got, int(longest-(addr+uint64(got))%longest)) // a page may be the last one
		local := []unix.Iovec{{Base: &data[got], Len: uint64(part)}}
		m, err := unix.ProcessVMReadv(c.pid, local, []unix.RemoteIovec{{Base: uintptr(addr) + uintptr(got), Len: part}}, 0)
		if err != nil || m <= 0 {
			break
		}
		got += m
		if bytes.IndexByte(data[got-m:got], 0) >= 0 && n == longest {
			break
		}
	}
	return data[:got]
}

// text is a text of C's; ok means that it could be read and is not too long.
func (c caller) text(addr uint64) (s string, ok bool) {
	if addr == 0 {
		return "", false
	}
	s, _, ok = strings.Cut(string(c.read(addr, longest)), "\x00")
	return s, ok
}

// words are numbers of eight bytes, or nil.
func (c caller) words(addr uint64, n int) []uint64 {
	data := c.read(addr, 8*n)
	if len(data) < 8*n {
		return nil
	}
	all := make([]uint64, n)
	for i := range all {
		all[i] = binary.NativeEndian.Uint64(data[8*i:])
	}
	return all
}

// path is where a path among the arguments leads in the box. One that cannot be read is one that the kernel cannot read
// either.
func (c caller) path(p place) (string, bool) {
	s, ok := c.text(c.args[p.path])
	if !ok {
		return "", false
	}
	if path.IsAbs(s) {
		return c.leads(s), true
	}
	from := "cwd"
	if p.from != none {
		if fd := int32(c.args[p.from]); fd != unix.AT_FDCWD {
			from = "fd/" + strconv.Itoa(int(fd))
		}
	}
	dir, err := os.Readlink(c.proc(from))
	if err != nil {
		return "", false
	}
	return c.leads(dir + "/" + s), true
}

// absolute is a path as the caller's folder has it.
func (c caller) absolute(p string) string {
	if path.IsAbs(p) {
		return p
	}
	dir, _ := os.Readlink(c.proc("cwd"))
	return dir + "/" + p
}

// mostLinks is how many links are followed, as many as the kernel follows.
const mostLinks = 40

// leads is where an absolute path leads in the box, links followed as far as there are files.
func (c caller) leads(p string) string {
	at, rest := "", strings.Split(p, "/")
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = path.Dir("/" + at)
			if at == "/" {
				at = ""
			}
			continue
		}
		if strings.HasPrefix(at, "/proc/") && (part == "root" || part == "cwd" || part == "fd") {
			to, left, ok := c.behind(at, part, rest)
			if !ok {
				return at + "/" + part + "/" + strings.Join(rest, "/") // through another process
			}
			at, rest = strings.TrimSuffix(to, "/"), left
			continue
		}
		to, err := os.Readlink(c.proc("root") + at + "/" + part)
		if err != nil || strings.HasPrefix(at, "/proc") || links == mostLinks {
			at += "/" + part
			continue
		}
		links++
		if path.IsAbs(to) {
			at = ""
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	if at == "" {
		return "/"
	}
	return at
}

// behind is where a link of the caller's own folder below /proc leads, which nobody else can follow there.
func (c caller) behind(at, part string, rest []string) (to string, left []string, ok bool) {
	if at != "/proc/self" && at != "/proc/thread-self" {
		return "", nil, false
	}
	if part == "fd" && len(rest) > 0 {
		part, rest = "fd/"+rest[0], rest[1:]
	} else if part == "fd" {
		return at + "/fd", rest, true
	}
	to, err := os.Readlink(c.proc(part))
	return to, rest, err == nil && path.IsAbs(to)
}

// command is the program that is to be started, what it was called, and what it is given.
func (c caller) command(p place, argv int) []string {
	file, ok := c.path(p)
	if !ok {
		return nil
	}
	called, _ := c.text(c.args[p.path])
	all := []string{file, called}
	for i := range uint64(mostArgs) {
		where := c.words(c.args[argv]+8*i, 1)
		if where == nil || where[0] == 0 {
			break
		}
		if s, ok := c.text(where[0]); ok && i > 0 {
			all = append(all, s)
		}
	}
	return all
}

// address is the machine that is reached, or the socket of this one by its name.
func (c caller) address(addr, size uint64) []string {
	if addr == 0 || size < 3 || size > 128 {
		return nil
	}
	data := c.read(addr, int(size))
	if len(data) < int(size) {
		return nil
	}
	switch family := binary.NativeEndian.Uint16(data); {
	case family == unix.AF_UNIX && data[2] == 0:
		return []string{"unix:@" + strings.TrimRight(string(data[3:]), "\x00"), ""}
	case family == unix.AF_UNIX:
		name, _, _ := strings.Cut(string(data[2:]), "\x00")
		return []string{"unix:" + c.leads(c.absolute(name)), ""}
	case family == unix.AF_INET && len(data) >= 8:
		port := binary.BigEndian.Uint16(data[2:])
		return []string{netip.AddrFrom4([4]byte(data[4:8])).String(), strconv.Itoa(int(port))}
	case family == unix.AF_INET6 && len(data) >= 24:
		port := binary.BigEndian.Uint16(data[2:])
		return []string{netip.AddrFrom16([16]byte(data[8:24])).Unmap().String(), strconv.Itoa(int(port))}
	}
	return nil
}
