# A warm interpreter. It imports what the programs to come will import, and
# then forks a child for each of them, in a pid, mount and ipc namespace of
# its own. It runs inside the box, as the first process of a nested user
# namespace, and talks to scrub over descriptor 3.
#
# It is loaded as sitecustomize, while an interpreter that was called to run
# the program gets ready. In the server it never returns; in a child it does,
# and the interpreter goes on to run the program by itself, as if it had just
# been started.
import os
import sys

HERE = "/box"
masked, tools, caches, own_caches, filter_code = os.read(3, 1 << 16).split(b"\n", 4)
with open(HERE + "/preload.txt") as f:
    modules = f.read().split()

# Whoever has a sitecustomize of their own gets it.
sys.path.remove(HERE)
stand_in = sys.modules.pop("sitecustomize")
try:
    import sitecustomize
except ImportError:
    sys.modules["sitecustomize"] = stand_in

# At its end Python clears every module it knows. What was there before the
# program is taken from its sight, so that a large library is not copied, page
# by page, only to be taken apart. This runs last: it is registered first.
import atexit


def look_away():
    for name in kept:
        sys.modules.pop(name, None)
    # Libraries that count, last of all, what is left of them would count all of that, and complain to C's own stream.
    for stream, opened in late:
        stream.value = opened(b"/dev/null", b"w")


late = []
atexit.register(look_away)


def folders():
    "What programs share is made here before they are, in the same places."
    for at in caches.decode().split():
        os.makedirs(at, exist_ok=True)
        yield at


def get_ready():
    "Does what takes long the first time. It is no part of what the programs see."
    with open(HERE + "/ready.py") as f:
        code = f.read()
    shown = sys.dont_write_bytecode, list(sys.argv)
    try:
        exec(compile(code, "ready.py", "exec"), {"__name__": "ready"})
    except BaseException as e:
        absent.append("ready: %s: %s" % (type(e).__name__, e))
    sys.dont_write_bytecode, sys.argv[:] = shown


absent = []
shared_folders = list(folders())
get_ready()

# The programs' modules come before anything else, so that what this file
# needs for itself can be told apart and taken away again.
for name in modules:
    try:
        __import__(name)
    except BaseException as e:
        absent.append("%s: %s: %s" % (name, type(e).__name__, e))
wanted = set(sys.modules)
kept = sorted(wanted - {"__main__", "builtins", "sys"})

# scrub's own come after them: only those find them who bring them along.
sys.path.insert(0, HERE)
for name in tools.decode().split():
    try:
        __import__(name)
    except BaseException:
        pass  # then whoever brings it imports it
sys.path.remove(HERE)
brought = {name: module for name, module in sys.modules.items() if name not in wanted}

import array
import ctypes
import gc
import json
import resource
import select
import signal
import socket
import struct
import time

libc = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWIPC, NEWPID, CLONE_VM = 0x20000, 0x08000000, 0x20000000, 0x100
NOSUID, NODEV, NOEXEC, BIND, REC, PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
NOTHING_LEFT = ["Cap%s:\t%016x\n" % (which, 0) for which in ("Inh", "Prm", "Eff", "Bnd", "Amb")] + [
    "NoNewPrivs:\t1\n",
    "Seccomp:\t2\n",
]
OURS = ("OPENBLAS_NUM_THREADS", "PYTHONPATH")  # set for the server alone; see warm_linux.go


def check(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), what + ": " + os.strerror(ctypes.get_errno()))
    return result


def mount(kind, at, flags, options=None):
    check(libc.mount(kind, at, kind, flags, options), "mount " + at.decode())


def threads():
    with open("/proc/self/status") as f:
        return int(f.read().split("Threads:")[1].split()[0])


def start():
    "Says that the server is there."
    check(libc.mount(None, b"/", None, REC | PRIVATE, None), "private mounts")
    mount(b"proc", b"/proc", NOSUID | NODEV | NOEXEC)
    check(libc.prctl(4, 0, 0, 0, 0), "not dumpable: no program may read this memory")
    if [pid for pid in os.listdir("/proc") if pid.isdigit() and pid != str(os.getpid())]:
        os._exit(72)  # a module has left somebody behind, who has our privileges
    for name in kept:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(sys.modules.get(name)))
    gc.collect()
    if hasattr(gc, "freeze"):  # since Python 3.7
        gc.freeze()
    gc.disable()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    pipe = socket.socket(fileno=3)
    os.set_inheritable(3, False)
    pipe.send(json.dumps({"threads": threads(), "absent": absent}).encode())
    return pipe


