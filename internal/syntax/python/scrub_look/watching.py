"""What a run shows: lines that ran, values of expressions, and how to tell of it."""

import ast
import json
import os
import re
import signal
import sys
import time

from .lifting import at_hand, missing
from .showing import Needs, show
from .subject import SCRIPT, program, Source
from .tracing import Inside



class answer:
    begin = None  # gives the word that an answer begins with
    out = None  # what the program does to its own output is no matter
    trail = seen = None  # what is left if the program dies


def begin(password):
    """Makes ready for a run."""
    answer.begin = teller(password)
    answer.out = os.dup(1)
    answer.trail = os.open("trail.txt", os.O_RDWR | os.O_CREAT)
    answer.seen = os.open("seen.txt", os.O_RDWR | os.O_CREAT)


class Recorder(Inside):
    """Lets every expression pass by __scrub__, which keeps its value."""

    KINDS = (
        ast.Name,
        ast.Attribute,
        ast.Call,
        ast.Subscript,
        ast.BinOp,
        ast.Compare,
        ast.IfExp,
        ast.BoolOp,
        ast.UnaryOp,
        ast.ListComp,
        ast.SetComp,
        ast.DictComp,
    )

    def visit(self, n):
        if isinstance(n, ast.JoinedStr) or type(n).__name__ == "match_case":
            return n
        key = None
        if isinstance(n, self.KINDS) and isinstance(getattr(n, "ctx", ast.Load()), ast.Load):
            key = (n.lineno, n.col_offset, n.end_lineno, n.end_col_offset)
        n = self.generic_visit(n)
        if key is None:
            return n
        return ast.copy_location(
            ast.Call(ast.Name("__scrub__", ast.Load()), [ast.Tuple([ast.Constant(x) for x in key], ast.Load()), n], []),
            n,
        )

    def visit_AugAssign(self, n):
        n.value = self.visit(n.value)
        return n


values, kinds = {}, {}


def record(key, v):
    kind = "%s.%s" % (type(v).__module__, type(v).__qualname__)
    kinds[key] = kind if kinds.get(key, kind) == kind else None
    if values.get(key, 0) is not None:
        try:
            needs = Needs()
            text = show(v, needs, True)
            if not at_hand(needs) or len(text) > 60:
                text = None
        except Exception:
            text = None
        text = text if values.get(key, text) == text else None
        if values.get(key, missing) != text:
            values[key] = text
            os.write(answer.seen, (json.dumps([key, text, kinds[key]]) + "\n").encode())
    return v


ran = set()


def came(line):
    if line not in ran:
        ran.add(line)
        os.write(answer.trail, b"%d\n" % line)


def trace(frame, event, arg):
    if frame.f_code.co_filename != SCRIPT:
        return None
    came(frame.f_lineno)

    def inside(frame, event, arg):
        came(frame.f_lineno)
        return inside

    return inside


def trace_lines():
    """Notes every line of the program that runs: where the interpreter can be told so, only the first time."""
    if not hasattr(sys, "monitoring"):
        sys.settrace(trace)
        return
    watch = sys.monitoring
    for tool in range(6):
        if watch.get_tool(tool) is None:
            break
    watch.use_tool_id(tool, "scrub")

    def line(code, number):
        if code.co_filename == SCRIPT:
            came(number)
        return watch.DISABLE

    watch.register_callback(tool, watch.events.LINE, line)
    watch.set_events(tool, watch.events.LINE)


def own_frames(frame):
    """The frames of a stack, outermost first, from the program's own on."""
    all = []
    while frame is not None:
        all.append((frame, frame.f_lasti, frame.f_lineno))
        frame = frame.f_back
    all.reverse()
    first = next((i for i, f in enumerate(all) if f[0].f_code.co_filename == SCRIPT), len(all))
    return all[first:]


def teller(password):
    "Begins an answer: with the word that Go has given, which no other name here stands for."
    return lambda: password


def tell(**found):
    found["lines"] = sorted(ran)
    source = Source(program.text)
    found["values"] = [
        [source.starts[k[0] - 1] + k[1], source.starts[k[2] - 1] + k[3], v or "", kinds.get(k) or ""]
        for k, v in values.items()
    ]
    out = os.fdopen(os.dup(answer.out), "w")
    out.write("\n" + answer.begin() + json.dumps(found) + "\n")
    out.close()


def watched(patience):
    """Goes on in a child; if that dies, or does not answer, tells what it left behind."""
    child = os.fork()
    if not child:
        return
    status = awaited(child, patience)
    if os.WIFSIGNALED(status):
        os.lseek(answer.trail, 0, os.SEEK_SET)
        ran.update(int(x) for x in os.read(answer.trail, 1 << 20).split())
        with open("seen.txt") as f:
            for key, text, kind in map(json.loads, f):
                values[tuple(key)], kinds[tuple(key)] = text, kind
        with open("stack.txt") as f:
            found = re.findall(r'File "(.*)", line (\d+) in (.*)', f.read())
        tell(
            frames=[
                {"func": name, "line": int(line), "locals": {}}
                for file, line, name in reversed(found)
                if file == SCRIPT
            ],
            lifts=[],
            raised=False,
            kin=None,
        )
    os._exit(0)


def telling():
    """Says that an answer is on its way."""
    open("telling", "w").close()


def awaited(child, patience):
    """How the child ended. One that has lost its patience and cannot say so is made to say where it is."""
    began = time.monotonic()
    while patience and (time.monotonic() - began < 2 * patience or os.path.exists("telling")):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.01)
    if patience:
        os.kill(child, signal.SIGABRT)
    return os.waitpid(child, 0)[1]
