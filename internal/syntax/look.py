"""Runs the program subject.py once and tells what a reducer wants to know
before it cuts. The file look.txt says what to look for: "frames" for the lines
that ran and the calls that failed, "values" for expressions that never vary,
"replay" for what it asked of its libraries; and how many seconds to wait for a program that does not end, and a
password. The answer is the last line that begins with it, in JSON.
"""
import ast
import faulthandler
import io
import json
import os
import re
import sys
import threading
import types

import replay  # which lies beside it

SCRIPT = os.path.abspath("subject.py")
with open("look.txt") as f:
    WHAT, PATIENCE, password = f.read().split()
os.remove("look.txt")  # the program must not answer in our place
PATIENCE = float(PATIENCE)
with open(SCRIPT, encoding="utf-8") as f:
    TEXT = f.read()
LONGEST = 160  # characters of one value
MANY = 12      # elements of one value
missing = object()
OUT = os.dup(1)  # what the program does to its own output is no matter
TRAIL = os.open("trail.txt", os.O_RDWR | os.O_CREAT)  # what is left if the program dies
SEEN = os.open("seen.txt", os.O_RDWR | os.O_CREAT)


KNOWN = {}  # functions by where the program found them


class Cannot(Exception):
    """A value that no expression is known for."""


class Source:
    """The text of a file, to cut expressions out of by what the parser says."""

    def __init__(self, text):
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.data.splitlines(True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, n):
        return self.starts[n.lineno - 1] + n.col_offset, self.starts[n.end_lineno - 1] + n.end_col_offset

    def text(self, start, end):
        return self.data[start:end].decode()


class Needs:
    """What must stand above a lifted expression."""

    def __init__(self):
        self.imports, self.names = set(), set()


def show(v, needs, exact, depth=0):
    """An expression for a value, or Cannot."""
    t = type(v)
    if v is None or v is Ellipsis or t in (bool, int):
        return repr(v) if t is not int or abs(v) < 10 ** 30 else cannot()
    if t is float:
        return repr(v) if v == v and abs(v) != float("inf") else "float(%r)" % repr(v)
    if t is complex:
        return repr(v)
    if t in (str, bytes):
        return repr(v) if len(v) <= LONGEST else cannot()
    if depth > 3:
        cannot()
    if t in (tuple, list, set, frozenset) and len(v) <= MANY:
        parts = [show(x, needs, exact, depth + 1) for x in v]
        if t is tuple:
            return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
        if t is list:
            return "[" + ", ".join(parts) + "]"
        inner = "{" + ", ".join(parts) + "}" if parts else "set()"
        return inner if t is set else "frozenset(%s)" % (inner if parts else "")
    if t is dict and len(v) <= MANY:
        return "{" + ", ".join(show(k, needs, exact, depth + 1) + ": " + show(x, needs, exact, depth + 1) for k, x in v.items()) + "}"
    if t in (range, slice):
        return repr(v)
    top = (t.__module__ or "").split(".")[0]
    special = {"torch": show_torch, "numpy": show_numpy, "sympy": show_sympy, "pandas": show_pandas}.get(top)
    if special:
        found = special(v, needs, exact, depth)
        if found is not None:
            return found
    if isinstance(v, (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType)):
        return show_named(v, needs)
    return show_repr(v, needs)


def cannot():
    raise Cannot


def show_named(v, needs):
    """A module, class or function by where it can be imported from."""
    if isinstance(v, types.ModuleType):
        if v.__name__ == "__main__":
            cannot()
        needs.imports.add("import " + v.__name__)
        return v.__name__
    module, name = getattr(v, "__module__", None), getattr(v, "__qualname__", "")
    if id(v) not in KNOWN and (not module or "." in name or "<" in name):
        cannot()
    if module == "__main__":
        if sys.modules["__main__"].__dict__.get(name) is not v:
            cannot()
        needs.names.add(name)
        return name
    if id(v) in KNOWN:
        _, path, name = KNOWN[id(v)]
        needs.imports.add("import " + path)
        return path + "." + name
    # The shortest path that leads there is the public one.
    parts = module.lstrip("_").split(".")
    for n in range(1, len(parts) + 1):
        path = ".".join(parts[:n])
        if any(p.startswith("_") for p in parts[:n]):
            continue
        if getattr(sys.modules.get(path), name, None) is v:
            if path == "builtins":
                return name
            needs.imports.add("import " + path)
            return path + "." + name
    for own in list(sys.modules["__main__"].__dict__.values()):  # as the program has it
        if isinstance(own, types.ModuleType) and "." not in own.__name__ and getattr(own, name, None) is v:
            needs.imports.add("import " + own.__name__)
            return own.__name__ + "." + name
    cannot()


