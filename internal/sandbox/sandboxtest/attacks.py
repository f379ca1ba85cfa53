import ctypes, errno, os, signal, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
print("tried", flush=True)

def tried(what, f, *args):
    "Says whether f gave something. An error means that a wall held."
    try:
        got = f(*args)
    except BaseException as e:
        print("shut", what, type(e).__name__, e, flush=True)
        return
    print("OPEN" if got else "shut", what, repr(got)[:80], flush=True)

def call(number, *args):
    "A system call that works: one that is refused, or not there, raises."
    ctypes.set_errno(0)
    if libc.syscall(ctypes.c_long(number), *args) < 0 and ctypes.get_errno() in (errno.EPERM, errno.EACCES, errno.ENOSYS):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "reached: " + os.strerror(ctypes.get_errno())

def read(path):
    with open(path, "rb") as f:
        return f.read(200)

def secret(path):
    return b"@SECRET@" in read(path)

def write(path):
    with open(path, "w") as f:
        f.write("written")
    return path

def memory32(text):
    "The address of a copy of text that fits into 32 bits."
    libc.mmap.restype = ctypes.c_void_p
    at = libc.mmap(None, 4096, 3, 0x22 | 0x40, -1, 0)  # private, anonymous, low
    ctypes.memmove(at, text, len(text))
    return at

def foreign(what, number, *args):
    """A system call as a 32-bit program makes it, in a child: int 0x80 with the
    other table's numbers. A child that is killed has not got through."""
    if os.uname().machine != "x86_64":
        return print("shut", what, "no such calls on this machine", flush=True)
    words = [number] + list(args) + [0] * (5 - len(args))
    code = b"\x53" + b"".join(bytes([op]) + struct.pack("I", w & 0xffffffff) for op, w in zip((0xb8, 0xbb, 0xb9, 0xba, 0xbe, 0xbf), words)) + b"\xcd\x80\x5b\xc3"
    libc.mmap.restype = ctypes.c_void_p
    at = libc.mmap(None, 4096, 7, 0x22, -1, 0)
    ctypes.memmove(at, code, len(code))
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        got = ctypes.CFUNCTYPE(ctypes.c_int)(at)()
        os.write(w, b"%d" % got)
        os._exit(0)
    os.close(w)
    got = os.read(r, 100).decode()
    status = os.waitpid(pid, 0)[1]
    refused = not got or -int(got) in (errno.EPERM, errno.EACCES, errno.ENOSYS)
    print("shut" if refused else "OPEN", what, got or "killed by signal %d" % (status & 127), flush=True)

def hoard(step, most=60):
    "Takes 16 MiB at a time, most times over. More than the limit is a hole."
    done = 0
    try:
        for n in range(most):
            step(n)
            done += 16
    except (OSError, MemoryError, AttributeError, ValueError) as e:
        print("stopped by", type(e).__name__, e)
    time.sleep(0.3)
    return "%d MiB" % done if done > 700 else None
BLOCK = b"x" * (16 << 20)

#: read the shadow file
tried("shadow", read, "/etc/shadow")
#: read a private key
tried("key", read, "@KEY@")
#: read the state file
tried("state", read, "@STATE@")
#: read the host's temporary folder
tried("listing", os.listdir, "@DIR@/home")
tried("other files in /tmp", lambda: [n for n in os.listdir("/tmp") if not n.startswith("tmp")])
#: read a token from the environment
tried("token", lambda: os.environ.get("SCRUB_SECRET_TOKEN") or [k for k in os.environ if "TOKEN" in k or "canary" in os.environ[k]])
#: read other processes' environments
for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    tried("environ of " + pid, secret, "/proc/%s/environ" % pid)
#: see other processes
tried("processes", lambda: [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 64 and int(p) != os.getpid()])
tried("host's command lines", lambda: [p for p in os.listdir("/proc") if p.isdigit() and b"go test" in read("/proc/%s/cmdline" % p)])
#: read another process's memory
for pid in (1, os.getppid()):
    tried("mem", lambda: open("/proc/%d/mem" % pid, "rb").fileno() > 0 if pid else None)
#: walk out through /proc/1/root
for pid in ("1", "self", str(os.getppid() or 1)):
    tried("root of " + pid, secret, "/proc/%s/root@KEY@" % pid)
    tried("cwd of " + pid, secret, "/proc/%s/cwd/../../../../..@KEY@" % pid)
