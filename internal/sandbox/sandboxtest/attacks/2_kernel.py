#: trace another process
tried("ptrace", call, 101, 16, 1, 0, 0)
tried("ptrace parent", call, 101, 16, os.getppid(), 0, 0)
buf = ctypes.create_string_buffer(8)
tried("process_vm_readv", call, 310, 1, buf, 1, buf, 1, 0)
tried("kcmp", call, 312, os.getpid(), 1, 0, 0, 0)
tried("pidfd_getfd", call, 438, 0, 0, 0)
#: mount something
os.mkdir("m")
tried("tmpfs", call, 165, b"x", b"m", b"tmpfs", 0, None)
tried("bind", call, 165, b"/", b"m", None, 4096, None)
tried("open_tree", call, 428, -100, b"/", 1)
tried("fsopen", call, 430, b"tmpfs", 0)
#: make what is read-only writable
tried("remount", call, 165, None, b"/usr", None, 32 | 4096, None)
tried("mount_setattr", call, 442, -100, b"/usr", 0, ctypes.create_string_buffer(struct.pack("QQQQ", 0, 1, 0, 0)), 32)
tried("umount", call, 166, b"/proc", 2)
#: break out with chroot
os.mkdir("c")
tried("chroot", lambda: os.chroot("c") or "chrooted")
tried("pivot_root", call, 155, b"c", b"c")
#: make namespaces again
for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("pid", 0x20000000), ("net", 0x40000000)):
    tried("unshare " + name, call, 272, flag)


def clone():
    pid = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid if pid > 0 else None


tried("clone", clone)
tried("clone3", call, 435, 0, 0)
#: enter other namespaces
for kind in ("mnt", "pid", "net", "user", "ipc", "uts"):

    def enter():
        fd = os.open("/proc/1/ns/" + kind, os.O_RDONLY)
        return call(308, fd, 0)

    tried(kind, enter)
#: use the kernel's key store
tried("add_key", call, 248, b"user", b"x", b"y", 1, -3)
tried("keyctl", call, 250, 0, -3, 0, 0, 0)
tried("request_key", call, 249, b"user", b"x", None, 0)
#: load a program into the kernel
tried("bpf", call, 321, 5, ctypes.create_string_buffer(120), 120)
tried("init_module", call, 175, b"x", 1, b"")
tried("finit_module", call, 313, 0, b"", 0)
tried("kexec_load", call, 246, 0, 0, 0, 0)
#: use io_uring, userfaultfd and perf
tried("io_uring", call, 425, 1, ctypes.create_string_buffer(120))
tried("userfaultfd", call, 323, 0)
tried("perf", call, 298, ctypes.create_string_buffer(128), 0, -1, -1, 0)
#: call by the other numbers that this processor knows
tried("x32 mount", call, 0x40000000 + 165, b"x", b"/tmp", b"tmpfs", 0, None)
tried("x32 unshare", call, 0x40000000 + 272, 0x10000000)
tried("x32 ptrace", call, 0x40000000 + 521, 16, 1, 0, 0)
#: open a file by its handle
tried("open_by_handle", call, 304, -100, ctypes.create_string_buffer(struct.pack("Ii", 8, 1) + b"\2" + bytes(7)), 0)
tried("name_to_handle", call, 303, -100, b"/", ctypes.create_string_buffer(200), ctypes.create_string_buffer(8), 0)
#: make and read device files
tried("mknod", lambda: os.mknod("disk", 0o60666, os.makedev(8, 0)) or "made")
for path in ("/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/kvm", "/dev/fuse", "/dev/tty"):
    tried(path, read, path)
#: become somebody else
tried("setuid", lambda: os.setuid(0) or "root")
tried("setgid", lambda: os.setgid(0) or "root")
tried("setgroups", lambda: os.setgroups([0]) or "groups")
tried(
    "sudo",
    lambda: [
        l for l in open("/proc/self/status") if l.startswith(("CapEff", "CapPrm", "CapBnd")) and int(l.split()[1], 16)
    ],
)
tried("privileges can be gained", lambda: "NoNewPrivs:\t1" not in open("/proc/self/status").read())
tried("no filter", lambda: "Seccomp:\t2" not in open("/proc/self/status").read())
#: change the machine's name and time
tried("hostname", call, 170, b"owned", 5)
tried("settimeofday", call, 164, ctypes.create_string_buffer(16), None)
tried("clock_settime", call, 227, 0, ctypes.create_string_buffer(16))
#: turn the kernel's knobs
for path in (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sysrq-trigger",
    "/proc/sys/kernel/randomize_va_space",
):
    # Nothing is written: that it could be opened for writing is enough.
    tried(path, lambda: os.open(path, os.O_WRONLY))
#: reach the control groups and the firmware
for path in (
    "/sys/fs/cgroup",
    "/sys/firmware",
    "/sys/kernel",
    "/sys/class/net",
    "/var/run/docker.sock",
    "/run/dbus",
    "/root",
    "/home",
    "/etc/ssh",
    "/var/lib",
):
    tried(path, lambda: os.path.exists(path) and os.listdir(path) if os.path.isdir(path) else os.path.exists(path))
#: raise the limits
import resource

for what in (resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
    tried("limit", lambda: resource.setrlimit(what, (1 << 40, 1 << 40)) or "raised")
#: take the processor for itself
tried("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)) or "real time")
tried("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -10) or "nicer")
#: leave shared memory behind
seg = libc.shmget(23599, 4096, 0o1666)
print("shut: made", seg)
#: watch the file system
tried("fanotify", call, 300, 0, 0)
tried("inotify on the host", lambda: libc.inotify_add_watch(libc.inotify_init(), b"@DIR@/home", 2) >= 0)
#: sleep past every signal
for s in range(1, 32):
    try:
        signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
end = time.time() + 60
while time.time() < end:
    try:
        time.sleep(5)
    except BaseException:
        pass
#: confuse the terminal that shows the output
sys.stdout.write("\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m\r\n\x9b31m\u202e\n")
#: pretend to be the box's own report
for fd in range(3, 64):
    try:
        os.write(fd, b'{"Status": 0, "status": 0, "limit": "", "Error": "OPEN"}\n')
    except OSError:
        pass
sys.exit(3)
