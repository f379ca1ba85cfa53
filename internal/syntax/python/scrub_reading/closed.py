# What a reader must be able to follow: where the things that can do harm go. Following values is never
# complete, so what cannot be followed is noted, too: a module that is passed on, one that is reached
# through another, an inside of an object, a text that is run and not all there to read.
import ast
import builtins
import contextlib
import importlib
import io
import re
import sys

from .known import ENVIRONMENT, EVALUATE, GUARDED, HARMLESS, INNER, KNOWN, PLAIN, POWERFUL, RUNS, VERBS
from .values import index, literal

# Modules by which a program reaches out of itself, whose very names tell.
REACHED = KNOWN & GUARDED & {"os", "sys", "subprocess", "builtins", "importlib", "posix", "shutil", "ctypes", "socket"}
REACHED |= {"__builtins__", "pty", "runpy"}
# What such a module has, named in a text.
NAMED = re.compile(
    r"\b(os|posix|subprocess|shutil|builtins|importlib|ctypes|pty|runpy)[.:]"
    r"(?!path\b|environ\b|sep\b|name\b|PathLike)[a-z_]\w+"
)
# What everybody asks of a module.
TOLD = {"__version__", "__file__", "__name__", "__doc__", "__path__", "__all__", "__config__", "__git_version__"}
TOLD |= {"__class__"}
# Calls that only look at what they are given.
ASKED = {"print", "type", "id", "help", "dir", "repr", "hasattr", "isinstance", "callable"}


class Closed(ast.NodeVisitor):
    "Notes by use(node, name, args) what of a program cannot be followed."

    def __init__(self, tree, use):
        self.use, self.parents, self.names, self.constants = use, {}, {}, {}
        self.touched, self.own, self.stores = set(), set(), {}
        for n in ast.walk(tree):
            for child in ast.iter_child_nodes(n):
                self.parents[child] = n
        for n in ast.walk(tree):
            self.bind(n)
        self.visit(tree)

    def bind(self, n):
        "What a name stands for, wherever that is said: who binds it anew has not undone what was done before."
        if isinstance(n, ast.Import):
            for a in n.names:
                top = a.name.split(".")[0]
                self.names.setdefault(a.asname or top, set()).add(a.name if a.asname else top)
        elif isinstance(n, ast.ImportFrom) and n.module and not n.level:
            for a in n.names:
                self.imported(n, a)
        elif isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name):
            ok, value = literal(n.value)
            self.constants.setdefault(n.targets[0].id, []).append(value if ok and isinstance(value, str) else None)
        elif isinstance(n, ast.arg):
            self.own.add(n.arg)
        elif isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            self.own.add(n.id)
            self.stores[n.id] = self.stores.get(n.id, 0) + 1
        elif type(n).__name__ in ("MatchAs", "MatchStar") and n.name:
            self.stores[n.name] = self.stores.get(n.name, 0) + 2

    def imported(self, n, a):
        "What is imported from a module: all of one that can do harm, or one of those through another."
        self.names.setdefault(a.asname or a.name, set()).add(n.module + "." + a.name)
        if a.name == "*" and guarded(n.module):
            self.use(n, "escapes", [n.module])
        if a.name in VERBS and not guarded(n.module):
            self.use(n, "verb", [a.name])
        if a.name in GUARDED or a.name.lstrip("_") in GUARDED and not guarded(n.module):
            self.use(n, "through", [n.module + "." + a.name])

    def dotted(self, n):
        "What an attribute of an imported thing is called; None for others."
        parts = []
        while isinstance(n, ast.Attribute):
            parts.append(n.attr)
            n = n.value
        if not isinstance(n, ast.Name):
            return []
        return [".".join([name] + parts[::-1]) for name in sorted(self.names.get(n.id, ()))]

    def visit_Name(self, n):
        if not isinstance(n.ctx, ast.Load):
            return
        up = self.parents.get(n)
        called = isinstance(up, ast.Call) and up.func is n
        for name in sorted(self.names.get(n.id, ())):
            if name == ENVIRONMENT and not isinstance(up, ast.Attribute):
                if not looked_up(n, up):
                    self.use(n, name + ".__iter__")
                continue
            if not guarded(name) or isinstance(up, ast.Attribute) or self.only_asked(n, up):
                continue
            if name in GUARDED or not called:
                self.use(n, "escapes", [name])
        if n.id in POWERFUL - (self.own & {"input"}) and n.id not in self.names:
            if not called and not isinstance(up, ast.Attribute):
                self.use(n, "escapes", [n.id])

    def only_asked(self, n, up):
        "Whether a thing is only looked at, or asked for something by a name that is there to read."
        if not isinstance(up, ast.Call) or not isinstance(up.func, ast.Name) or up.func is n:
            if isinstance(up, ast.Compare):
                return all(isinstance(o, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) for o in up.ops)
            return isinstance(up, ast.Expr)
        if up.func.id in ("getattr", "hasattr") and up.args and up.args[0] is n and len(up.args) > 1:
            return self.readable(up.args[1])
        return up.func.id in ASKED

    def visit_Attribute(self, n):
        self.generic_visit(n)
        names = self.dotted(n)
        if n.attr.startswith("__") and n.attr.endswith("__"):
            if n.attr in INNER and n.attr not in HARMLESS or names and n.attr not in TOLD:
                self.use(n, "insides", [n.attr])
            return
        if self.through(n, names):
            self.use(n, "through", names or ["?." + n.attr])
        elif n.attr in VERBS and not any(guarded(name) for name in names):
            self.use(n, "verb", [n.attr])
        self.touch(n, names)

    def through(self, n, names):
        "Whether an attribute is a module, or something that can do harm, of somebody who only has it for himself."
        bare = n.attr.lstrip("_")
        if n.attr in GUARDED or bare in GUARDED:
            mine = any(name in GUARDED or name == n.attr + "." + n.attr for name in names)
            return not mine and bool(names or bare in KNOWN)
        if any(leads(name, n.attr) for name in self.dotted(n.value)):
            return True
        # What is used of the others is judged by its name.
        return n.attr.startswith("_") and any(name.split(".")[0] in PLAIN for name in names)

    def touch(self, n, names):
        "What is touched of a module, and what it is given as far as that is there to read."
        up = self.parents.get(n)
        if isinstance(up, ast.Attribute):
            return
        given = []
        if isinstance(up, ast.Call) and up.func is n:
            given = [t for a in up.args for t in [literal(a)[1]] if isinstance(t, str)] or ["?"]
        for name in names:
            if name == ENVIRONMENT and not looked_up(n, up):
                self.use(n, name + ".__iter__")
            self.touched.add((getattr(n, "lineno", 0), name, tuple(given)))

    def visit_Assign(self, n):
        self.generic_visit(n)
        for t in n.targets:
            of = t.value if isinstance(t, ast.Subscript) else t
            if isinstance(of, ast.Attribute) and of.attr == "__annotations__" and not told(n.value):
                self.use(n, "evaluates", ["?"])  # they are texts that get_type_hints runs

    def visit_Dict(self, n):
        self.generic_visit(n)
        for k, v in zip(n.keys, n.values):
            if k is not None and literal(k)[1] == "()" and not isinstance(v, ast.Name):
                self.use(n, "evaluates", ["()"])  # a configuration that names what to call

    def visit_Subscript(self, n):
        self.generic_visit(n)
        ok, key = literal(index(n))
        if ok and isinstance(key, str) and key in REACHED:
            self.use(n, "through", ["?." + key])

    def visit_Call(self, n):
        self.generic_visit(n)
        name = n.func.id if isinstance(n.func, ast.Name) else n.func.attr if isinstance(n.func, ast.Attribute) else ""
        runs = [i for one in self.dotted(n.func) or [name] for i in RUNS.get(one, ())]
        if name == "compile" and isinstance(n.func, ast.Name):
            runs = [0]
        for i in runs:
            if isinstance(i, int) and i < len(n.args):
                self.run(n, n.args[i])
        if name not in ASKED:
            for a in list(n.args) + [k.value for k in n.keywords]:
                self.handed(n, name, a)

    def handed(self, n, name, a):
        "What a call is given: a name by which a module is reached, or a text that it evaluates."
        ok, text = literal(a)
        if ok and isinstance(text, str) and (text in REACHED or NAMED.search(text)):
            self.use(n, "through", ["?." + text[:80]])
        if name in EVALUATE and any(busy(one) for one in self.given(a)):
            self.use(n, "evaluates", [text[:200] if ok and isinstance(text, str) else "?"])

    def run(self, n, a):
        "A text that is run is all there to read, and is read like the rest."
        if not self.readable(a):
            self.use(n, "evaluates", ["?"])
        for text in self.given(a):
            self.within(n, text)

    def given(self, n):
        "The texts that an argument may be, as far as they are there to read."
        if isinstance(n, ast.Name):
            return [g for g in self.constants.get(n.id, []) if g is not None]
        ok, text = literal(n)
        return [text] if ok and isinstance(text, str) else []

    def within(self, n, text):
        "Code in a text is read like the rest."
        try:
            tree = ast.parse(text.strip())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        inner = Closed(tree, lambda _, name, args=(): self.use(n, name, args))
        self.touched |= {(getattr(n, "lineno", 0), name, args) for _, name, args in inner.touched}

    def readable(self, n):
        "Whether a text is all there to read."
        if isinstance(n, ast.Name):
            given = self.constants.get(n.id, [])
            return bool(given) and self.stores.get(n.id) == len(given) and all(g is not None for g in given)
        if isinstance(n, ast.BinOp):
            return self.readable(n.left) and self.readable(n.right)
        if isinstance(n, ast.JoinedStr):
            return all(literal(p)[0] for p in n.values)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "compile" and n.args:
            return self.readable(n.args[0])
        return isinstance(n, ast.Lambda) or literal(n)[0]