#: follow a symbolic link out
os.symlink("@KEY@", "link")
tried("link", secret, "link")
os.symlink("/proc/1/root", "out")
tried("link to root", secret, "out@KEY@")
#: overwrite the file this program is run from
for exe in ("/proc/1/exe", "/proc/self/exe", "/proc/%d/exe" % (os.getppid() or 1)):
    tried(exe, lambda: open(exe, "r+b").fileno() > 0)
#: use a descriptor that was left open
def others():
    found = []
    for fd in range(3, 256):
        try:
            found.append((fd, os.readlink("/proc/self/fd/%d" % fd)))
        except OSError:
            pass
    return [f for f in found if "/proc" not in f[1] and "repro.py" not in f[1] and "[" not in f[1]]
tried("descriptors", others)
#: write a file of the host
tried("target", write, "@DIR@/target")
tried("new file", write, "@DIR@/written")
#: write into a folder that the program may read
tried("shown folder", write, "@DIR@/shown/written")
tried("remove from it", lambda: os.remove("@DIR@/shown/file") or "removed")
#: write into the system's folders
for path in ("/usr/lib/written", "/usr/bin/written", "/bin/sh", "/lib/written", "/etc/ld.so.preload", "/etc/passwd", "/written", "/etc/written", "/dev/written"):
    tried(path, write, path)
