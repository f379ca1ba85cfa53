"""Expressions for values."""

import ast
import importlib
import os
import sys
import types

from .subject import KNOWN, SCRIPT, Source, program

MANY = 12  # elements of one value


class limits:
    longest = 160  # characters of one value


def by_package(top):
    """How to show values of a package, if its profile says: in a module beside the program."""
    name = "scrub_show_" + top
    if name not in sys.modules and not os.path.exists(name + ".py"):
        return None
    return importlib.import_module(name).show


class Cannot(Exception):
    """A value that no expression is known for."""


def cannot():
    raise Cannot


class Needs:
    """What must stand above a lifted expression."""

    def __init__(self):
        self.imports, self.names = set(), set()


def show(v, needs, exact, depth=0):
    """An expression for a value, or Cannot."""
    t = type(v)
    text = show_atom(v, t)
    if text is not None:
        return text
    if depth > 3:
        cannot()
    if t in (tuple, list, set, frozenset, dict) and len(v) <= MANY:
        return show_container(v, t, lambda x: show(x, needs, exact, depth + 1))
    special = by_package((t.__module__ or "").split(".")[0])
    found = special(v, needs, exact, depth) if special else None
    if found is not None:
        return found
    if isinstance(v, (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType)):
        return show_named(v, needs)
    return show_repr(v, needs)


def show_atom(v, t):
    """A value that has no parts, or None if it has."""
    if t is int:
        return repr(v) if abs(v) < 10**30 else cannot()
    if t is float:
        return repr(v) if v == v and abs(v) != float("inf") else "float(%r)" % repr(v)
    if t in (str, bytes):
        return repr(v) if len(v) <= limits.longest else cannot()
    if v is None or v is Ellipsis or t in (bool, complex, range, slice):
        return repr(v)
    return None


def show_container(v, t, part):
    """A container, by how its parts are shown."""
    if t is dict:
        return "{" + ", ".join(part(k) + ": " + part(x) for k, x in v.items()) + "}"
    parts = ", ".join(part(x) for x in v)
    if t is tuple:
        return "(" + parts + ("," if len(v) == 1 else "") + ")"
    if t is list:
        return "[" + parts + "]"
    inner = "{" + parts + "}" if v else "set()"
    return inner if t is set else "frozenset(%s)" % (inner if v else "")


def show_named(v, needs):
    """A module, class or function by where it can be imported from."""
    if isinstance(v, types.ModuleType):
        if v.__name__ == "__main__":
            cannot()
        needs.imports.add("import " + v.__name__)
        return v.__name__
    module, name = getattr(v, "__module__", None), getattr(v, "__qualname__", "")
    if getattr(v, "__name__", "") == "<lambda>":
        return show_lambda(v.__code__, needs)
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


def show_lambda(code, needs):
    """A function without a name, as the program has it, if it is the only one of its line."""
    if code.co_filename != SCRIPT or code.co_freevars or sys.version_info < (3, 8):
        cannot()
    source = Source(program.text)
    found = [n for n in ast.walk(source.tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
    if len(found) != 1:
        cannot()
    for name in code.co_names:
        v = sys.modules["__main__"].__dict__.get(name)
        if isinstance(v, types.ModuleType):
            needs.imports.add("import " + v.__name__ + ("" if v.__name__ == name else " as " + name))
        elif v is not None:
            needs.names.add(name)
    return "(%s)" % source.text(*source.span(found[0]))


def show_repr(v, needs):
    """A value whose own repr makes it again."""
    t = type(v)
    text = repr(v)
    if len(text) > limits.longest or "\n" in text or "<" in text:
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
