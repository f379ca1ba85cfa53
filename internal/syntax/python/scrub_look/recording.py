"""Keeps what a program asked of its libraries."""

import ast
import operator
import sys
import types

from .subject import KNOWN, SCRIPT

MOST = 3000  # operations that are kept
PLAIN = (int, float, complex, str, bytes, bool, type(None), list, tuple, dict, set, frozenset, range, slice)
SETTINGS = {
    "argparse",
    "optparse",
    "configparser",
    "logging",
    "time",
    "os",
    "getopt",
}  # what comes out of these is no result
SMALL = (bool, type(None))
ROUTINES = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType)
OPS = {
    ast.Add: ("+", operator.add, operator.iadd),
    ast.Sub: ("-", operator.sub, operator.isub),
    ast.Mult: ("*", operator.mul, operator.imul),
    ast.Div: ("/", operator.truediv, operator.itruediv),
    ast.FloorDiv: ("//", operator.floordiv, operator.ifloordiv),
    ast.Mod: ("%", operator.mod, operator.imod),
    ast.Pow: ("**", operator.pow, operator.ipow),
    ast.MatMult: ("@", operator.matmul, operator.imatmul),
    ast.BitAnd: ("&", operator.and_, operator.iand),
    ast.BitOr: ("|", operator.or_, operator.ior),
    ast.BitXor: ("^", operator.xor, operator.ixor),
    ast.LShift: ("<<", operator.lshift, operator.ilshift),
    ast.RShift: (">>", operator.rshift, operator.irshift),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Is: ("is", operator.is_),
    ast.IsNot: ("is not", operator.is_not),
    ast.In: ("in", lambda a, b: a in b),
    ast.NotIn: ("not in", lambda a, b: a not in b),
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
    ast.Invert: ("~", operator.invert),
    ast.Not: ("not ", operator.not_),
}
BY_NAME = {k.__name__: v for k, v in OPS.items()}


def shared(v):
    """Whether equal values of this kind are one and the same object, which says nothing of where they come from."""
    return (
        isinstance(v, SMALL)
        or type(v) is int
        and -6 < v < 257
        or type(v) in (str, bytes, tuple, frozenset)
        and len(v) < 2
        or isinstance(v, ROUTINES)
        and not hasattr(v, "__dict__")
    )


class Op:
    """One thing that was done: how, to what, and what came of it."""

    __slots__ = ("form", "word", "parts", "named", "result", "at", "raised", "givers", "within")

    def __init__(self, form, word, parts, named=()):
        self.form, self.word, self.parts, self.named = (
            form,
            word,
            [snap(p) for p in parts],
            {k: snap(v) for k, v in dict(named).items()},
        )
        self.result, self.at, self.raised = None, None, None
        self.within = False  # it was asked while a library did something else
        self.givers = {}  # by their place, what gave parts last, where that was seen

    def changes(self):
        """Whether it may have changed what it was given."""
        return self.form in ("call", "method", "setitem", "setattr") or self.in_place()

    def in_place(self):
        return (
            self.form == "op"
            and self.word[0] == "="
            and self.result is thing(self.parts[0])
            and type(self.result) not in (int, str, float, tuple)
        )

    def inputs(self):
        return self.parts + list(self.named.values())


class Tagged(int):
    """A number, and no other that is the same: what it came from can be told."""

    __slots__ = ()
    __repr__, __str__, __format__, __hash__ = int.__repr__, int.__str__, int.__format__, int.__hash__


def tagged(v, depth=0):
    """A value in which each number is told from all others."""
    if type(v) is int:
        return Tagged(v)
    if type(v) in (list, tuple) and len(v) <= 50 and depth < 2 and any(type(x) in (int, list, tuple) for x in v):
        return type(v)(tagged(x, depth + 1) for x in v)
    return v


class Snap:
    """A container as it was then; it may change later."""

    __slots__ = ("value", "copy")

    def __init__(self, value, copy):
        self.value, self.copy = value, copy


def snap(v, depth=0):
    if (type(v) in (list, tuple, set, frozenset) or record_like(v)) and len(v) <= 64 and depth < 3:
        return Snap(v, [snap(x, depth + 1) for x in v])
    if type(v) is dict and len(v) <= 64 and depth < 3:
        return Snap(v, [(snap(k, depth + 1), snap(x, depth + 1)) for k, x in v.items()])
    return v


def record_like(v):
    """Whether it is a named tuple of the program's own: a plain one does as well."""
    return isinstance(v, tuple) and type(v).__module__ == "__main__"


def thing(p):
    return p.value if isinstance(p, Snap) else p


def inside(p):
    """All that a part holds, itself included."""
    yield thing(p)
    if isinstance(p, Snap):
        for x in p.copy:
            for y in (x if type(x) is tuple else (x,)):
                for z in inside(y):
                    yield z