#: change the interpreter's own library
tried("os.py", lambda: open(os.__file__, "a").write("#") or "written")
#: reach a server by TCP
host, port = "@TCP@".rsplit(":", 1)
tried("tcp", lambda: socket.create_connection((host, int(port)), 1) and "connected")
#: reach a server by TCP over IPv6
host, _, port = "@TCP6@".rpartition(":")
tried("tcp6", lambda: host and socket.create_connection((host.strip("[]"), int(port)), 1) and "connected")
#: reach a server by UDP
host, port = "@UDP@".rsplit(":", 1)
tried("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", (host, int(port))) and None)
#: reach a server by the path of its socket
s = socket.socket(socket.AF_UNIX)
tried("unix", lambda: s.connect("@UNIX@") or "connected")
#: reach a server by its abstract socket
s = socket.socket(socket.AF_UNIX)
tried("abstract", lambda: s.connect("\0@ABSTRACT@") or "connected")
#: open a raw socket
tried("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
tried("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
#: open odd kinds of socket
for name, family in (("netlink", 16), ("vsock", 40), ("alg", 38), ("bluetooth", 31), ("xdp", 44), ("tipc", 30)):
    tried(name, socket.socket, family, socket.SOCK_DGRAM if family != 38 else socket.SOCK_SEQPACKET)
#: see the host's network devices
tried("devices", lambda: [n for _, n in socket.if_nameindex() if n != "lo"])
#: fork without end
def forks():
    n = 0
    try:
        for _ in range(500):
            if os.fork() == 0:
                time.sleep(5)
                os._exit(0)
            n += 1
    except OSError:
        pass
    return n if n > 100 else None
tried("forks", forks)
#: start threads without end
import threading
def threads():
    n = 0
    try:
        for _ in range(500):
            threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
            n += 1
    except RuntimeError:
        pass
    return n if n > 100 else None
tried("threads", threads)
os._exit(0)
#: fill the memory
def memory():
    hold = []
    for _ in range(64):
        hold.append(bytearray(16 << 20))
    return len(hold) * 16
tried("memory", memory)
#: fill the memory with many processes
def memory():
    for _ in range(16):
        if os.fork() == 0:
            hold = bytearray(64 << 20)
            time.sleep(3)
            os._exit(0)
    time.sleep(2)
    return "16 times 64 MiB"
tried("memory", memory)
#: fill the disk
def fill(path, most):
    done = 0
    try:
        with open(path, "wb") as f:
            while done < most:
                done += f.write(b"x" * (1 << 20))
                f.flush()
    except OSError:
        pass
    return done >> 20 if done >= most else None
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
tried("one file", fill, "big", 128 << 20)
#: fill every folder that can be written
def fill(folder):
    done = 0
    try:
        for n in range(64):
            with open("%s/f%d" % (folder, n), "wb") as f:
                done += f.write(b"x" * (4 << 20))
    except OSError:
        pass
    return done >> 20 if done > 64 << 20 else None
for folder in ("/box", "/tmp", "/dev/shm", "/var/tmp", "/run"):
    tried(folder, fill, folder)
#: make a hundred thousand files
def files():
    n = 0
    try:
        for n in range(100000):
            os.close(os.open("f%d" % n, os.O_CREAT | os.O_WRONLY))
    except OSError:
        pass
    return n if n > 70000 else None
tried("files", files)
#: open files without end
def descriptors():
    hold = []
    try:
        for _ in range(2000):
            hold.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass
    return len(hold) if len(hold) > 1000 else None
tried("descriptors", descriptors)
#: write without end
def output():
    block = b"x" * (1 << 20)
    for _ in range(10 * 1024):
        os.write(1, block)
output()
print("shut")
#: leave a daemon behind
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.execv("/bin/sleep", ["@MARKER@", "60"])
    os._exit(0)
time.sleep(0.2)
print("shut")
#: leave daemons behind and hang
for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        for s in (1, 2, 15):
            signal.signal(s, signal.SIG_IGN)
        if os.fork() == 0:
            os.execv("/bin/sleep", ["@MARKER@", "60"])
        os._exit(0)
for s in (1, 2, 15, 20):
    signal.signal(s, signal.SIG_IGN)
os.close(1), os.close(2)
end = time.time() + 60
while time.time() < end:
    time.sleep(1)
#: kill the parent
for target in (os.getppid(), 1, -1):
    try:
        os.kill(target, 9)
    except OSError:
        pass
time.sleep(0.3)
try:
    os.kill(1, 0)
except OSError:
    print("OPEN: the first process is gone")
#: stop the parent
for _ in range(20):
    for target in (os.getppid(), 1):
        for s in range(1, 65):
            if s != 9:
                libc.kill(target, s)
print("shut")
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
tried("sudo", lambda: [l for l in open("/proc/self/status") if l.startswith(("CapEff", "CapPrm", "CapBnd")) and int(l.split()[1], 16)])
tried("privileges can be gained", lambda: "NoNewPrivs:\t1" not in open("/proc/self/status").read())
tried("no filter", lambda: "Seccomp:\t2" not in open("/proc/self/status").read())
#: change the machine's name and time
tried("hostname", call, 170, b"owned", 5)
tried("settimeofday", call, 164, ctypes.create_string_buffer(16), None)
tried("clock_settime", call, 227, 0, ctypes.create_string_buffer(16))
#: turn the kernel's knobs
for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory", "/proc/sysrq-trigger", "/proc/sys/kernel/randomize_va_space"):
    # Nothing is written: that it could be opened for writing is enough.
    tried(path, lambda: os.open(path, os.O_WRONLY))
#: reach the control groups and the firmware
for path in ("/sys/fs/cgroup", "/sys/firmware", "/sys/kernel", "/sys/class/net", "/var/run/docker.sock", "/run/dbus", "/root", "/home", "/etc/ssh", "/var/lib"):
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
#: call as a 32-bit program: make a user namespace
foreign("unshare", 310, 0x10000000)
foreign("clone", 120, 0x10000000 | 17)
#: call as a 32-bit program: mount something
foreign("mount", 21, memory32(b"x\0"), memory32(b"/tmp\0"), memory32(b"tmpfs\0"), 0, 0)
#: call as a 32-bit program: use the key store
foreign("keyctl: which session keyring", 288, 0, -3, 0)
foreign("keyctl: search", 288, 10, -3, memory32(b"user\0"), memory32(b"@MARKER@\0"))
foreign("request_key", 287, memory32(b"user\0"), memory32(b"@MARKER@\0"), 0, 0)
#: call as a 32-bit program: use io_uring and bpf
foreign("io_uring_setup", 425, 1, memory32(bytes(120)))
foreign("bpf", 357, 0, memory32(bytes(120)), 120)
#: call as a 32-bit program: open an odd socket
foreign("socketcall: vsock", 102, 1, memory32(struct.pack("III", 40, 1, 0)))
foreign("socket: netlink", 359, 16, 3, 0)
#: call as a 32-bit program: trace another process
foreign("ptrace", 26, 16, 1, 0, 0)
foreign("process_vm_readv", 347, 1, 0, 0, 0, 0)
#: call as a 32-bit program: enter other namespaces
foreign("setns", 346, os.open("/proc/self/ns/net", os.O_RDONLY), 0)
foreign("pivot_root", 217, memory32(b"/tmp\0"), memory32(b"/tmp\0"))
#: call as a 32-bit program: set another process's limits
foreign("prlimit64", 340, 1, 7, memory32(struct.pack("QQ", 0, 0)), 0)
#: call by x32's numbers in a child
for name, number in (("keyctl", 250), ("io_uring_setup", 425), ("unshare", 272)):
    pid = os.fork()
    if pid == 0:
        tried("x32 " + name, call, 0x40000000 + number, 0x10000000, -3, 0)
        os._exit(0)
    os.waitpid(pid, 0)
#: put a known number into the half of an argument that the kernel looks at
high = 1 << 32
for name, number, args in (("socket vsock", 41, (high | 40, 1, 0)), ("socket netlink", 41, (high | 16, 3, 0)), ("prlimit of 1", 302, (high | 1, 7, 0, 0)),
        ("clone", 56, (high | 0x10000000 | 17, 0, 0, 0, 0)), ("personality", 135, (high | 8,))):
    def wide():
        if os.uname().machine == "x86_64":
            got = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in args])
            if got == 0 and name == "clone":
                os._exit(0)
            return got >= 0 and "reached"
    tried(name, wide)
