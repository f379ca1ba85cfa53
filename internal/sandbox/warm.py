# A warm interpreter. It imports what the programs to come will import, and
# then forks a child for each of them, in a pid, mount and ipc namespace of
# its own. It runs inside the box, as the first process of a nested user
# namespace, and talks to scrub over descriptor 3.
#
# The modules named on the command line are imported before anything else, so
# that what this file needs for itself can be told apart and taken away again.
import sys

cold = set(sys.modules)
absent = []
for name in sys.argv[1:]:
    try:
        __import__(name)
    except BaseException as e:
        absent.append("%s: %s: %s" % (name, type(e).__name__, e))
wanted = set(sys.modules)

import array
import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
import struct
import time

libc = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWIPC, NEWPID = 0x20000, 0x08000000, 0x20000000
NOSUID, NODEV, NOEXEC, REC, PRIVATE = 2, 4, 8, 0x4000, 0x40000
OURS = ("OPENBLAS_NUM_THREADS",)  # set for the server alone; see warm_linux.go
SCRATCH = "/box"


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
    "Returns what scrub says first, after this side has said that it is there."
    check(libc.mount(None, b"/", None, REC | PRIVATE, None), "private mounts")
    mount(b"proc", b"/proc", NOSUID | NODEV | NOEXEC)
    libc.prctl(4, 0, 0, 0, 0)  # not dumpable: no program may read this memory
    gc.collect()
    gc.freeze()
    gc.disable()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    pipe = socket.socket(fileno=3)
    os.set_inheritable(3, False)
    pipe.send(json.dumps({"threads": threads(), "absent": absent}).encode())
    return pipe, pipe.recv(1 << 16)


pipe, filter_code = start()
own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)


def receive():
    "The next job, and the descriptors for its output."
    fds = array.array("i")
    size = 3 * fds.itemsize
    message, extra, _, _ = pipe.recvmsg(1 << 16, socket.CMSG_SPACE(size))
    if not message:
        os._exit(0)
    fds.frombytes(extra[0][2][:size])
    with os.fdopen(fds[0], "rb") as f:
        f.seek(0)
        return json.loads(f.read()), fds[1], fds[2]


def used(server):
    "Bytes that no file backs, of all processes here but this one."
    total = 0
    for pid in os.listdir("/proc"):
        if pid.isdigit() and pid != server:
            try:
                with open("/proc/%s/statm" % pid) as f:
                    fields = f.read().split()
                total += int(fields[1]) - int(fields[2])
            except OSError:
                pass
    return total * resource.getpagesize()


def wait(child, first, job, began):
    "Waits for the child and says how it ended. All of its namespace ends with it."
    limit = ""
    server = str(os.getpid())
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            break
        left = job["timeout"] - (time.monotonic() - began)
        if left <= 0:
            limit = "time"
        elif time.monotonic() - began > 0.02 and used(server) > job["memory"]:
            limit = "memory"
        if limit:
            os.kill(first, 9)
            pid, status, usage = os.wait4(child, 0)
            break
        signal.sigtimedwait({signal.SIGCHLD}, min(left, 0.02))
    os.kill(first, 9)
    os.waitpid(first, 0)
    return {
        "status": status, "limit": limit, "wall_us": int((time.monotonic() - began) * 1e6),
        "cpu_us": int((usage.ru_utime + usage.ru_stime) * 1e6), "memory": usage.ru_maxrss << 10,
    }


def serve():
    "Answers jobs. Returns only in a child, with its job."
    while True:
        job, out, err = receive()
        began = time.monotonic()
        check(libc.setns(own_pids, NEWPID), "own pids")
        check(libc.unshare(NEWPID), "new pids")
        # The first process of the child's namespace only has to be there. It
        # shares our memory until it execs, so unlike a fork it costs nothing.
        first = os.posix_spawn("/bin/sleep", ["sleep", "infinity"], {}, file_actions=[(os.POSIX_SPAWN_CLOSE, 3)])
        child = os.fork()
        if not child:
            return job, out, err
        os.close(out)
        os.close(err)
        pipe.send(json.dumps(wait(child, first, job, began)).encode())


