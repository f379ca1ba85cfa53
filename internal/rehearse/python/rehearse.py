# Goes through a program under the eyes of the interpreter, and tells what it does.
#
# rehearse.txt says how: "as it is" or "forced", the statements to leave out, a
# word that the program cannot guess, which begins each line of what is told, and
# the names of what is worth telling when it is called.
import _thread
import ast
import atexit
import builtins
import json
import os
import shutil
import sys
import time
from importlib.machinery import SourceFileLoader

from scrub_rehearse import deeds, forcing, marking, turns
from scrub_rehearse.anything import ANYTHING

SCRIPT = os.path.abspath("repro.py")
MOST = 3000  # things that are told
SHOWN, TRUTHS = (str, bool, int, float), (bool, float)
RAW = (bytes, bytearray, memoryview)
MOST_TEXT = 200000  # characters of texts that are run, in all


def telling(word):
    "Tells lines that a program can neither forge nor hold back; what it prints goes where errors go."
    out = os.dup(1)
    there = os.fstat(out)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    write, fstat, leave, dumps, reach = os.write, os.fstat, os._exit, json.dumps, os.open
    told = set()

    def tell(*what):
        line = (word + dumps(what) + "\n").encode()
        if line in told:
            return
        if len(told) > MOST:
            leave(97)  # nobody would see the rest
        told.add(line)
        try:
            now = fstat(out)
            held = (now.st_dev, now.st_ino) == (there.st_dev, there.st_ino)
            while held and line:
                line = line[write(out, line):]
        except BaseException:
            held = False
        if not held:
            try:
                reach("/kept from telling", 0)  # is heard from outside
            except OSError:
                pass
            leave(97)

    return tell


def watching(tell):
    "Has the interpreter say what is done."
    known, frame, deed, who, me = dict(deeds.TOLD), sys._getframe, deeds.deed, deeds.who, _thread.get_ident
    ours = ("/box/rehearse.py", "/box/scrub_rehearse/")
    busy, room, quiet = set(), [MOST_TEXT], frozenset(deeds.QUIET)

    def own(at):
        return at == SCRIPT or at.startswith("/box/") and not at.startswith(ours)

    def hook(event, args):
        if event not in known and event != "compile" or me() in busy:
            return
        busy.add(me())
        try:
            line, via, direct = who(frame(1), own)
            if event == "compile":
                text = deeds.text(args[0], line, via, frame(1))
                if text:
                    room[0] -= len(text)
                    tell("runs", line, text[:20000] if room[0] > 0 else "...", via)
                return
            found = deed(event, args, frame(1))
            if found is None or found[0] is None or event == "code.__new__" and not direct:
                return
            if found[0] == "made":
                tell("made", found[1])
            elif direct or event not in quiet:
                tell("did", line, found[0], found[1], via)
        except BaseException:
            tell("did", 0, "unknown." + event, [], "")
        finally:
            busy.discard(me())

    return hook


def owning(tell):
    "Has what turns bytes into objects say so, unless the program has made these bytes itself."
    made, watched = set(), {}

    def makes(f):
        def call(*args, **names):
            got = f(*args, **names)
            if type(got) is bytes:
                made.add(hash(got))
            return got

        return call

    def takes(f, name, line):
        def call(*args, **names):
            data = args[0] if args else None
            if data is ANYTHING or type(data) in RAW and hash(bytes(data)) not in made:
                tell("did", line, name, ["foreign bytes"], "")
            return f(*args, **names)

        return call

    def bytes_of(f):
        module = sys.modules.get(getattr(f, "__module__", None) or "")
        name, of = getattr(f, "__name__", ""), getattr(module, "__name__", "").lstrip("_")
        return of + "." + name if name in ("dumps", "loads") and of in ("pickle", "marshal") else ""

    def call(at, f):
        name = bytes_of(f)
        if name:
            return makes(f) if name.endswith("dumps") else takes(f, name, at[0])
        return f

    return call


def plain(value):
    if issubclass(type(value), type):
        return "%s.%s" % (type.__getattribute__(value, "__module__").split(".")[0], value.__name__)
    return bool(value) if type(value) is float else value