#: look for the keys of whoever started this
tried("listed", lambda: "@MARKER@" in open("/proc/keys").read())
tried("key users", lambda: "@MARKER@" in open("/proc/key-users").read())
#: hoard memory that processes could share
import mmap
hold = []
def step(n):
    m = mmap.mmap(-1, 16 << 20)
    m.write(BLOCK)
    hold.append(m)
tried("shared anonymous", hoard, step)
#: hoard shared memory and take it out of sight
import mmap
hold = []
def step(n):
    m = mmap.mmap(-1, 16 << 20)
    m.write(BLOCK)
    at = ctypes.addressof(ctypes.c_char.from_buffer(m))
    libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(16 << 20), 4)  # not needed, here
    hold.append(m)
tried("shared anonymous, not mapped", hoard, step)
#: hoard files in memory that have no name
hold = []
def step(n):
    fd = libc.memfd_create(b"x", 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "memfd_create")
    for _ in range(16):
        os.write(fd, BLOCK[:1 << 20])
    hold.append(fd)
tried("memfd", hoard, step)
#: hoard files in memory on their way through a socket
a, b = socket.socketpair()
def step(n):
    fd = libc.memfd_create(b"x", 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "memfd_create")
    for _ in range(16):
        os.write(fd, BLOCK[:1 << 20])
    socket.send_fds(a, [b"x"], [fd])
    os.close(fd)
tried("memfd in flight", hoard, step)
#: hoard segments of shared memory that nobody has attached
libc.shmat.restype = ctypes.c_void_p
def step(n):
    seg = libc.shmget(0, 16 << 20, 0o1600)
    if seg < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    at = libc.shmat(seg, None, 0)
    ctypes.memset(at, 1, 16 << 20)
    libc.shmdt(ctypes.c_void_p(at))
tried("segments", hoard, step)
#: hoard memory in the buffers of sockets
hold = []
def step(n):
    if os.fork() == 0:
        for _ in range(50):
            pair = socket.socketpair()
            for s in pair:
                s.setblocking(False)
                try:
                    while True:
                        s.send(BLOCK[:64 << 10])
                except OSError:
                    pass
            hold.append(pair)
        time.sleep(3)
        os._exit(0)
tried("socket buffers", hoard, step, 55)
#: hide from whoever counts memory
libc.prctl(4, 0, 0, 0, 0)  # nobody may look into this process
hold = []
def step(n):
    hold.append(bytearray(BLOCK))
tried("private, not dumpable", hoard, step)
#: set the limits of the box's first process
import resource
for what in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_CPU):
    tried("limit %d" % what, lambda: resource.prlimit(1, what) and "read")
#: set the limits of the parent
tried("limit", call, 302, os.getppid() or 1, 7, struct.pack("QQ", 3, 3), None)
tried("raw", call, 302, ctypes.c_long(1), 7, struct.pack("QQ", 3, 3), None)
#: have a crash handed to the host
import resource
try:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (OSError, ValueError):
    pass
