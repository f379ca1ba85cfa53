# Reads a program without running it: what it imports, which things of modules
# and of the language it touches, with the literal texts they are given, and its
# texts.
import ast
import builtins
import importlib.util
import sys

from .closed import Closed, guarded
from .forms import forms
from .reader import Reader
from .values import literal


def unbound(tree):
    "The names that a program uses and gives no meaning."
    used, bound = set(), set()
    for n in ast.walk(tree):
        if isinstance(n, ast.Name):
            (used if isinstance(n.ctx, ast.Load) else bound).add(n.id)
        elif isinstance(n, ast.arg):
            bound.add(n.arg)
        elif isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(n.name)
        elif isinstance(n, ast.alias):
            bound.add((n.asname or n.name).split(".")[0])
        elif isinstance(n, ast.ExceptHandler) and n.name:
            bound.add(n.name)
        elif isinstance(n, (ast.Global, ast.Nonlocal)):
            bound.update(n.names)
    return sorted(name for name in used - bound if not hasattr(builtins, name) and not name.startswith("__"))


def bare(tree):
    "The lines of values that a prompt would show and a program does not."
    if any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in ("print", "pprint", "display")
        for n in ast.walk(tree)
    ):
        return []
    ends = [n.lineno - 1 for n in tree.body[1:]] + [1 << 30]  # where old releases do not say
    return [
        [n.lineno, getattr(n, "end_lineno", None) or end]
        for n, end in zip(tree.body, ends)
        if isinstance(n, ast.Expr) and not literal(n.value)[0] and n.col_offset == 0
    ]


def inert(tree):
    "Whether a program only imports and defines, so that nothing happens when it is run."
    done = [n for n in tree.body if not isinstance(n, (ast.Import, ast.ImportFrom)) and not text(n)]
    return bool(done) and all(isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for n in done)


def text(node):
    "Whether a statement is a text alone, as one that describes what is below it."
    return isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, getattr(ast, "Str", ast.Constant)))


def there(module):
    if module.split(".")[0] == __name__:
        return False  # this reader is no part of the program's world
    try:
        return module in sys.builtin_module_names or importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def read(source):
    empty = {"uses": [], "imports": [], "missing": [], "strings": []}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return dict(empty, broken={"line": getattr(e, "lineno", 0) or 0, "message": getattr(e, "msg", "") or str(e)})
    r = Reader()
    r.read(tree)
    for line, name, args in sorted(Closed(tree, r.use).touched):
        if (line, name) not in r.uses:  # where following values has told less
            r.uses[(line, name)] = list(args)
    for line, name in sorted(r.uses):
        if guarded(name) and "." in name:
            r.uses.setdefault((line, "guarded"), []).append(name)
    # The folder of this reader is not part of the program's world.
    sys.path[:] = [p for p in sys.path if p not in ("", "/box")]
    imports = sorted(r.imports)
    return {
        "uses": [{"line": line, "name": name, "args": args} for (line, name), args in sorted(r.uses.items())],
        "strings": [{"line": line, "text": text} for line, text in sorted(r.strings)],
        "imports": imports,
        "unbound": unbound(tree),
        "bare": bare(tree),
        "inert": inert(tree),
        "forms": forms(tree),
        "missing": [m for m in imports if not there(m)],
    }


def read_one(name):
    "A program that cannot be followed is one that cannot be read: whatever the reason, that is said of it."
    try:
        with open(name, encoding="utf-8") as f:
            return read(f.read())
    except Exception as e:
        return {
            "uses": [],
            "imports": [],
            "missing": [],
            "strings": [],
            "broken": {"line": 0, "message": "%s: %s" % (type(e).__name__, e)},
        }
