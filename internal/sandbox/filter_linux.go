package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A filter says which system calls there are for whom.
type filter struct {
	server   bool // a warm interpreter's own, which its programs' comes on top of
	enclosed bool // a cgroup counts what no process has mapped
	writes   bool // what it writes stays on the host
}

const (
	notThere  = seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)
	forbidden = seccomp.ActionErrno | seccomp.Action(unix.EPERM)
	pretend   = seccomp.ActionErrno // of 0, which is success
)

// policy is f as the assembler reads it. With clone3 "not there", C libraries
// fall back to clone, whose flags a filter can read.
func (f filter) policy(known map[string]int) seccomp.Policy {
	names, rules := f.calls()
	here := func(name string) bool { _, ok := known[name]; return ok }
	only := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !here(n) })
	}
	with := func(rules []callRule) []seccomp.NameWithConditions {
		var all []seccomp.NameWithConditions
		for _, r := range rules {
			if here(r.name) {
				all = append(all, r.condition())
			}
		}
		return all
	}
	return seccomp.Policy{DefaultAction: seccomp.ActionKillProcess, Syscalls: []seccomp.SyscallGroup{
		{Action: seccomp.ActionAllow, Names: only(names), NamesWithCondtions: with(rules)},
		{Action: pretend, NamesWithCondtions: with(pretended())},
		{Action: forbidden, Names: only(slices.Concat(refused, restricted))},
	}}
}

// calls are those that f allows: whatever their arguments are, and by rule.
func (f filter) calls() (names []string, rules []callRule) {
	names, rules = slices.Clone(allowed), depends()
	if f.enclosed {
		names = append(names, counted...)
	} else {
		names, rules = restrict(names, rules, privately())
	}
	if f.writes {
		names, rules = restrict(names, rules, asOneself())
		names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(withMode, n) })
	}
	if f.server {
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

func (r callRule) condition() seccomp.NameWithConditions {
	n := seccomp.NameWithConditions{Name: r.name}
	ops := map[string]seccomp.Operation{"=": seccomp.Equal, "!=": seccomp.NotEqual, "no bits of": seccomp.BitsNotSet}
	for _, c := range r.conds {
		n.Conditions = append(n.Conditions, seccomp.Condition{Argument: c.arg, Operation: ops[c.op], Value: c.value})
	}
	return n
}

// x32 is what marks the numbers of a second set of calls that this processor
// knows.
const x32 = 0x40000000

// program is f as the kernel runs it. Calls by the numbers of another
// architecture, or of x32, end the process: no list is about them.
func (f filter) program() ([]bpf.Instruction, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	p := f.policy(info.SyscallNames)
	rest, err := p.Assemble()
	if err != nil {
		return nil, err
	}
	// The last instruction is what happens to calls that nothing is said of.
	rest[len(rest)-1] = bpf.RetConstant{Val: uint32(notThere)}
	kill := bpf.RetConstant{Val: uint32(seccomp.ActionKillProcess)}
	first := []bpf.Instruction{
		bpf.LoadAbsolute{Off: 4, Size: 4}, // the architecture
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1},
		kill,
	}
	if runtime.GOARCH == "amd64" {
		first = append(first, bpf.LoadAbsolute{Off: 0, Size: 4}, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32, SkipTrue: 1}, kill)
	}
	return append(first, rest...), nil
}

// code is f as the kernel reads it.
func (f filter) code() ([]byte, error) {
	program, err := f.program()
	if err != nil {
		return nil, err
	}
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

// instruction is the size of one, in bytes.
const instruction = 8

// loadFilter puts a filter on every thread of this process and on all that it
// starts.
func loadFilter(code []byte) error {
	if len(code) == 0 {
		return errors.New("there is no system call filter")
	}
	prog := unix.SockFprog{Len: uint16(len(code) / instruction), Filter: (*unix.SockFilter)(unsafe.Pointer(&code[0]))}
	// It returns the thread on which it could not be put.
	if at, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog))); e != 0 || at != 0 {
		return fmt.Errorf("system call filter: %w (thread %d)", e, at)
	}
	return nil
}
