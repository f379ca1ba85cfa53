# What a program does to the world, as the interpreter tells of it, in the words by which a reading knows it. Nothing
# here calls what a program may have made: its texts and paths may have methods of its own.
import builtins
import os
import posix
import sys
import sysconfig

from .anything import ANYTHING

# Events, and what a reading calls them.
TOLD = {
    "os.system": "os.system",
    "os.exec": "os.execv",
    "os.posix_spawn": "os.posix_spawn",
    "os.spawn": "os.spawnv",
    "os.startfile": "os.startfile",
    "os.forkpty": "pty.fork",
    "os.kill": "os.kill",
    "os.killpg": "os.killpg",
    "os.putenv": "os.putenv",
    "os.remove": "os.remove",
    "os.rename": "os.rename",
    "os.rmdir": "os.rmdir",
    "os.chmod": "os.chmod",
    "os.chown": "os.chown",
    "os.link": "os.link",
    "os.symlink": "os.symlink",
    "os.truncate": "os.truncate",
    "os.mkdir": "os.mkdir",
    "os.listdir": "os.listdir",
    "os.scandir": "os.scandir",
    "os.chdir": "os.chdir",
    "os.fchdir": "os.chdir",
    "os.walk": "os.walk",
    "os.fwalk": "os.walk",
    "os.setxattr": "os.setxattr",
    "shutil.rmtree": "shutil.rmtree",
    "shutil.move": "shutil.move",
    "shutil.copyfile": "shutil.copyfile",
    "shutil.copytree": "shutil.copytree",
    "shutil.unpack_archive": "shutil.unpack_archive",
    "subprocess.Popen": "subprocess.Popen",
    "pty.spawn": "pty.spawn",
    "socket.connect": "socket.socket.connect",
    "socket.bind": "socket.socket.bind",
    "socket.sendto": "socket.socket.sendto",
    "socket.sendmsg": "socket.socket.sendmsg",
    "socket.getaddrinfo": "socket.getaddrinfo",
    "socket.gethostbyname": "socket.gethostbyname",
    "socket.gethostbyaddr": "socket.gethostbyaddr",
    "socket.getnameinfo": "socket.getnameinfo",
    "urllib.Request": "urllib.request.urlopen",
    "http.client.connect": "http.client.HTTPConnection",
    "ftplib.connect": "ftplib.FTP",
    "smtplib.connect": "smtplib.SMTP",
    "poplib.connect": "poplib.POP3",
    "imaplib.open": "imaplib.IMAP4",
    "nntplib.connect": "nntplib.NNTP",
    "telnetlib.Telnet.open": "telnetlib.Telnet",
    "webbrowser.open": "webbrowser.open",
    "ctypes.dlopen": "ctypes.CDLL",
    "ctypes.dlsym/handle": "ctypes.CDLL",
    "ctypes.cdata": "ctypes.CDLL",
    "ctypes.string_at": "ctypes.string_at",
    "pickle.find_class": "pickle.find_class",
    "sys.addaudithook": "sys.addaudithook",
    "gc.get_objects": "gc.get_objects",
    "gc.get_referrers": "gc.get_referrers",
    "sqlite3.enable_load_extension": "sqlite3.Connection.enable_load_extension",
    "sqlite3.load_extension": "sqlite3.Connection.enable_load_extension",
    "sqlite3.connect": "open",
    "code.__new__": "types.CodeType",
    "open": "open",
    "syslog.syslog": "syslog.syslog",
    "mmap.__new__": "mmap.mmap",
    "resource.setrlimit": "resource.setrlimit",
    "signal.pthread_kill": "os.kill",
    "fcntl.ioctl": "fcntl.ioctl",
    "fcntl.fcntl": "os.kill",
}
WORKERS = ("multiprocessing/pool.py", "concurrent/futures/process.py")  # where functions are sent by their names
OWNERS = (8, 15)  # who gets a descriptor's signals
QUIET = {"mmap.__new__", "resource.setrlimit", "gc.get_objects", "gc.get_referrers", "ctypes.cdata", "os.walk",
         "os.fwalk", "fcntl.ioctl"}