def show_repr(v, needs):
    """A value whose own repr makes it again."""
    t = type(v)
    text = repr(v)
    if len(text) > LONGEST or "\n" in text or "<" in text:
        cannot()
    top = t.__module__.split(".")[0]
    if t.__module__ == "__main__":
        scope, add = dict(sys.modules["__main__"].__dict__), None
        needs_name = t.__name__
    elif text.startswith(top + "."):
        scope, add = {top: sys.modules[top]}, "import " + top
        needs_name = None
    else:
        scope, add = {t.__name__: t}, "from %s import %s" % (t.__module__, t.__name__)
        needs_name = None
    try:
        again = eval(text, scope)
        if type(again) is not t or not bool(again == v):
            cannot()
    except Exception:
        cannot()
    if add:
        needs.imports.add(add)
    if needs_name:
        needs.names.add(needs_name)
    return text


def show_torch(v, needs, exact, depth):
    import torch
    needs.imports.add("import torch")
    if isinstance(v, torch.Size):
        return show(tuple(v), needs, exact, depth)
    if isinstance(v, torch.dtype):
        return repr(v)
    if isinstance(v, torch.device):
        return "torch.device(%r)" % str(v)
    if isinstance(v, torch.Tensor):
        if type(v) not in (torch.Tensor, torch.nn.Parameter) or v.layout is not torch.strided:
            cannot()
        extra = "" if v.dtype is torch.float32 else ", dtype=%r" % v.dtype
        if v.device.type != "cpu":
            extra += ", device=%r" % v.device.type
        if v.requires_grad and v.is_leaf and type(v) is torch.Tensor:
            extra += ", requires_grad=True"
        if exact and v.numel() <= MANY and not v.is_complex():
            return "torch.tensor(%r%s)" % (v.detach().tolist(), extra if v.dtype not in (torch.int64, torch.bool) else extra.replace(", dtype=%r" % v.dtype, ""))
        text = "torch.ones(%s%s)" % (", ".join(map(str, v.shape)) or "()", extra)
        return "torch.nn.Parameter(%s)" % text if type(v) is torch.nn.Parameter else text
    if isinstance(v, torch.nn.Module) and type(v).__module__.startswith("torch.nn.modules"):
        name = "torch.nn." + type(v).__name__
        if type(v).__name__ in ("Sequential", "ModuleList"):
            inner = ", ".join(show_torch(c, needs, exact, depth) or cannot() for c in v)
            return name + ("(%s)" if name.endswith("Sequential") else "([%s])") % inner
        text = repr(v)
        if "\n" in text:
            cannot()
        p = next(v.parameters(), None)
        return "torch.nn." + text + ("" if p is None or p.dtype is torch.float32 else ".to(%r)" % p.dtype)
    return None


def show_numpy(v, needs, exact, depth):
    import numpy
    if isinstance(v, numpy.ndarray) and type(v) is numpy.ndarray and v.dtype.names is None:
        needs.imports.add("import numpy as np")
        kind = "" if v.dtype in (numpy.float64,) else ", dtype=%s" % (repr(v.dtype.name) if v.dtype.kind not in "US" else repr(v.dtype.str))
        if (exact or v.dtype.kind not in "fiub") and v.size <= MANY:
            if v.dtype == numpy.int64 or v.dtype == bool:
                kind = ""
            return "np.array(%s%s)" % (show(v.tolist(), needs, exact, depth), kind)
        if v.dtype.kind not in "fiub":
            cannot()
        return "np.ones(%s%s)" % (v.shape[0] if v.ndim == 1 else tuple(v.shape), kind)
    if isinstance(v, numpy.dtype):
        needs.imports.add("import numpy as np")
        return "np.dtype(%r)" % v.str
    if isinstance(v, numpy.generic):
        needs.imports.add("import numpy as np")
        return "np.%s(%s)" % (type(v).__name__, show(v.item(), needs, exact, depth))
    return None