tried("core limit", lambda: resource.getrlimit(resource.RLIMIT_CORE) != (1, 1) and resource.getrlimit(resource.RLIMIT_CORE))
libc.syscall(ctypes.c_long(160), ctypes.c_long(4), struct.pack("QQ", 0, 0)) if os.uname().machine == "x86_64" else None
tried("core limit, the old way", lambda: resource.getrlimit(resource.RLIMIT_CORE) != (1, 1) and resource.getrlimit(resource.RLIMIT_CORE))
#: make memory that nobody else can read
tried("memfd_secret", call, 447, 0)
#: submit to the kernel by the old asynchronous calls
tried("io_setup", call, 206, 8, ctypes.create_string_buffer(8))
#: reach for other new and odd calls
tried("process_madvise", call, 440, 0, 0, 0, 0, 0)
tried("process_mrelease", call, 448, 0, 0)
tried("open_tree_attr", call, 467, -100, b"/", 1, 0, 0)
tried("listmount", call, 458, ctypes.create_string_buffer(64), ctypes.create_string_buffer(64), 8, 0)
#: hoard memory after the first thread has ended
import _thread
hold = []
def rest():
    time.sleep(0.1)
    tried("first thread gone", hoard, lambda n: hold.append(bytearray(BLOCK)))
    os._exit(0)
_thread.start_new_thread(rest, ())
libc.syscall.restype = None
libc.syscall(ctypes.c_long(60 if os.uname().machine == "x86_64" else 93), ctypes.c_long(0))
#: hoard shared memory and keep a page of each piece
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def step(n):
    at = libc.mmap(None, 16 << 20, 3, 0x21, -1, 0)
    if at is None or at == 2 ** 64 - 1:
        raise OSError(ctypes.get_errno(), "mmap")
    ctypes.memset(at, 1, 16 << 20)
    libc.munmap(ctypes.c_void_p(at + 4096), ctypes.c_size_t((16 << 20) - 4096))
tried("shared, trimmed", hoard, step)
#: hoard shared memory by mapping zeroes
import mmap
hold = []
def step(n):
    with open("/dev/zero", "r+b") as f:
        m = mmap.mmap(f.fileno(), 16 << 20)
    m.write(BLOCK)
    hold.append(m)
tried("zeroes", hoard, step)
#: hoard memory in sets of semaphores
def step(n):
    for _ in range(8):
        if libc.semget(0, 32000, 0o600) < 0:
            raise OSError(ctypes.get_errno(), "semget")
tried("semaphores", hoard, step)
#: hoard memory in page tables
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def step(n):
    at = libc.mmap(None, 8 << 30, 1, 0x4022, -1, 0)
    for offset in range(0, 8 << 30, 2 << 20):
        ctypes.c_char.from_address(at + offset).value
tried("page tables", hoard, step)
#: hoard huge pages in pipes
class Piece(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
hold, huge = [], 2 << 20
def step(n):
    r, w = os.pipe()
    hold.append((r, w))
    for _ in range(8):
        at = libc.mmap(None, 2 * huge, 3, 0x22, -1, 0)
        whole = (at + huge - 1) & ~(huge - 1)
        libc.madvise(ctypes.c_void_p(whole), ctypes.c_size_t(huge), 14)
        ctypes.memset(whole, 1, huge)
        if libc.vmsplice(w, ctypes.byref(Piece(whole, 4096)), ctypes.c_ulong(1), 2) != 4096:
            raise OSError(ctypes.get_errno(), "vmsplice")
        libc.munmap(ctypes.c_void_p(at), ctypes.c_size_t(2 * huge))
tried("pipes", hoard, step)
#: hoard memory in the buffers of connections
hold = []
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(50)
def step(n):
    sent = 0
    while sent < 16 << 20 and len(hold) < 120:
        c = socket.create_connection(listener.getsockname())
        pair = (c, listener.accept()[0])
        hold.append(pair)
        for s in pair:
            s.setblocking(False)
            try:
                while True:
                    sent += s.send(BLOCK[:1 << 20])
            except OSError:
                pass
    if sent < 16 << 20:
        raise OSError("no more connections")
tried("connections", hoard, step)
#: use up what this user has of watches on files
made = 0
while made < 1000 and libc.inotify_init() >= 0:
    made += 1
tried("watches", lambda: made > 40 and made)