# How many of what an event comes with are paths.
PATHS = {"open": 1, "os.listdir": 1, "os.scandir": 1, "os.chdir": 1, "os.remove": 1, "os.rename": 2, "os.rmdir": 1,
         "os.chmod": 1, "os.chown": 1, "os.link": 2, "os.symlink": 2, "os.truncate": 1, "os.mkdir": 1,
         "shutil.rmtree": 1, "shutil.move": 2, "shutil.copyfile": 2, "shutil.copytree": 2, "sqlite3.connect": 1,
         "shutil.unpack_archive": 2, "os.setxattr": 1}
READS = {"open", "os.listdir", "os.scandir", "os.chdir", "sqlite3.connect"}
LIBRARIES = tuple(
    {os.path.realpath(p) + "/" for p in (sys.prefix, sys.base_prefix, sys.exec_prefix) if p != "/usr"}
    | {p + "/" for p in (sysconfig.get_paths().get("stdlib", ""), sysconfig.get_paths().get("purelib", "")) if p}
    | {p + "/" for p in sys.path if p.endswith("-packages")}
)
# Where every program reads, and its interpreter for it.
USUAL = LIBRARIES + (
    "/usr/lib/", "/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo", "/etc/mime.types", "/etc/localtime",
    "/etc/os-release", "/usr/share/locale", "/proc/cpuinfo", "/proc/meminfo", "/proc/self/status", "/proc/self/cgroup",
    "/proc/self/statm", "/proc/stat", "/proc/mounts", "/proc/self/mountinfo", "/sys/devices/system/", "/sys/fs/cgroup/",
    "/proc/sys/kernel/", "/proc/sys/vm/", "/usr/local/etc/mime.types", "/etc/httpd/", "/etc/apache", "/box/",
    "/usr/share/fonts", "/usr/local/share/fonts", "/proc/driver/", "/sys/bus/pci/", "/sys/kernel/mm/",
)
# Where every program may write.
OWN = ("/box/", "/tmp/", "/dev/null/", "/dev/shm/", "/dev/zero/", "/dev/urandom/", "/dev/random/", "/dev/tty/")
STDLIB = os.path.dirname(os.__file__) + "/"
readlink, getcwd, lstat = posix.readlink, posix.getcwd, posix.lstat


def plain(v):
    "A text as it is, whatever a class of the program's own would say of it; None for what is no text."
    kind = type(v)
    if issubclass(kind, str):
        return str.__getitem__(v, slice(0, 300))
    if issubclass(kind, (bytes, bytearray)):
        return bytes.__getitem__(bytes(memoryview(v)[:300]), slice(0, 300)).decode("latin-1")
    if kind in PATHS_OF:
        return str.__getitem__(PATHS_OF[kind](v), slice(0, 300))
    return None


def paths_of():
    import pathlib

    kinds = (pathlib.PosixPath, pathlib.PurePosixPath)
    return {k: k.__str__ for k in kinds}


PATHS_OF = paths_of()


def words(values, found, deep=0):
    "The texts in what an event comes with."
    for v in values:
        if len(found) >= 20 or deep > 4:
            break
        text = plain(v)
        if text is not None:
            found.append(text)
        elif v is ANYTHING:
            found.append("anything")
        elif type(v) in (list, tuple):
            words(v, found, deep + 1)
        elif type(v) is dict:
            words([one for pair in v.items() for one in pair], found, deep + 1)
        elif type(v) in (int, float, bool, type(None)):
            pass
        elif issubclass(type(v), (list, tuple)):
            words(list.__iter__(v) if issubclass(type(v), list) else tuple.__iter__(v), found, deep + 1)
        elif hasattr(type(v), "__fspath__"):
            found.append("?")  # a path of the program's own kind: only it knows where that leads
    return found


def there(path):
    "Where a path leads, links followed."
    if not path.startswith("/"):
        path = getcwd() + "/" + path
    parts, at, links = path.split("/")[::-1], "", 0
    while parts:
        part = parts.pop()
        if part in ("", "."):
            continue
        if part == "..":
            at = at.rpartition("/")[0]
            continue
        try:
            to = readlink(at + "/" + part)
        except (OSError, ValueError):
            at += "/" + part
            continue
        links += 1
        if links > 40:
            return path
        if to.startswith("/"):
            at = ""
        parts.extend(to.split("/")[::-1])
    return at or "/"


