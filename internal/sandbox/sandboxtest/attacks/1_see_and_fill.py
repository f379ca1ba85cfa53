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
tried(
    "token",
    lambda: os.environ.get("SCRUB_SECRET_TOKEN")
    or [k for k in os.environ if "TOKEN" in k or "canary" in os.environ[k]],
)
#: read other processes' environments
for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    tried("environ of " + pid, secret, "/proc/%s/environ" % pid)
#: see other processes
tried("processes", lambda: [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 64 and int(p) != os.getpid()])
tried(
    "host's command lines",
    lambda: [p for p in os.listdir("/proc") if p.isdigit() and b"go test" in read("/proc/%s/cmdline" % p)],
)
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
for path in (
    "/usr/lib/written",
    "/usr/bin/written",
    "/bin/sh",
    "/lib/written",
    "/etc/ld.so.preload",
    "/etc/passwd",
    "/written",
    "/etc/written",
    "/dev/written",
):
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
