// Package calls says which system calls there are for programs in a box.
package calls

import (
	"strings"

	"golang.org/x/sys/unix"
)

// allowed are the system calls that programs get, the most frequent first.
// Whatever is not here, be it old and odd or newer than this list, is "not
// there" in the box until somebody adds it.
var allowed = strings.Fields(`
	read write close futex mmap munmap mprotect madvise brk openat newfstatat fstat lseek ioctl pread64 pwrite64 readv
	writev getpid gettid clock_gettime sched_yield rt_sigaction rt_sigprocmask rt_sigreturn poll epoll_wait recvfrom sendto

	execve execveat exit exit_group fork vfork wait4 waitid kill tkill tgkill pidfd_open pidfd_send_signal
	getppid getpgid getpgrp getsid setpgid setsid set_tid_address restart_syscall rseq arch_prctl prctl
	get_robust_list set_robust_list get_thread_area set_thread_area membarrier getcpu
	futex_requeue futex_wait futex_waitv futex_wake

	mremap msync mincore mlock mlock2 mlockall munlock munlockall mseal pkey_alloc pkey_free pkey_mprotect map_shadow_stack

	open openat2 creat dup dup2 dup3 close_range fcntl flock fsync fdatasync sync syncfs sync_file_range ftruncate truncate
	fallocate fadvise64 readahead preadv preadv2 pwritev pwritev2 sendfile splice tee copy_file_range cachestat
	pipe pipe2 select pselect6 ppoll epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 eventfd eventfd2
	signalfd signalfd4 inotify_init inotify_init1 inotify_add_watch inotify_rm_watch

	stat lstat statx statfs fstatfs access faccessat faccessat2 getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir
	unlink unlinkat link linkat symlink symlinkat readlink readlinkat rename renameat renameat2 mknod mknodat umask
	chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown utime utimes utimensat futimesat
	getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr

	accept accept4 bind connect listen getpeername getsockname getsockopt setsockopt shutdown
	recvmsg recvmmsg sendmsg sendmmsg

	getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid setregid setresuid setresgid
	setfsuid setfsgid setgroups capget capset seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self

	getrlimit getrusage times sysinfo uname getrandom getpriority setpriority ioprio_get ioprio_set
	sched_getaffinity sched_setaffinity sched_getparam sched_setparam sched_getscheduler sched_setscheduler
	sched_getattr sched_setattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval

	alarm pause nanosleep clock_nanosleep clock_getres gettimeofday time getitimer setitimer
	timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime
	rt_sigpending rt_sigqueueinfo rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sigaltstack

	shmat shmdt shmctl semop semtimedop semctl msgsnd msgrcv msgctl
	mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
`)

// counted are the ways to have memory that no process has mapped. Only a cgroup
// counts it, so without one they are not there.
var counted = strings.Fields("memfd_create shmget semget msgget vmsplice")

// privately are the mappings without a cgroup: none that processes could share
// and that no file has.
func privately() []callRule {
	return []callRule{when("mmap", noneOf(3, unix.MAP_ANONYMOUS)), when("mmap", noneOf(3, unix.MAP_SHARED))}
}

// asOneself are the calls that make files where these stay: none that would run
// as whoever it belongs to.
func asOneself() []callRule {
	const bits = unix.S_ISUID | unix.S_ISGID
	const makes = unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY
	return []callRule{
		when("chmod", noneOf(1, bits)), when("fchmod", noneOf(1, bits)), when("fchmodat",
			noneOf(2, bits)), when("fchmodat2", noneOf(2, bits)),
		when("mkdir", noneOf(1, bits)), when("mkdirat", noneOf(2, bits)), when("creat", noneOf(1, bits)),
		when("open", noneOf(1, makes)), when("open", noneOf(2, bits)), when("openat", noneOf(2, makes)), when("openat",
			noneOf(3, bits)),
	}
}

// withMode make files by arguments that a filter cannot see, or files that
// nobody needs there.
var withMode = strings.Fields("openat2 mknod mknodat")

// refused are calls that programs know and a repro has no business with: those
// that reach into the kernel, other processes, mounts or time. They fail with
// EPERM and not as if they were not there, so that a program can say what it
// missed.
var refused = strings.Fields(`
	acct add_key bpf chroot clock_adjtime clock_settime create_module delete_module fanotify_init finit_module
	fsconfig fsmount fsopen fspick get_mempolicy init_module ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie
	mbind migrate_pages modify_ldt mount mount_setattr move_mount move_pages name_to_handle_at open_by_handle_at
	open_tree perf_event_open pidfd_getfd pivot_root process_madvise process_mrelease process_vm_readv
	process_vm_writev ptrace quotactl quotactl_fd reboot request_key set_mempolicy setdomainname sethostname setns settimeofday
	swapoff swapon syslog umount2 unshare userfaultfd vhangup
`)

// A callRule is a call that depends on its arguments. All of its conditions
// must hold. Arguments are compared with all of their 64 bits, of which the
// kernel may look at half: what is set in the rest never matches.
type callRule struct {
	name  string
	conds []callCond
}

type callCond struct {
	arg   uint32
	op    string // =, != or no bits of
	value uint64
}

func when(name string, conds ...callCond) callRule { return callRule{name, conds} }
func equals(arg uint32, value uint64) callCond     { return callCond{arg, "=", value} }
func differs(arg uint32, value uint64) callCond    { return callCond{arg, "!=", value} }
func noneOf(arg uint32, bits uint64) callCond      { return callCond{arg, "no bits of", bits} }
func each(name string, arg uint32, values ...uint64) []callRule {
	var all []callRule
	for _, v := range values {
		all = append(all, when(name, equals(arg, v)))
	}
	return all
}

// namespaceFlags are what clone must not be asked for.
const namespaceFlags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWTIME

// families are the kinds of socket there are: others lead somewhere else than
// to this program and its children, or into little-read parts of the kernel.
var families = []uint64{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6}

// depends are the calls that are allowed with some arguments only.
func depends() []callRule {
	rules := []callRule{
		when("clone", noneOf(0, namespaceFlags)),
		when("socketpair", equals(0, unix.AF_UNIX)),
	}
	rules = append(rules, each("socket", 0, families...)...)
	rules = append(rules, each("personality", 0, 0, 0xffffffff)...) // to ask which it is
	// Limits of this process alone: those of the box's first process are not
	// the program's to set.
	for what := uint64(0); what < 16; what++ {
		if what != unix.RLIMIT_CORE {
			rules = append(rules, when("prlimit64", equals(0, 0), equals(1, what)), when("setrlimit", equals(0, what)))
		}
	}
	return append(rules, when("prlimit64", equals(0, 0), equals(1, unix.RLIMIT_CORE), equals(2, 0)))
}

// pretended are calls that succeed and do nothing. With a limit of 0 for core
// files, which a program may well set, the kernel would still hand a crash to
// the host's own program for that, if it has one; with the limit of the box it
// does not.
func pretended() []callRule {
	return []callRule{
		when("prlimit64", equals(0, 0), equals(1, unix.RLIMIT_CORE), differs(2, 0)),
		when("setrlimit", equals(0, unix.RLIMIT_CORE)),
	}
}

// ofServers are the calls that a warm interpreter needs besides, to make
// namespaces for its programs.
var ofServers = strings.Fields("clone mount setns unshare")