def show_sympy(v, needs, exact, depth):
    import sympy
    if not isinstance(v, (sympy.Basic, sympy.MatrixBase)):
        return None
    text = sympy.srepr(v)
    if len(text) > 8 * LONGEST:
        cannot()
    try:
        if eval(text, dict(vars(sympy))) != v:
            cannot()
    except Exception:
        cannot()
    needs.imports.add("from sympy import *")
    return text


def show_pandas(v, needs, exact, depth):
    import pandas
    needs.imports.add("import pandas as pd")
    if isinstance(v, pandas.DataFrame) and v.size <= 2 * MANY and type(v.index) is pandas.RangeIndex:
        return "pd.DataFrame(%s)" % show({k: v[k].tolist() for k in v.columns}, needs, exact, depth)
    if isinstance(v, pandas.Series) and v.size <= 2 * MANY and type(v.index) is pandas.RangeIndex:
        return "pd.Series(%s)" % show(v.tolist(), needs, exact, depth)
    if isinstance(v, (pandas.Timestamp, pandas.Timedelta)):
        return "pd." + repr(v)
    return None


PURE = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.Slice, ast.UnaryOp, ast.expr_context, ast.unaryop)
OPAQUE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Await, ast.Yield, ast.YieldFrom, getattr(ast, "NamedExpr", ast.Lambda))


class Lift:
    """An expression of a frame, made to stand alone."""

    def __init__(self, frame, source, exact):
        self.frame, self.source, self.exact, self.needs = frame, source, exact, Needs()

    def value(self, n):
        if not all(isinstance(x, PURE) for x in ast.walk(n)):
            return missing
        try:
            return eval(compile(ast.Expression(n), "<lift>", "eval"), self.frame.f_globals, self.frame.f_locals)
        except BaseException:
            return missing

    def text(self, n):
        start, end = self.source.span(n)
        if isinstance(n, ast.Constant):
            return self.source.text(start, end)
        v = self.value(n)
        if v is not missing:
            try:
                return show(v, self.needs, self.exact)
            except Cannot:
                if isinstance(n, ast.Name):
                    raise
        if isinstance(n, OPAQUE) or isinstance(n, ast.Name):
            cannot()
        out, at = [], start
        kids = sorted((k for k in ast.iter_child_nodes(n) if isinstance(k, (ast.expr, ast.keyword))), key=lambda k: self.source.span(k if isinstance(k, ast.expr) else k.value))
        for k in kids:
            k = k if isinstance(k, ast.expr) else k.value
            if isinstance(k, ast.Slice) or isinstance(n, ast.JoinedStr):
                cannot()
            s, e = self.source.span(k)
            new = self.text(k)
            if isinstance(n, (ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript)) and (new.startswith("-") or " " in new and not new.endswith((")", "]", "}"))):
                new = "(" + new + ")"
            out += [self.source.text(at, s), new]
            at = e
        return "".join(out) + self.source.text(at, end)

    def program(self, expression):
        """The expression below all that it needs."""
        return "\n".join(above(self.needs) + [expression]) + "\n"


def above(needs):
    """The lines that an expression needs above it: imports, and the program's own definitions."""
    lines = sorted(needs.imports)
    if needs.names:
        lines += definitions(needs.names)
    return lines


def bound(n):
    names = set()
    for x in ast.walk(n):
        if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load):
            names.add(x.id)
        elif isinstance(x, ast.alias):
            names.add((x.asname or x.name).split(".")[0])
    if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        return {n.name}
    return names


