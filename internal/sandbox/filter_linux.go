package sandbox

import (
	"fmt"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

// denied are the system calls that a repro has no business with: those that
// reach into the kernel, other processes, mounts or time. They fail with
// EPERM, so that a program can say what it missed.
var denied = []string{
	"acct", "add_key", "bpf", "chroot", "clock_adjtime", "clock_settime", "create_module", "delete_module",
	"fanotify_init", "finit_module", "fsconfig", "fsmount", "fsopen", "fspick", "get_kernel_syms", "init_module",
	"io_uring_enter", "io_uring_register", "io_uring_setup", "ioperm", "iopl", "kcmp", "kexec_file_load", "kexec_load",
	"keyctl", "lookup_dcookie", "migrate_pages", "mount", "mount_setattr", "move_mount", "move_pages",
	"name_to_handle_at", "nfsservctl", "open_by_handle_at", "open_tree", "perf_event_open", "pidfd_getfd", "pivot_root",
	"process_madvise", "process_vm_readv", "process_vm_writev", "ptrace", "query_module", "quotactl", "quotactl_fd",
	"reboot", "request_key", "setdomainname", "sethostname", "setns", "settimeofday", "swapoff", "swapon", "sysfs",
	"syslog", "umount2", "unshare", "uselib", "userfaultfd", "ustat", "vhangup",
}

// families are the kinds of socket that lead somewhere other than this
// program and its children, or into little-read parts of the kernel.
var families = []uint64{unix.AF_PACKET, unix.AF_VSOCK, unix.AF_NETLINK, unix.AF_ALG, unix.AF_BLUETOOTH, unix.AF_CAN, unix.AF_TIPC, unix.AF_XDP, unix.AF_KEY, unix.AF_RDS}

// namespaceFlags are what clone must not be asked for.
var namespaceFlags = []uint64{unix.CLONE_NEWUSER, unix.CLONE_NEWNS, unix.CLONE_NEWPID, unix.CLONE_NEWNET, unix.CLONE_NEWIPC, unix.CLONE_NEWUTS, unix.CLONE_NEWCGROUP}

// policy returns the filter. With clone3 "not there", C libraries fall back
// to clone, whose flags a filter can read.
func policy() seccomp.Policy {
	refuse := seccomp.SyscallGroup{Action: seccomp.ActionErrno | seccomp.Action(unix.EPERM), Names: denied}
	for _, flag := range namespaceFlags {
		refuse.NamesWithCondtions = append(refuse.NamesWithCondtions, seccomp.NameWithConditions{
			Name: "clone", Conditions: []seccomp.Condition{{Argument: 0, Operation: seccomp.BitsSet, Value: flag}},
		})
	}
	for _, family := range families {
		refuse.NamesWithCondtions = append(refuse.NamesWithCondtions, seccomp.NameWithConditions{
			Name: "socket", Conditions: []seccomp.Condition{{Argument: 0, Operation: seccomp.Equal, Value: family}},
		})
	}
	return seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{
		refuse,
		{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{"clone3"}},
	}}
}

// loadFilter puts the filter on this process and all that it starts. A warm
// interpreter puts it on its programs instead, since it makes namespaces.
func (p plan) loadFilter() error {
	if p.Server != 0 {
		return nil
	}
	f := seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: policy()}
	if err := seccomp.LoadFilter(f); err != nil {
		return fmt.Errorf("system call filter: %w", err)
	}
	return nil
}