def exists(path):
    try:
        lstat(path)
        return True
    except (OSError, ValueError):
        return False


def reached(event, path, writes):
    "A path that a program reaches and that is not its own; None for its own and for what all programs read."
    if path == "?":
        return path
    at = there(path)
    if not path.startswith("/") and not exists(at) and exists("/" + path):
        at = there("/" + path)  # from a folder that is open
    if (at + "/").startswith(OWN) or not writes and (at + "/").startswith(USUAL):
        return None
    return at


def pickled(name, frame):
    "What is found by its name while an object is loaded: a function of Python's own is none that people pickle."
    inner = name[9:] if name.startswith("builtins.") else ""
    if inner in ("", "getattr") or isinstance(getattr(builtins, inner, None), type):
        return name, []
    while frame is not None:
        if frame.f_code.co_filename.endswith(WORKERS) and frame.f_code.co_filename.startswith(STDLIB):
            return name, []  # what a pool is to call
        frame = frame.f_back
    return "pickle.loads", ["foreign bytes"]


def deed(event, args, frame):
    "The name and the texts of what a program is about to do, or nothing."
    name = TOLD[event]
    if event == "pickle.find_class":
        return pickled(".".join(words(args, [])), frame)
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if type(address) is not tuple:
            return None  # a socket in a folder
        return name, words(address[:1], [])
    if event in PATHS:
        return passage(event, name, args)
    if event in ("os.kill", "os.killpg") and type(args[0]) is int and args[0] > 1 and args[0] != os.getppid():
        return None  # a child of its own: there is nobody else
    if event == "fcntl.fcntl" and args[1] not in OWNERS:
        return None
    if event == "subprocess.Popen":
        args = (args[0], args[1])  # what is run, without the environment
    return name, words(args, [])


def opened(args):
    "How a file is opened, and whether to write."
    mode = plain(args[1]) if args[1] else ""
    flags = args[2] if len(args) > 2 and type(args[2]) is int else 0
    writes = flags & 3 != 0 or any(c in mode for c in "wax+")
    return mode or ("w" if writes else "r"), writes


def passage(event, name, args):
    "What is done with paths: nothing to tell if it is the program's own, but that it has made it."
    if event == "open" and type(args[0]) is int:
        return None
    mode, writes = opened(args) if event == "open" else ("", event not in READS)
    given = words(args[: PATHS[event]], [])
    if event == "open" and not writes and given and given[0].startswith("/") and not exists(given[0]):
        at = there(given[0])  # what is below a folder that is open is heard from outside
        if (at + "/").startswith(OWN):
            return "absent file", [at]
    leads = [reached(event, path, writes) for path in given]
    if event == "os.symlink":
        leads, given = leads[1:], given[1:]  # what a link leads to is reached when it is followed
    leads = [at for at in leads if at is not None]
    if not leads:
        return "made" if writes else None, given
    if mode and os.path.isdir(leads[0]):
        name = "os.listdir"  # what is below it is reached by it
    return name, leads + ([mode] if mode else [])


def text(given, line, via, frame):
    """A text that is run as a program: by a line of the program, or by a library on a thread where there is none. A
    module that a library imports is its own."""
    if type(given) not in (str, bytes) or not line and not via:
        return ""
    while not line and frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return ""
        frame = frame.f_back
    return given if type(given) is str else given.decode("utf-8", "replace")


def who(frame, own):
    """The line of the program that is at work, the module of a library that does it for the program, and whether the
    program does it with its own hands. What stands in no file of a library is the program's, whatever it is called."""
    via, direct = None, True
    while frame is not None:
        at = frame.f_code.co_filename
        if own(at):
            return frame.f_lineno, via or "", direct
        library = at.startswith(LIBRARIES) or at.startswith("<frozen") or "rehearse" in at and at.startswith("/box/")
        direct = direct and not library
        if via is None and library and "rehearse" not in at and not at.startswith("<frozen"):
            if not at.startswith(STDLIB) or "-packages" in at:
                via = plain(frame.f_globals.get("__name__", "?")) or "?"
        frame = frame.f_back
    return 0, via or "", direct