pipe = start()
most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)


def receive():
    "The next job, and the descriptors for its output."
    fds = array.array("i")
    size = 3 * fds.itemsize
    message, extra, _, _ = pipe.recvmsg(1 << 16, socket.CMSG_SPACE(size))
    if not message:
        os._exit(0)
    fds.frombytes(extra[0][2][:size])
    return json.loads(message), fds[0], fds[1], fds[2]


def used(server):
    "Bytes that no file backs, seconds of CPU, and whether one is at work, of all processes here but this one."
    pages = ticks = 0
    awake = False
    for pid in os.listdir("/proc"):
        if pid.isdigit() and pid != server:
            try:
                with open("/proc/%s/statm" % pid) as f:
                    fields = f.read().split()
                with open("/proc/%s/stat" % pid) as f:
                    state = f.read().rpartition(")")[2].split()
                pages += int(fields[1]) - int(fields[2])
                ticks += sum(map(int, state[11:15]))
                awake = awake or state[0] in "RD"
            except OSError:
                pass
    return pages * resource.getpagesize(), ticks / TICK, awake


def entered(told):
    "Whether the child is behind its walls: what it says, or that it is no more."
    with os.fdopen(told, "rb", buffering=0) as f:
        return f.read(1000)


def wait(child, first, job, began):
    "Waits for the child and says how it ended. All of its namespace ends with it."
    limit = ""
    server = str(os.getpid())
    worked, quiet = 0, began
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            break
        left = job["timeout"] - (time.monotonic() - began)
        if left <= 0:
            limit = "time"
        elif time.monotonic() - began > 0.02:
            size, busy, awake = used(server)
            if awake or busy > worked:
                worked, quiet = busy, time.monotonic()
            if size > job["memory"]:
                limit = "memory"
            elif job["busy"] and busy > job["busy"]:
                limit = "cpu"
            elif job["idle"] and time.monotonic() - quiet > job["idle"]:
                limit = "idle"
        if limit:
            os.kill(first, 9)
            pid, status, usage = os.wait4(child, 0)
            break
        signal.sigtimedwait({signal.SIGCHLD}, min(left, 0.02))
    os.kill(first, 9)
    os.waitpid(first, 0)
    return {
        "status": status,
        "limit": limit,
        "wall_us": int((time.monotonic() - began) * 1e6),
        "cpu_us": int((usage.ru_utime + usage.ru_stime) * 1e6),
        "memory": usage.ru_maxrss << 10,
    }


TICK = os.sysconf("SC_CLK_TCK")
stack = ctypes.create_string_buffer(1 << 16)
every_signal = set(range(1, signal.NSIG)) - {32, 33}  # those two are the C library's own


