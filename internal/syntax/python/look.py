"""Runs the program subject.py once and tells what a reducer wants to know
before it cuts. The file look.txt says what to look for: "frames" for the lines
that ran and the calls that failed, "values" for expressions that never vary,
"kin" for what makes it the same bug, "replay" for that and what it does in a
straight line, "again" for that and all that was asked, as a program; and how
many seconds to wait for a program that does not end, and a password. The answer
is the last line that begins with it, in JSON.
"""

import ast
import faulthandler
import os
import sys
import threading
import types

from scrub_look import again, kin, lines, watching
from scrub_look.lifting import lifts, locals_of
from scrub_look.recording import Record
from scrub_look.subject import SCRIPT, Source, load, program
from scrub_look.tracing import Tracer

with open("look.txt") as f:
    WHAT, PATIENCE, password = f.read().split()
os.remove("look.txt")  # the program must not answer in our place
PATIENCE = float(PATIENCE)
load()
watching.begin(password)
del password
recorded = None


def waited(main):
    """The program does not end: tell where it is."""
    watching.telling()
    frames = watching.own_frames(sys._current_frames().get(main))
    watching.tell(frames=locals_of(frames), lifts=lifts(frames) + straight(None), raised=False, kin=kin_of(None))
    os._exit(0)


def straight(e):
    """Programs that do what this one did, in straight lines."""
    if WHAT != "replay":
        return []
    return lines.lines(recorded, Source(program.text), e)


def kin_of(e):
    """What makes it the same bug."""
    if recorded is None:
        return None
    try:
        found = kin.kin(recorded, e)
        if WHAT == "again":
            found["again"] = again.again(recorded, e, False)
            found["plain"] = again.again(recorded, e, True)
        return found
    except Exception:
        return None  # what cannot be told is not held


def stage():
    """The program's own module, and its name where programs look for it."""
    sys.modules["look"] = sys.modules["__main__"]
    sys.modules["__main__"] = scope = types.ModuleType("__main__")
    scope.__dict__.update(__file__=SCRIPT, __builtins__=__builtins__)
    sys.argv = [SCRIPT]
    sys.path[0] = os.getcwd()
    return scope


def main():
    watching.watched(PATIENCE)
    stack = open("stack.txt", "w")
    faulthandler.enable(stack)
    tree, scope = ast.parse(program.text), stage()
    if WHAT in ("kin", "again", "replay"):
        global recorded
        recorded = Record()
        recorded.tags = WHAT == "again"
        tree = ast.fix_missing_locations(Tracer().visit(tree))
        scope.__dict__.update(lines.hooks(recorded))
    if WHAT == "values" and sys.version_info >= (3, 8):
        tree = ast.fix_missing_locations(watching.Recorder().visit(tree))
        scope.__dict__["__scrub__"] = watching.record
    code = compile(tree, SCRIPT, "exec", dont_inherit=True)
    if PATIENCE:
        timer = threading.Timer(PATIENCE, waited, [threading.get_ident()])
        timer.daemon = True
        timer.start()
    if WHAT == "frames":
        watching.trace_lines()
    if recorded is not None:
        sys.setprofile(recorded.profile)
    try:
        exec(code, scope.__dict__)
    except BaseException as e:
        sys.settrace(None)
        sys.setprofile(None)
        frames, tb = [], e.__traceback__.tb_next
        while tb is not None:
            frames.append((tb.tb_frame, tb.tb_lasti, tb.tb_lineno))
            tb = tb.tb_next
        found = lifts(frames) if WHAT == "frames" else straight(e)
        watching.tell(frames=locals_of(frames), lifts=found, raised=True, kin=kin_of(e))
    else:
        sys.settrace(None)
        sys.setprofile(None)
        watching.tell(frames=[], lifts=straight(None), raised=False, kin=kin_of(None))
    os._exit(0)


main()