def definitions(names):
    """The statements of the program that bind names, with all these need."""
    body, wanted, chosen = ast.parse(TEXT).body, set(names), set()
    changed = True
    while changed:
        changed = False
        for i, n in enumerate(body):
            if i in chosen or not bound(n) & wanted or isinstance(n, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                continue
            chosen.add(i)
            wanted |= {x.id for x in ast.walk(n) if isinstance(x, ast.Name)}
            changed = True
    starts = [min([n.lineno] + [d.lineno for d in getattr(n, "decorator_list", [])]) - 1 for n in body] + [None]
    text = TEXT.splitlines()
    return ["\n".join(text[starts[i]:starts[i + 1]]).rstrip() for i in sorted(chosen)]


def position(frame, lasti):
    """Where the failing expression of a frame stands: lines and columns, if the interpreter says."""
    if hasattr(frame.f_code, "co_positions"):
        found = list(frame.f_code.co_positions())[lasti // 2]
        if None not in found:
            return found
    return None


def failing(source, frame, lasti, line):
    """The expressions of a frame that may be the failing one, the likeliest first."""
    at = position(frame, lasti)
    if sys.version_info < (3, 8):
        return []  # it does not say where things end
    nodes = [n for n in ast.walk(source.tree) if isinstance(n, ast.expr)]
    if at:
        return [n for n in nodes if (n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) == at][:1]
    kinds = (ast.Call, ast.BinOp, ast.Subscript, ast.Compare, ast.Attribute, ast.UnaryOp)
    there = [n for n in nodes if isinstance(n, kinds) and n.lineno <= line <= n.end_lineno and isinstance(getattr(n, "ctx", ast.Load()), ast.Load)]
    return sorted(there, key=lambda n: source.span(n)[0] - source.span(n)[1])[:4]


def call_again(frame, exact):
    """A call of the frame's function with the arguments that it has."""
    code, needs = frame.f_code, Needs()
    if code.co_name.startswith("<") or code.co_flags & 0x0C:
        cannot()
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    own = sys.modules["__main__"].__dict__.get(code.co_name)
    if getattr(own, "__code__", None) is not code:
        cannot()
    needs.names.add(code.co_name)
    args = [(n if i >= code.co_argcount else "") + ("=" if i >= code.co_argcount else "") + show(frame.f_locals[n], needs, exact) for i, n in enumerate(names)]
    return "\n".join(above(needs) + ["%s(%s)" % (code.co_name, ", ".join(args))]) + "\n"


def lifts(frames):
    """Programs that make the failing call alone, for every frame."""
    all, sources = [], {}
    for depth, (frame, lasti, line) in enumerate(frames):
        name = frame.f_code.co_filename
        own = name == SCRIPT
        if name not in sources:
            try:
                sources[name] = Source(TEXT if own else io.open(name, encoding="utf-8").read())
            except Exception:
                sources[name] = None
        source = sources[name]
        if source is None:
            continue
        for exact in (False, True):
            for n in failing(source, frame, lasti, line):
                try:
                    lift = Lift(frame, source, exact)
                    all.append({"depth": depth, "own": own, "text": lift.program(lift.text(n))})
                except Exception:
                    pass
            if own:
                try:
                    all.append({"depth": depth, "own": own, "text": call_again(frame, exact)})
                except Exception:
                    pass
    return all


def at_hand(needs):
    """Whether the program has all that a value needs, under the same names."""
    scope = sys.modules["__main__"].__dict__
    for line in needs.imports:
        words = line.split()
        if words[0] != "import" or scope.get(words[-1].split(".")[0]) is not sys.modules.get(words[-1] if len(words) == 2 and "." not in words[1] else words[1].split(".")[0]):
            return False
    return not needs.names


def locals_of(frames):
    """What the names of the program's own frames stand for."""
    all = []
    for frame, _, line in frames:
        if frame.f_code.co_filename != SCRIPT:
            continue
        values = {}
        for name, v in list(frame.f_locals.items()):
            try:
                needs = Needs()
                text = show(v, needs, True)
                if at_hand(needs) and not name.startswith("__"):
                    values[name] = text
            except Exception:
                pass
        all.append({"func": frame.f_code.co_name, "line": line, "locals": values})
    return all


class Recorder(replay.Inside):
    """Lets every expression pass by __scrub__, which keeps its value."""
    KINDS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.Compare, ast.IfExp, ast.BoolOp, ast.UnaryOp, ast.ListComp, ast.SetComp, ast.DictComp)

    def visit(self, n):
        if isinstance(n, ast.JoinedStr) or type(n).__name__ == "match_case":
            return n
        key = None
        if isinstance(n, self.KINDS) and isinstance(getattr(n, "ctx", ast.Load()), ast.Load):
            key = (n.lineno, n.col_offset, n.end_lineno, n.end_col_offset)
        n = self.generic_visit(n)
        if key is None:
            return n
        return ast.copy_location(ast.Call(ast.Name("__scrub__", ast.Load()), [ast.Tuple([ast.Constant(x) for x in key], ast.Load()), n], []), n)

    def visit_AugAssign(self, n):
        n.value = self.visit(n.value)
        return n


values, kinds = {}, {}


def record(key, v):
    kind = type(v).__module__ + "." + type(v).__qualname__
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
            os.write(SEEN, (json.dumps([key, text, kinds[key]]) + "\n").encode())
    return v


ran = set()


def came(line):
    if line not in ran:
        ran.add(line)
        os.write(TRAIL, b"%d\n" % line)


def trace(frame, event, arg):
    if frame.f_code.co_filename != SCRIPT:
        return None
    came(frame.f_lineno)

    def inside(frame, event, arg):
        came(frame.f_lineno)
        return inside
    return inside


def watched():
    """Goes on in a child; if that dies, tells what it left behind."""
    child = os.fork()
    if not child:
        return
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        os.lseek(TRAIL, 0, os.SEEK_SET)
        ran.update(int(x) for x in os.read(TRAIL, 1 << 20).split())
        with open("seen.txt") as f:
            for key, text, kind in map(json.loads, f):
                values[tuple(key)], kinds[tuple(key)] = text, kind
        with open("stack.txt") as f:
            found = re.findall(r'File "(.*)", line (\d+) in (.*)', f.read())
        tell(frames=[{"func": name, "line": int(line), "locals": {}} for file, line, name in reversed(found) if file == SCRIPT], lifts=[], raised=False)
    os._exit(0)


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


begin = teller(password)
del password


def tell(**found):
    found["lines"] = sorted(ran)
    source = Source(TEXT)
    found["values"] = [[source.starts[k[0] - 1] + k[1], source.starts[k[2] - 1] + k[3], v or "", kinds.get(k) or ""] for k, v in values.items()]
    out = os.fdopen(os.dup(OUT), "w")
    out.write("\n" + begin() + json.dumps(found) + "\n")
    out.close()


def waited(main):
    """The program does not end: tell where it is."""
    frames = own_frames(sys._current_frames().get(main))
    tell(frames=locals_of(frames), lifts=lifts(frames) + straight(None), raised=False)
    os._exit(0)


recorded = None


def straight(e):
    """Programs that do what this one did, in straight lines."""
    if recorded is None:
        return []
    return replay.lines(recorded, Source(TEXT), e)


def main():
    watched()
    stack = open("stack.txt", "w")
    faulthandler.enable(stack)
    tree = ast.parse(TEXT)
    sys.modules["look"] = sys.modules["__main__"]
    sys.modules["__main__"] = scope = types.ModuleType("__main__")
    scope.__dict__.update(__file__=SCRIPT, __builtins__=__builtins__)
    if WHAT == "replay":
        global recorded
        recorded = replay.Record(sys.modules["look"])
        tree = ast.fix_missing_locations(replay.Tracer().visit(tree))
        scope.__dict__.update(replay.hooks(recorded))
    if WHAT == "values" and sys.version_info >= (3, 8):
        tree = ast.fix_missing_locations(Recorder().visit(tree))
        scope.__dict__["__scrub__"] = record
    code = compile(tree, SCRIPT, "exec", dont_inherit=True)
    sys.argv = [SCRIPT]
    sys.path[0] = os.getcwd()
    if PATIENCE:
        timer = threading.Timer(PATIENCE, waited, [threading.get_ident()])
        timer.daemon = True
        timer.start()
    if WHAT == "frames":
        sys.settrace(trace)
    try:
        exec(code, scope.__dict__)
    except BaseException as e:
        sys.settrace(None)
        frames, tb = [], e.__traceback__.tb_next
        while tb is not None:
            frames.append((tb.tb_frame, tb.tb_lasti, tb.tb_lineno))
            tb = tb.tb_next
        tell(frames=locals_of(frames), lifts=lifts(frames) if WHAT == "frames" else straight(e), raised=True)
    else:
        sys.settrace(None)
        tell(frames=[], lifts=straight(None), raised=False)
    os._exit(0)


main()
