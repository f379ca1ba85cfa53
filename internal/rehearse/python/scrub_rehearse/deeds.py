# What a program does to the world, as the interpreter tells of it, in the words by which a reading knows it.
import os
import sys
import sysconfig

from .anything import ANYTHING

# Events by their first letters, and what a reading calls them.
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
    "os.setxattr": "os.setxattr",
    "shutil.rmtree": "shutil.rmtree",
    "shutil.move": "shutil.move",
    "shutil.copyfile": "shutil.copyfile",
    "shutil.copytree": "shutil.copytree",
    "subprocess.Popen": "subprocess.Popen",
    "pty.spawn": "pty.spawn",
    "socket.connect": "socket.socket.connect",
    "socket.bind": "socket.socket.bind",
    "socket.sendto": "socket.socket.sendto",
    "socket.sendmsg": "socket.socket.sendmsg",
    "socket.getaddrinfo": "socket.getaddrinfo",
    "socket.gethostbyname": "socket.gethostbyname",
    "socket.gethostbyaddr": "socket.gethostbyaddr",
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
    "pickle.find_class": "pickle.find_class",
    "sys.addaudithook": "sys.addaudithook",
    "sqlite3.enable_load_extension": "sqlite3.Connection.enable_load_extension",
    "sqlite3.load_extension": "sqlite3.Connection.enable_load_extension",
    "sqlite3.connect": "open",
    "code.__new__": "types.CodeType",
    "open": "open",
    "syslog.syslog": "syslog.syslog",
}
PATHS = {"open", "os.listdir", "os.scandir", "os.chdir", "os.remove", "os.rename", "os.rmdir", "os.chmod", "os.chown",
         "os.link", "os.symlink", "os.truncate", "os.mkdir", "shutil.rmtree", "shutil.move", "shutil.copyfile",
         "shutil.copytree"}
# Where every program reads, and its interpreter for it.
USUAL = tuple(
    {os.path.realpath(p) + "/" for p in (sys.prefix, sys.base_prefix, sys.exec_prefix) if p != "/usr"}
    | {p for p in (sysconfig.get_paths().get("stdlib", ""), sysconfig.get_paths().get("purelib", "")) if p}
) + (
    "/usr/lib/", "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
    "/etc/mime.types",
    "/etc/localtime", "/etc/os-release", "/usr/share/locale", "/proc/cpuinfo", "/proc/meminfo", "/proc/self/status",
    "/proc/self/cgroup", "/proc/self/fd", "/proc/self/statm", "/proc/stat", "/proc/mounts", "/sys/devices/system/",
    "/sys/fs/cgroup/", "/proc/sys/kernel/", "/dev/", "/usr/local/etc/mime.types", "/etc/httpd/", "/etc/apache",
    "/box/", "/usr/share/fonts", "/usr/local/share/fonts", "/etc/ssl/", "/proc/driver/", "/sys/bus/pci/",
)
STDLIB = os.path.dirname(os.__file__) + "/"


def words(values, found):
    "The texts in what an event comes with."
    for v in values:
        if len(found) >= 20:
            break
        if isinstance(v, (bytes, bytearray)):
            found.append(bytes(v[:300]).decode("latin-1"))
        elif isinstance(v, str):
            found.append(v[:300])
        elif isinstance(v, (list, tuple)):
            words(v, found)
        elif isinstance(v, dict):
            words(v.items(), found)
        elif v is ANYTHING:
            found.append("anything")
        elif hasattr(v, "__fspath__") and type(v).__module__ == "pathlib":
            found.append(str(v)[:300])
    return found


def deed(event, args):
    "The name and the texts of what a program is about to do, or nothing."
    name = TOLD[event]
    if event == "pickle.find_class":
        return ".".join(args), []
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if not isinstance(address, tuple):
            return None  # a socket in a folder
        return name, words(address[:1], [])
    if event == "open":
        path, mode = args[0], args[1] or ("w" if args[2] & 3 else "r")
        if not isinstance(path, (str, bytes)):
            return None
        args = (path, mode)
    if event in PATHS:
        texts = [there(t) for t in words(args, [])]
        if texts and all(usual(t) for t in texts[:2]):
            return None
        if event == "open" and os.path.isdir(texts[0]):
            name = "os.listdir"  # what is below it is reached by it
        return name, texts
    if event in ("os.kill", "os.killpg") and args[0] > 1 and args[0] != os.getppid():
        return None  # a child of its own: there is nobody else
    if event == "subprocess.Popen":
        args = (args[1],)  # what is run, without the environment
    return name, words(args, [])


def there(path):
    "A path as it is reached from the folder that programs begin in; a mode stays as it is."
    if path.startswith("/") or len(path) <= 3:
        return path
    at = os.path.normpath(os.path.join(os.getcwd(), path))
    return path if (at + "/").startswith("/box/") else at


def usual(path):
    "Whether every program reads there; a mode is no path."
    if not path.startswith("/"):
        return len(path) <= 3
    return (os.path.normpath(path) + "/").startswith(USUAL)


def who(frame, own):
    """The line of the program that is at work, the module of a library that does it for the program, and whether the
    program does it with its own hands. What stands in no file of a library is the program's."""
    via, direct = None, True
    while frame is not None:
        at = frame.f_code.co_filename
        if own(at):
            return frame.f_lineno, via or "", direct
        direct = direct and at.startswith("<") and not at.startswith("<frozen")
        if via is None and not at.startswith(STDLIB) or "site-packages" in at and via is None:
            if not at.startswith("<frozen") and not at.startswith("<string") and "rehearse" not in at:
                via = str(frame.f_globals.get("__name__", "?"))
        frame = frame.f_back
    return 0, via or "", direct