class Record:
    """What was done, in the order in which it was done with."""

    def __init__(self):
        self.ops, self.made, self.names, self.open = [], {}, {}, []
        self.held = {}  # by what a container holds that an operation gave: that, and the thing, so that it stays
        self.given = {}  # by name: the operation that gave its value
        self.asked = {}  # by operation: the methods of the program's own that a library called for it
        self.closed = False  # nothing more is kept: somebody looks at what there is
        self.direct = False  # the program's own call, and not a library's
        self.tags = False  # numbers that are one and the same object for everybody get a type of their own

    def own(self, f):
        """Whether a callable is the program's own, so that what it does is seen anyway."""
        if isinstance(f, type):
            return f.__module__ == "__main__" and all(
                c.__module__ == "__main__" or c is object or c is tuple and hasattr(f, "_fields") for c in f.__mro__
            )
        f = getattr(f, "__func__", f)
        code = getattr(f, "__code__", None)
        return code is not None and code.co_filename == SCRIPT

    def ours(self, v):
        return self.own(type(v))

    def keep(self, op, do, names=()):
        if self.closed or len(self.ops) >= MOST:
            return do()
        op.within = bool(self.open)
        self.open.append(op)
        self.give(op, names)
        try:
            op.result = do()
            if self.tags:
                op.result = tagged(op.result)
        except BaseException as e:
            op.raised = e
            self.done(op)
            raise
        finally:
            if self.open and self.open[-1] is op:
                self.open.pop()
        self.done(op)
        if not shared(op.result):
            self.made.setdefault(id(op.result), op)
        if type(op.result) in (list, tuple, dict):
            for v in list(inside(snap(op.result)))[1:200]:
                if not shared(v):
                    self.held.setdefault(id(v), (op, v))
        return op.result

    def give(self, op, names):
        """Notes what gave the parts last: what a name stands for, or what was done right before."""
        shift = len(op.parts) - len(names)
        last = [o for o in self.ops[-len(op.parts) - 1 :] if o.raised is None]
        for i, p in enumerate(op.parts):
            v = thing(p)
            name = names[i - shift] if i >= shift and names else ""
            if not isinstance(v, ROUTINES):
                for o in [self.given.get(name)] if name else last:
                    if o is not None and o.result is v:
                        op.givers[i] = o

    def done(self, op):
        op.at = len(self.ops)
        self.ops.append(op)

    def call(self, f, attr, names, *args, **named):
        if attr is None:
            if self.own(f):
                return self.make(f, args, named)
            return self.keep(Op("call", "", (f,) + args, named), lambda: f(*args, **named), names)
        m = self.found(f, attr)
        if self.own(m):
            return self.make(m, args, named)
        if isinstance(f, type(sys)):
            return self.keep(Op("call", "", (m,) + args, named), lambda: m(*args, **named), names)
        if self.ours(f):
            return self.call(m, None, names, *args, **named)
        return self.keep(Op("method", attr, (f,) + args, named), lambda: m(*args, **named), names)

    def make(self, f, args, named):
        """A call of the program's own; of an object that is made so, how to make it again."""
        if not isinstance(f, type) or self.closed or len(self.ops) >= MOST:
            return self.straight(f, args, named)
        op = Op("make", "", (f,) + args, named)
        op.result = self.straight(f, args, named)
        self.done(op)
        self.made.setdefault(id(op.result), op)
        return op.result

    def straight(self, f, args, named):
        """A call of the program's own."""
        self.direct = True
        return f(*args, **named)

    def profile(self, frame, event, arg):
        """Notes which functions of the program's own a library calls, and of which objects."""
        if event != "call" or frame.f_code.co_filename != SCRIPT:
            return
        direct, self.direct = self.direct, False
        back = frame.f_back
        if direct or not self.open or back is None or back.f_code.co_filename == SCRIPT:
            return
        code = frame.f_code
        first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        if type(first).__module__ == "__main__":
            self.asked.setdefault(id(self.open[-1]), set()).add(code.co_name)

    def found(self, v, name):
        """An attribute; where a function of a library was found is how to find it again."""
        self.direct = True  # a property is asked for by the program
        try:
            got = getattr(v, name)
        finally:
            self.direct = False
        if isinstance(v, type(sys)) and callable(got) and v.__name__ != "__main__":
            KNOWN[id(got)] = (got, v.__name__, name)
        return got

    def op(self, name, *args):
        found = BY_NAME[name.lstrip("=")]
        do = found[2] if name[0] == "=" else found[1]
        if any(self.ours(a) for a in args) and name not in ("Is", "IsNot"):
            return do(*args)
        return self.keep(Op("op", name, args), lambda: do(*args))

    def join(self, names, *pieces):
        """A text that values stand in."""
        template, values = "", []
        for p in pieces:
            if isinstance(p, str):
                template += p.replace("{", "{{").replace("}", "}}")
            else:
                template += "{%s%s}" % (p[1], ":" + p[2] if p[2] else "")
                values.append(p[0])
        return self.keep(Op("join", template, values), lambda: template.format(*values), names)

    def item(self, v, key):
        if self.ours(v):
            return v[key]
        return self.keep(Op("item", "", (v, key)), lambda: v[key])

    def attr(self, v, name):
        if self.ours(v) or isinstance(v, (type(sys), type)):
            return self.found(v, name)
        try:
            found = getattr(v, name)
        except BaseException:
            return self.keep(Op("attr", name, (v,)), lambda: getattr(v, name))  # fails again, on record
        if getattr(found, "__self__", None) is v:
            return found
        return self.keep(Op("attr", name, (v,)), lambda: found)

    def set(self, v, key, value, item):
        def do():
            if item:
                v[key] = value
            else:
                setattr(v, key, value)

        if self.ours(v) and not item:
            self.name(key, value)
        if self.ours(v) or type(v) in PLAIN:
            return do()
        self.keep(
            Op("setitem" if item else "setattr", key if not item else "", (v, key, value) if item else (v, value)), do
        )

    def iter(self, v):
        if (
            self.ours(v)
            or type(v) in PLAIN
            or type(v).__name__
            in ("generator", "enumerate", "zip", "map", "filter", "reversed", "dict_items", "dict_keys", "dict_values")
        ):
            return v
        return self.each(v)

    def each(self, v):
        it = self.keep(Op("call", "", (iter, v)), lambda: iter(v))
        while True:
            try:
                x = self.keep(Op("call", "", (next, it)), lambda: next(it))
            except StopIteration:
                return
            yield x

    def name(self, name, v):
        last = self.ops[-1] if self.ops else None
        self.given[name] = last if last is not None and last.result is v else None
        self.names.setdefault(id(v), name)
        return v
