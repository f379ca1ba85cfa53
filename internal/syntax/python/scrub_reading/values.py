# What a name or an expression of a program may stand for.
import ast
import sys

MOST = 20000  # expressions that are gone through before anything is no longer gone through again
MANY = 8  # things that one name may stand for
LONG = 20000  # characters of a text that are worth putting together
HOLE = "\ufffd"  # a part of a text that is not known


class Ref:
    "Something of a module or of the language, or what calling it gave."

    def __init__(self, name, args=(), made=False, line=0):
        for prefix in ("builtins.", "__builtin__."):
            if name.startswith(prefix) and name != prefix + "__dict__":
                name = name[len(prefix) :]
        self.name, self.args, self.made = name, tuple(args), made  # made: what a call gave, noted there
        self.line = line  # of that call

    def key(self):
        return (self.name, self.args, self.made)


class Const:
    "A value that can be read: text, bytes, number, or a container of values."

    def __init__(self, value):
        self.value = value

    def key(self):
        v = self.value
        return (type(v), v) if isinstance(v, (str, bytes, int, float, bool)) else id(v)


class Dark:
    "What cannot be read, beside what can: without anything beside it no value at all says the same."

    def key(self):
        return "dark"


DARK = Dark()


class Func:
    "A function of the program."

    def __init__(self, node, scope):
        self.node, self.scope = node, scope

    def key(self):
        return id(self.node)


class Bound:
    "A method of a value that can be read."

    def __init__(self, value, attr):
        self.value, self.attr = value, attr

    def key(self):
        return (id(self.value), self.attr)


class Scope:
    def __init__(self, parent=None, function=False):
        self.names, self.parent, self.function, self.depth, self.stars, self.outer = {}, parent, function, 0, [], set()

    def get(self, name):
        scope = self
        while scope:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def set(self, name, values):
        scope = self
        if name in self.outer:
            while scope.parent:
                scope = scope.parent
        again = name in scope.names and (scope.depth or scope is not self)
        scope.names[name] = either(scope.names[name], values) if again else values


def union(*lists):
    lists = [values for values in lists if values]
    if len(lists) < 2:
        return lists[0] if lists else []
    all, seen = [], set()
    for values in lists:
        for v in values:
            k = v.key()
            if k in seen:
                continue
            seen.add(k)
            if len(all) < MANY:
                all.append(v)
            elif all[-1] is not DARK:
                all[-1] = DARK  # and what was left out
    return all


def either(*lists):
    "What may be one or the other: where one cannot be read, that is part of it."
    return union(*[values or [DARK] for values in lists])


def dark(values):
    "Whether values may be something that cannot be read."
    return not values or DARK in values


def literal(node):
    "The value of a literal, in the words of every release of Python."
    if isinstance(node, ast.Constant):
        return True, node.value
    if sys.version_info >= (3, 8):
        return False, None
    for kind, field in (("Str", "s"), ("Bytes", "s"), ("Num", "n"), ("NameConstant", "value")):
        if type(node).__name__ == kind:
            return True, getattr(node, field)
    return False, None


def texts(values):
    "The first texts in values, as deep as they are: a list may hold itself, and the same thing many times."
    found, left, steps = [], [(values, 8)], 0
    while left and len(found) < 40 and steps < 400:
        some, deep = left.pop(0)
        for v in some[:20]:
            steps += 1
            if isinstance(v, Ref):
                found.extend("by " + a[5:] if a.startswith("from ") else a for a in v.args[:6])
            elif isinstance(v, Const):
                c = v.value
                if isinstance(c, str):
                    found.append(c[:300])
                elif isinstance(c, bytes):
                    found.append(c[:300].decode("latin-1"))
                elif isinstance(c, (list, tuple)) and deep:
                    left.extend((item, deep - 1) for item in c[:20])
                elif isinstance(c, dict) and deep:
                    left.extend((item, deep - 1) for item in list(c.values())[:20])
    return found[:40]


def sources(values, deep=2):
    "Where values come from: which call, in which line, made them."
    made = ["from %s:%d" % (v.name, v.line) for v in values if isinstance(v, Ref) and v.line]
    within = []
    for v in values:
        if deep and isinstance(v, Const) and isinstance(v.value, (list, tuple)):
            within += [s for item in v.value[:8] for s in sources(item, deep - 1) if s != "from ?"]
    return (made[:4] + (["from ?"] if made and (len(made) < len(values) or len(made) > 4) else []) + within)[:8]


def plain(v, deep=12):
    "A value without its wrapping, if all of it is known."
    if not isinstance(v, Const) or not deep:
        raise ValueError
    c = v.value
    if isinstance(c, (list, tuple)):
        return type(c)(plain(item[0], deep - 1) for item in c if item or wrong())
    if isinstance(c, dict):
        raise ValueError
    return c


def wrong():
    raise ValueError


def wrap(c):
    if isinstance(c, (list, tuple)):
        return Const(type(c)([wrap(i)] for i in c))
    return Const(c)


def index(n):
    "What stands between the brackets."
    return n.slice.value if type(n.slice).__name__ == "Index" else n.slice