def enter(job, out, err):
    "Makes this child the program's own world."
    os.setsid()
    null = os.open("/dev/null", os.O_RDONLY)
    for fd, to in ((null, 0), (out, 1), (err, 2)):
        os.dup2(fd, to)
    os.closerange(3, 256)
    check(libc.unshare(NEWNS | NEWIPC), "own mounts")
    for at in (b"/box", b"/tmp", b"/dev/shm"):
        mount(b"tmpfs", at, NOSUID | NODEV, b"mode=0777,nr_inodes=65536,size=%d" % job["scratch"])
    mount(b"proc", b"/proc", NOSUID | NODEV | NOEXEC)
    os.chdir(SCRATCH)
    for name, text in job["files"].items():
        os.makedirs(os.path.dirname(os.path.join(SCRATCH, name)), exist_ok=True)
        with open(name, "w", encoding="utf-8", newline="", errors="surrogatepass") as f:
            f.write(text)
    for what, limit in ((resource.RLIMIT_CPU, job["cpu"]), (resource.RLIMIT_FSIZE, job["scratch"])):
        resource.setrlimit(what, (limit, limit))


class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def lock():
    "Gives up every privilege for good."
    libc.prctl(47, 4, 0, 0, 0)  # ambient capabilities
    for capability in range(64):
        libc.prctl(24, capability, 0, 0, 0)  # bounding set
    header = ctypes.create_string_buffer(struct.pack("II", 0x20080522, 0))
    check(libc.capset(header, ctypes.create_string_buffer(24)), "capabilities")
    check(libc.prctl(38, 1, 0, 0, 0), "no new privileges")
    code = ctypes.create_string_buffer(filter_code, len(filter_code))
    check(libc.prctl(22, 2, ctypes.byref(Program(len(filter_code) // 8, ctypes.addressof(code)))), "call filter")
    libc.prctl(4, 1, 0, 0, 0)  # dumpable, as any program is


def tidy():
    "Takes away what only this file needed, and what forks must not share."
    for name in set(sys.modules) - wanted:
        parent, _, last = name.rpartition(".")
        if parent in sys.modules and getattr(sys.modules[parent], last, None) is sys.modules[name]:
            delattr(sys.modules[parent], last)
        del sys.modules[name]
    for name in OURS:
        os.environ.pop(name, None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
    torch = sys.modules.get("torch")
    if hasattr(torch, "default_generator"):
        torch.default_generator.seed()
    gc.enable()


job, out, err = serve()
enter(job, out, err)
lock()
tidy()

script = job["argv"][0]
sys.argv = job["argv"]
sys.path[0] = SCRATCH
if hasattr(sys, "orig_argv"):
    sys.orig_argv = [sys.executable] + job["argv"]
path = os.path.join(SCRATCH, script) if sys.version_info >= (3, 9) else script
main = type(sys)("__main__")
main.__file__, main.__builtins__, main.__annotations__ = path, __builtins__, {}
main.__loader__, main.__spec__ = type(__loader__)("__main__", path), None
server = sys.modules["__main__"]
sys.modules["__main__"] = main


def finish(code):
    "What an interpreter does at its end, less the unloading of modules."
    import atexit
    import threading

    threading._shutdown()
    atexit._run_exitfuncs()
    # The program's own objects are let go in the order that Python lets them.
    for names in ([n for n in vars(main) if n[0] == "_" and n != "__builtins__"], [n for n in vars(main) if n[0] != "_"]):
        for n in names:
            vars(main)[n] = None
    gc.collect()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            code = code or 120
    os._exit(code)


def failed(e):
    "Shows the exception as if this file were not there."
    e.__traceback__ = e.__traceback__ and e.__traceback__.tb_next
    try:
        sys.excepthook(type(e), e, e.__traceback__)
    except SystemExit as again:
        return code_of(again)
    return 1


def code_of(e):
    if e.code is None or isinstance(e.code, int):
        return (e.code or 0) & 0xFF
    print(e.code, file=sys.stderr)
    return 1


def run():
    with open(script, "rb") as f:
        source = f.read()
    return compile(source, path, "exec", dont_inherit=True)


try:
    exec(run(), vars(main))
except SystemExit as e:
    result = code_of(e)
except KeyboardInterrupt as e:
    failed(e)
    sys.stdout.flush()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
except BaseException as e:
    result = failed(e)
else:
    result = 0
finish(result)
