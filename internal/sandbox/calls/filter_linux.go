package calls

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A Filter says which system calls there are for whom.
type Filter struct {
	Server   bool // a warm interpreter's own, which its programs' comes on top of
	Enclosed bool // a cgroup counts what no process has mapped
	Writes   bool // what it writes stays on the host
	Routes   bool // it may ask the kernel for its interfaces and routes
}

// What becomes of a call.
var (
	allow     = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	kill      = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
	notThere  = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)}
	forbidden = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)}
	pretend   = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO} // of 0, which is success
)

// calls are those that f allows: whatever their arguments are, and by rule.
func (f Filter) calls() (names []string, rules []callRule) {
	names, rules = slices.Clone(allowed), depends()
	if f.Enclosed {
		names = append(names, counted...)
	} else {
		names, rules = restrict(names, rules, privately())
	}
	if f.Routes {
		rules = append(rules, when("socket", equals(0, unix.AF_NETLINK), equals(2, unix.NETLINK_ROUTE)))
	}
	if f.Writes {
		names, rules = restrict(names, rules, asOneself())
		names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(withMode, n) })
	}
	if f.Server {
		names = append(names, ofServers...)
		rules = slices.DeleteFunc(rules, func(r callRule) bool { return slices.Contains(ofServers, r.name) })
	}
	return names, rules
}

// restrict makes calls that were allowed whatever their arguments are depend on
// rules.
func restrict(names []string, rules, more []callRule) ([]string, []callRule) {
	names = slices.DeleteFunc(names, func(n string) bool {
		return slices.ContainsFunc(more, func(r callRule) bool { return r.name == n })
	})
	return names, append(rules, more...)
}

// x32 is what marks the numbers of a second set of calls that this processor
// knows.
const x32 = 0x40000000

// program is f as the kernel runs it. Calls by the numbers of another
// architecture, or of x32, end the process: no list is about them. Each call is
// decided where its number is found; with clone3 "not there", C libraries fall
// back to clone, whose flags a filter can read.
func (f Filter) program() ([]bpf.Instruction, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	all := ours(info, kill)
	on := func(name string, what ...bpf.Instruction) {
		if n, ok := info.SyscallNames[name]; ok {
			all = append(all, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(n), SkipTrue: 1},
				bpf.Jump{Skip: uint32(len(what))})
			all = append(all, what...)
		}
	}
	names, rules := f.calls()
	for _, name := range names {
		on(name, allow)
	}
	for len(rules) > 0 {
		name := rules[0].name
		var what []bpf.Instruction
		for _, r := range rules {
			if r.name == name {
				what = append(what, r.then(allow)...)
			}
		}
		for _, r := range pretended() {
			if r.name == name {
				what = append(what, r.then(pretend)...)
			}
		}
		on(name, append(what, forbidden)...)
		rules = slices.DeleteFunc(rules, func(r callRule) bool { return r.name == name })
	}
	for _, name := range refused {
		on(name, forbidden)
	}
	return append(all, notThere), nil
}

// ours has the number of a call of this architecture looked at, and done with all others what is said.
func ours(info *arch.Info, others bpf.Instruction) []bpf.Instruction {
	all := []bpf.Instruction{
		bpf.LoadAbsolute{Off: 4, Size: 4}, // the architecture
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1}, others,
		bpf.LoadAbsolute{Off: 0, Size: 4}, // the number
	}
	if runtime.GOARCH == "amd64" {
		all = append(all, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32, SkipTrue: 1}, others)
	}
	return all
}

// then is what to do if r holds; if not, what follows is done.
func (r callRule) then(what bpf.Instruction) []bpf.Instruction {
	code := []bpf.Instruction{what}
	for _, c := range slices.Backward(r.conds) {
		code = append(c.orSkip(len(code)), code...)
	}
	return code
}

// orSkip goes on if c holds, and skips n instructions behind it if not. An
// argument is read in two halves.
func (c callCond) orSkip(n int) []bpf.Instruction {
	low, high := uint32(16+8*c.arg), uint32(20+8*c.arg) // on the processors that are known here
	lowVal, highVal := uint32(c.value), uint32(c.value>>32)
	load := func(at uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: at, Size: 4} }
	switch c.op {
	case "=":
		return []bpf.Instruction{load(high), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: highVal, SkipTrue: uint8(n + 2)},
			load(low), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: lowVal, SkipTrue: uint8(n)}}
	case "!=":
		return []bpf.Instruction{load(high), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: highVal, SkipTrue: 2},
			load(low), bpf.JumpIf{Cond: bpf.JumpEqual, Val: lowVal, SkipTrue: uint8(n)}}
	case "no bits of":
		return []bpf.Instruction{load(high), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: highVal, SkipTrue: uint8(n + 2)},
			load(low), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: lowVal, SkipTrue: uint8(n)}}
	}
	panic("a condition: " + c.op)
}

// instruction is the size of one, in bytes.
const instruction = 8

// Code is f as the kernel reads it.
func (f Filter) Code() ([]byte, error) {
	program, err := f.program()
	if err != nil {
		return nil, err
	}
	return assembled(program)
}

// assembled is a program as the kernel reads it.
func assembled(program []bpf.Instruction) ([]byte, error) {
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	code := make([]byte, 0, len(raw)*instruction)
	for _, i := range raw {
		code = binary.NativeEndian.AppendUint16(code, i.Op)
		code = append(code, i.Jt, i.Jf)
		code = binary.NativeEndian.AppendUint32(code, i.K)
	}
	return code, nil
}

// Load puts a filter on every thread of this process and on all that it
// starts.
func Load(code []byte) error {
	if len(code) == 0 {
		return errors.New("there is no system call filter")
	}
	prog := unix.SockFprog{Len: uint16(len(code) / instruction), Filter: (*unix.SockFilter)(unsafe.Pointer(&code[0]))}
	// It returns the thread on which it could not be put.
	if at, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog))); e != 0 || at != 0 {
		return fmt.Errorf("system call filter: %w (thread %d)", e, at)
	}
	return nil
}