def naming(tell, names, inner):
    "Has what the profile knows by name say so when it is called, under whatever name, and what it is given."
    found, seen, modules, words = {}, [0], sys.modules, deeds.words

    def look():
        seen[0] = len(modules)
        for name in names:
            parts = name.split(".")
            for n in range(len(parts) - 1, -1, -1):
                at = builtins if n == 0 else modules.get(".".join(parts[:n]))
                if at is None:
                    continue
                for part in parts[n:]:
                    at = getattr(at, part, None)
                if callable(at):
                    found.setdefault(id(at), (name, at))
                break

    def call(at, f):
        if len(modules) != seen[0]:
            look()
        mine = inner(at, f)
        one = found.get(id(f))
        if one is None or mine is not f:
            return mine

        def told(*args, **kept):
            given = words(args, [])
            for i, a in enumerate(args):
                if type(a) in TRUTHS or issubclass(type(a), type):
                    given.append("arg%d=%s" % (i, plain(a)))
            for k, v in kept.items():
                if type(v) in SHOWN or issubclass(type(v), type):
                    given.append("%s=%s" % (k, plain(v)))
            tell("did", at[0], one[0], given, "")
            return f(*args, **kept)

        return told if not isinstance(f, type) else f

    look()
    return call


def helpers(secret, tell, take, skip, watched):
    def at(i):
        tell("at", i)
        return i not in skip

    def failed():
        error = sys.exc_info()[1]
        if sys.excepthook is not sys.__excepthook__:
            try:
                sys.excepthook(type(error), error, None)
            except Exception:
                pass

    call = naming(tell, watched, owning(tell))
    given = {"at": at, "failed": failed, "anything": ANYTHING, "raised": turns.raised(), "call": call}
    for name in ("sides", "some", "either", "each", "yes", "second", "failure", "enter", "entered", "kept"):
        given[name] = getattr(take, name)
    for name, value in given.items():
        setattr(builtins, secret + name, value)


def load(how, secret):
    with open(SCRIPT, "rb") as f:
        tree = ast.parse(f.read(), SCRIPT)
    for n in ast.walk(tree):
        if isinstance(n, ast.Name) and n.id.startswith("_scrub_"):
            n.id = "_" + n.id  # is no helper
    sys.setrecursionlimit(max(5000, sys.getrecursionlimit()))
    marks = forcing.Forced() if how == "forced" else marking.Marked()
    tree = marking.program(tree, marks)
    for n in ast.walk(tree):
        if isinstance(n, ast.Name) and n.id.startswith("_scrub_"):
            n.id = secret + n.id[7:]
    code = compile(tree, SCRIPT, "exec", dont_inherit=True)
    sys.setrecursionlimit(1000)
    return code


def begin():
    with open("rehearse.txt") as f:
        how, skip, word, watched = f.read().split("\n")
    for name in ("rehearse.txt", "rehearse.py"):
        os.remove(name)
    shutil.rmtree("scrub_rehearse")
    tell = telling(word)
    atexit.register(tell, "end")
    secret = "_" + word[:12].lower() + "_"
    code = load(how, secret)
    take = turns.Turns()
    main = type(sys)("__main__")
    loader = SourceFileLoader("__main__", SCRIPT)
    vars(main).update(__file__=SCRIPT, __builtins__=builtins, __loader__=loader, __cached__=None, __annotations__={})
    helpers(secret, tell, take, set(map(int, skip.split())), watched.split())
    if how == "forced":
        time.sleep = lambda *some: None
    sys.argv[:] = ["repro.py"]
    for name in [n for n in sys.modules if n.split(".")[0] == "scrub_rehearse"]:
        del sys.modules[name]
    sys.modules["__main__"] = main
    tell("begin")
    hook = watching(tell)
    return code, vars(main), hook, (lambda: take.rest(vars(main))) if how == "forced" else None


def run(code, names):
    exec(code, names)


def go():
    code, names, hook, rest = begin()
    if not hasattr(sys, "addaudithook"):
        return
    sys.addaudithook(hook)
    del hook
    import gc

    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()
    try:
        run(code, names)
    finally:
        if rest is not None:
            rest()


go()