def placeholder():
    """Starts the first process of a child's namespace. It only has to be there
    until we kill it, so it shares our memory, has a stack of its own and waits
    for a signal. All signals are blocked in it: our handlers are its too, and
    the child could call them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, every_signal)
    top = (ctypes.addressof(stack) + len(stack)) & ~15
    pid = libc.clone(ctypes.cast(libc.pause, ctypes.c_void_p), ctypes.c_void_p(top), CLONE_VM | signal.SIGCHLD, None)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return check(pid, "first process")


def serve():
    "Answers jobs. Returns only in a child, with its job."
    while True:
        job, text, out, err = receive()
        began = time.monotonic()
        check(libc.setns(own_pids, NEWPID), "own pids")
        check(libc.unshare(NEWPID), "new pids")
        first = placeholder()
        told, tell = os.pipe()
        child = os.fork()
        if not child:
            return job, text, out, err, tell
        for fd in (text, out, err, tell):
            os.close(fd)
        said = entered(told)
        ending = wait(child, first, job, began)
        if said != b"in":
            ending["error"] = "the child did not enter its walls: " + said.decode("utf-8", "replace")
        pipe.send(json.dumps(ending).encode())


def enter(job, text, out, err, tell):
    "Makes this child the program's own world."
    os.setsid()
    with os.fdopen(text, "rb") as f:
        f.seek(0)
        files = json.loads(f.read())
    null = os.open("/dev/null", os.O_RDONLY)
    for fd, to in ((null, 0), (out, 1), (err, 2)):
        os.dup2(fd, to)
    os.closerange(3, tell)
    os.closerange(tell + 1, most_files)
    check(libc.unshare(NEWNS | NEWIPC), "own mounts")
    kept_caches = [(os.open(at, os.O_PATH), at.encode()) for at in shared_folders]
    for at in (b"/box", b"/tmp", b"/dev/shm"):
        mount(b"tmpfs", at, NOSUID | NODEV, b"mode=0777,nr_inodes=65536,size=%d" % job["scratch"])
    for fd, at in kept_caches:
        os.makedirs(at, exist_ok=True)
        check(libc.mount(b"/proc/self/fd/%d" % fd, at, None, BIND, None), "cache")
        os.close(fd)
    for at in own_caches.split():
        os.makedirs(at, exist_ok=True)
        mount(b"tmpfs", at, NOSUID | NODEV, b"mode=0777,nr_inodes=65536,size=%d" % job["scratch"])
    mount(b"proc", b"/proc", NOSUID | NODEV | NOEXEC)
    for at in masked.split():
        if os.path.exists(at):
            check(libc.mount(b"/dev/null", at, None, BIND, None), "mask")
    os.chdir(HERE)
    for name, text in files.items():
        if "/" in name:
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb", buffering=0) as f:
            f.write(text.encode("utf-8", "surrogatepass"))
    for what, limit in ((resource.RLIMIT_CPU, job["cpu"]), (resource.RLIMIT_FSIZE, job["scratch"])):
        resource.setrlimit(what, (limit, limit))


class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def lock():
    "Gives up every privilege for good."
    check(libc.prctl(47, 4, 0, 0, 0), "ambient capabilities")
    for capability in range(64):
        if libc.prctl(24, capability, 0, 0, 0) < 0:  # bounding set
            break  # this kernel knows no more
    header = ctypes.create_string_buffer(struct.pack("II", 0x20080522, 0))
    check(libc.capset(header, ctypes.create_string_buffer(24)), "capabilities")
    check(libc.prctl(38, 1, 0, 0, 0), "no new privileges")
    code = ctypes.create_string_buffer(filter_code, len(filter_code))
    check(libc.prctl(22, 2, ctypes.byref(Program(len(filter_code) // 8, ctypes.addressof(code)))), "call filter")
    check(libc.prctl(4, 1, 0, 0, 0), "dumpable, as any program is")
    with open("/proc/self/status") as f:
        told = f.read()
    for line in NOTHING_LEFT:
        if line not in told:
            raise OSError("the kernel does not say " + line)


def leave_early():
    """Makes exit() skip what libraries were loaded with: taking a large one
    apart costs more than many a program. C's own streams are still flushed."""
    if hasattr(libc, "on_exit") and hasattr(libc, "fcloseall"):
        libc.on_exit(libc._exit, None)
        libc.on_exit(libc.fcloseall, None)
        libc.fopen.restype = ctypes.c_void_p
        late.append((ctypes.c_void_p.in_dll(libc, "stderr"), libc.fopen))


def tidy(own):
    "Takes away what only this file needed, and what forks must not share."
    seen = wanted | set(brought) if own else wanted
    for name in sorted(set(sys.modules) - seen, reverse=True):  # what is in a package goes before it
        parent, _, last = name.rpartition(".")
        if parent in sys.modules and getattr(sys.modules[parent], last, None) is sys.modules[name]:
            delattr(sys.modules[parent], last)
        del sys.modules[name]
    for name in OURS:
        os.environ.pop(name, None)
    sys.path_importer_cache.pop(HERE, None)
    # The collector does not look at what was there when the server froze it.
    # The program's own module must not be part of that.
    main = type(sys)("__main__")
    vars(main).update(vars(sys.modules["__main__"]))
    if "__annotations__" in vars(main):
        main.__annotations__ = {}
    sys.modules["__main__"] = main
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    # What draws numbers at random would draw the same in every child.
    for name, module in list(sys.modules.items()):
        if name.rpartition(".")[2] == "random" and callable(getattr(module, "seed", None)):
            try:
                module.seed()
            except Exception:
                pass  # one that wants to be told with what
    gc.enable()


def let_in(job, text, out, err, tell):
    """Makes the child ready to be the program. site, which has imported this
    file, takes an exception for a reason to go on without it: whatever goes
    wrong here ends the child instead, and the server says that it did."""
    try:
        enter(job, text, out, err, tell)
        lock()
        leave_early()
        tidy(job["tools"])
        os.write(tell, b"in")
        os.close(tell)
    except BaseException as e:
        try:
            os.write(tell, ("%s: %s" % (type(e).__name__, e)).encode()[:900])
        finally:
            os._exit(70)


try:
    next_program = serve()
except BaseException:
    os._exit(71)  # a server that breaks must not go on as a program
let_in(*next_program)