def told(n):
    "Whether a value is all there to read."
    if isinstance(n, ast.Dict):
        return all(told(v) for v in n.values)
    return literal(n)[0] or isinstance(n, (ast.Name, ast.Attribute, ast.Subscript))


def leads(name, attr):
    "Whether what a module of the library that only computes has under a name leads out of it, as it is here."
    if name not in PLAIN:
        return False
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            value = getattr(importlib.import_module(name), attr, None)
    except Exception:
        return False
    if isinstance(value, type(sys)):
        return guarded(value.__name__)
    return any(value is getattr(builtins, p) for p in POWERFUL)


def looked_up(n, up):
    "Whether one thing is looked up in a mapping, or looked for in it, so that the rest of it goes nowhere."
    if isinstance(up, ast.Subscript):
        return up.value is n
    return isinstance(up, ast.Compare) and up.left is not n and all(isinstance(o, (ast.In, ast.NotIn)) for o in up.ops)


def guarded(name):
    return name.split(".")[0] in GUARDED


def busy(text):
    "Whether a text that something else will evaluate does more than to compute with names and numbers."
    if len(text) > 2000:
        return True
    try:
        tree = ast.parse(text.replace("@", "").strip(), mode="exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "__" in text or "import" in text
    for n in ast.walk(tree):
        if isinstance(n, (ast.Import, ast.ImportFrom)):
            return True
        name = n.id if isinstance(n, ast.Name) else n.attr if isinstance(n, ast.Attribute) else ""
        if name.startswith("__") or name in GUARDED or name in VERBS or name in POWERFUL:
            return True
    return False
