"""Writes down what a program asks of its libraries while it runs, and how that
would be said in a straight line: without the program's own functions, classes
and loops. look.py lends its way to write values.
"""
import ast
import builtins
import operator
import sys

MOST = 3000      # operations that are kept
LONGEST = 2000   # characters of one value
STATEMENTS = 120  # that a straight line may have
LEAVE = {"super", "locals", "globals", "vars", "dir", "eval", "exec", "isinstance", "__import__", "type", "issubclass",
         "namedtuple", "NamedTuple", "TypeVar", "TypedDict", "make_dataclass"}  # these ask who calls them
PLAIN = (int, float, complex, str, bytes, bool, type(None), list, tuple, dict, set, frozenset, range, slice)
SETTINGS = {"argparse", "optparse", "configparser", "logging", "time", "os", "getopt"}  # what comes out of these is no result
SMALL = (bool, type(None))
OPS = {
    ast.Add: ("+", operator.add, operator.iadd), ast.Sub: ("-", operator.sub, operator.isub), ast.Mult: ("*", operator.mul, operator.imul),
    ast.Div: ("/", operator.truediv, operator.itruediv), ast.FloorDiv: ("//", operator.floordiv, operator.ifloordiv), ast.Mod: ("%", operator.mod, operator.imod),
    ast.Pow: ("**", operator.pow, operator.ipow), ast.MatMult: ("@", operator.matmul, operator.imatmul), ast.BitAnd: ("&", operator.and_, operator.iand),
    ast.BitOr: ("|", operator.or_, operator.ior), ast.BitXor: ("^", operator.xor, operator.ixor), ast.LShift: ("<<", operator.lshift, operator.ilshift),
    ast.RShift: (">>", operator.rshift, operator.irshift), ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge), ast.Is: ("is", operator.is_), ast.IsNot: ("is not", operator.is_not),
    ast.In: ("in", lambda a, b: a in b), ast.NotIn: ("not in", lambda a, b: a not in b), ast.USub: ("-", operator.neg), ast.UAdd: ("+", operator.pos),
    ast.Invert: ("~", operator.invert), ast.Not: ("not ", operator.not_),
}
BY_NAME = {k.__name__: v for k, v in OPS.items()}


class Inside(ast.NodeTransformer):
    """Changes what definitions do, and leaves alone what stands around them."""

    def visit_FunctionDef(self, n):
        n.body = [self.visit(x) for x in n.body]
        return n

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def visit_AnnAssign(self, n):
        if n.value is not None:
            n.value = self.visit(n.value)
        return n


class Tracer(Inside):
    """Lets every operation pass by a function that keeps it."""

    def hook(self, name, at, *args):
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(args), []), at)

    def visit_Call(self, n):
        f = n.func
        if getattr(f, "id", getattr(f, "attr", "")) in LEAVE or isinstance(f, ast.Attribute) and f.attr.startswith("__") and not f.attr.endswith("__"):
            n.args, n.keywords = [self.visit(a) for a in n.args], [self.visit(k) for k in n.keywords]
            return n
        args, keywords = [self.visit(a) for a in n.args], [self.visit(k) for k in n.keywords]
        if isinstance(f, ast.Attribute):
            first = [self.visit(f.value), ast.Constant(f.attr)]
        else:
            first = [self.visit(f), ast.Constant(None)]
        return ast.copy_location(ast.Call(ast.Name("__scrub_call__", ast.Load()), first + args, keywords), n)

    def visit_BinOp(self, n):
        return self.hook("__scrub_op__", n, ast.Constant(type(n.op).__name__), self.visit(n.left), self.visit(n.right))

    def visit_UnaryOp(self, n):
        if isinstance(n.operand, ast.Constant):
            return n
        return self.hook("__scrub_op__", n, ast.Constant(type(n.op).__name__), self.visit(n.operand))

    def visit_Compare(self, n):
        self.generic_visit(n)
        if len(n.ops) > 1:
            return n
        return self.hook("__scrub_op__", n, ast.Constant(type(n.ops[0]).__name__), n.left, n.comparators[0])

    def visit_Subscript(self, n):
        if not isinstance(n.ctx, ast.Load):
            return self.generic_visit(n)
        return self.hook("__scrub_item__", n, self.visit(n.value), self.key(n.slice))

    def key(self, n):
        """What stands between brackets, as an expression."""
        if isinstance(n, ast.Slice):
            return ast.copy_location(ast.Call(ast.Name("slice", ast.Load()), [self.visit(x) if x else ast.Constant(None) for x in (n.lower, n.upper, n.step)], []), n)
        if isinstance(n, ast.Tuple) or type(n).__name__ == "ExtSlice":
            return ast.copy_location(ast.Tuple([self.key(x) for x in getattr(n, "elts", None) or n.dims], ast.Load()), n)
        return self.visit(getattr(n, "value", n) if type(n).__name__ == "Index" else n)

    def visit_Attribute(self, n):
        if not isinstance(n.ctx, ast.Load) or n.attr.startswith("__"):
            return self.generic_visit(n)
        return self.hook("__scrub_attr__", n, self.visit(n.value), ast.Constant(n.attr))

    def visit_For(self, n):
        n.iter = self.hook("__scrub_iter__", n.iter, self.visit(n.iter))
        n.body, n.orelse = [self.visit(x) for x in n.body], [self.visit(x) for x in n.orelse]
        return n

    def visit_comprehension(self, n):
        self.generic_visit(n)
        if not n.is_async:
            n.iter = self.hook("__scrub_iter__", n.iter, n.iter)
        return n

    def visit_Assign(self, n):
        target, value = n.targets[0], self.visit(n.value)
        if len(n.targets) == 1 and isinstance(target, ast.Name):
            n.value = self.hook("__scrub_name__", n, ast.Constant(target.id), value)
            return n
        if len(n.targets) == 1:
            kept = self.store(n, target, value)
            if kept is not None:
                return kept
        n.value = value
        return n

    def store(self, n, target, value):
        if isinstance(target, ast.Subscript):
            return ast.copy_location(ast.Expr(self.hook("__scrub_set__", n, self.visit(target.value), self.key(target.slice), value, ast.Constant(True))), n)
        if isinstance(target, ast.Attribute) and not target.attr.startswith("__"):
            return ast.copy_location(ast.Expr(self.hook("__scrub_set__", n, self.visit(target.value), ast.Constant(target.attr), value, ast.Constant(False))), n)
        return None

    def visit_AugAssign(self, n):
        op, value, target = ast.Constant("=" + type(n.op).__name__), self.visit(n.value), n.target
        if isinstance(target, ast.Name):
            now = self.hook("__scrub_op__", n, op, ast.copy_location(ast.Name(target.id, ast.Load()), target), value)
            return ast.copy_location(ast.Assign([target], now), n)
        if isinstance(target, ast.Subscript):
            old = self.hook("__scrub_item__", n, self.visit(target.value), self.key(target.slice))
        else:
            old = ast.copy_location(ast.Attribute(self.visit(target.value), target.attr, ast.Load()), target)
        return self.store(n, target, self.hook("__scrub_op__", n, op, old, value)) or n

    def visit_JoinedStr(self, n):
        return n

    def visit_match_case(self, n):
        return n


def shared(v):
    """Whether equal values of this kind are one and the same object, which says nothing of where they come from."""
    return isinstance(v, SMALL) or type(v) is int and -6 < v < 257 or type(v) in (str, bytes, tuple, frozenset) and len(v) < 2 or callable(v) and not hasattr(v, "__dict__")


class Op:
    """One thing that was done: how, to what, and what came of it."""
    __slots__ = ("form", "word", "parts", "named", "result", "at", "raised")

    def __init__(self, form, word, parts, named=()):
        self.form, self.word, self.parts, self.named = form, word, [snap(p) for p in parts], {k: snap(v) for k, v in dict(named).items()}
        self.result, self.at, self.raised = None, None, None

    def changes(self):
        """Whether it may have changed what it was given."""
        return self.form in ("call", "method", "setitem", "setattr") or self.in_place()

    def in_place(self):
        return self.form == "op" and self.word[0] == "=" and self.result is thing(self.parts[0]) and type(self.result) not in (int, str, float, tuple)

    def inputs(self):
        return self.parts + list(self.named.values())


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

    def __init__(self, look):
        self.look, self.ops, self.made, self.names, self.open = look, [], {}, {}, []

    def own(self, f):
        """Whether a callable is the program's own, so that what it does is seen anyway."""
        if isinstance(f, type):
            return f.__module__ == "__main__" and all(c.__module__ == "__main__" or c is object or c is tuple and hasattr(f, "_fields") for c in f.__mro__)
        f = getattr(f, "__func__", f)
        code = getattr(f, "__code__", None)
        return code is not None and code.co_filename == self.look.SCRIPT

    def ours(self, v):
        return self.own(type(v))

    def keep(self, op, do):
        if len(self.ops) >= MOST:
            return do()
        self.open.append(op)
        try:
            op.result = do()
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
        return op.result

    def done(self, op):
        op.at = len(self.ops)
        self.ops.append(op)

    def call(self, f, attr, *args, **named):
        if attr is None:
            if self.own(f):
                return f(*args, **named)
            return self.keep(Op("call", "", (f,) + args, named), lambda: f(*args, **named))
        m = self.found(f, attr)
        if self.own(m) and not isinstance(f, type(sys)):
            return m(*args, **named)
        if isinstance(f, type(sys)):
            return m(*args, **named) if self.own(m) else self.keep(Op("call", "", (m,) + args, named), lambda: m(*args, **named))
        if self.ours(f):
            return self.call(m, None, *args, **named)
        return self.keep(Op("method", attr, (f,) + args, named), lambda: m(*args, **named))

    def found(self, v, name):
        """An attribute; where a function of a library was found is how to find it again."""
        got = getattr(v, name)
        if isinstance(v, type(sys)) and callable(got) and v.__name__ != "__main__":
            self.look.KNOWN[id(got)] = (got, v.__name__, name)
        return got

    def op(self, name, *args):
        found = BY_NAME[name.lstrip("=")]
        do = found[2] if name[0] == "=" else found[1]
        if any(self.ours(a) for a in args) and name not in ("Is", "IsNot"):
            return do(*args)
        return self.keep(Op("op", name, args), lambda: do(*args))

    def item(self, v, key):
        if self.ours(v):
            return v[key]
        return self.keep(Op("item", "", (v, key)), lambda: v[key])

    def attr(self, v, name):
        if self.ours(v) or isinstance(v, (type(sys), type)):
            return self.found(v, name)
        found = getattr(v, name)
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
        self.keep(Op("setitem" if item else "setattr", key if not item else "", (v, key, value) if item else (v, value)), do)

    def iter(self, v):
        if self.ours(v) or type(v) in PLAIN or type(v).__name__ in ("generator", "enumerate", "zip", "map", "filter", "reversed", "dict_items", "dict_keys", "dict_values"):
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
        self.names.setdefault(id(v), name)
        return v


class Line:
    """A straight line of operations that leads to one of them."""

    def __init__(self, record, literal, whole):
        self.record, self.literal, self.whole = record, literal, whole
        self.look, self.needs = record.look, record.look.Needs()
        self.uses, self.called, self.busy, self.plainly = {}, {}, set(), {}

    def source(self, v):
        """The operation that a value is to be made by; None if it can be written down, or must be."""
        op = self.record.made.get(id(v))
        if op is None or op.result is not v or id(v) in self.busy:
            return None
        if self.literal or type(v) in PLAIN and self.plain(op):
            try:
                if not self.whole or type(v) in PLAIN or callable(v):
                    self.look.show(v, self.look.Needs(), True)
                    return None
            except Exception:
                pass
        return op

    def plain(self, op):
        """Whether no library had a hand in what an operation gave."""
        if op.at not in self.plainly:
            self.plainly[op.at] = True  # as far as is known: what it holds may come from itself
            self.plainly[op.at] = all(self.simple(v) for p in op.inputs() for v in inside(p))
        return self.plainly[op.at]

    def simple(self, v):
        if (getattr(v, "__module__", None) or "").split(".")[0] in SETTINGS:
            return True
        if callable(v):
            return getattr(v, "__module__", None) in ("builtins", None)
        maker = self.record.made.get(id(v))
        return type(v) in PLAIN and (maker is None or maker.result is not v or self.plain(maker))

    def makers(self, p):
        """The operations that a part is to be made by: its own, or those of what it holds."""
        op = self.source(thing(p))
        if op is not None:
            return [op]
        if not isinstance(p, Snap):
            return []
        return [op for x in p.copy for y in (x if type(x) is tuple else (x,)) for op in self.makers(y)]

    def slice(self, ends):
        """The operations that ends depend on, and those that may have changed what they use."""
        chosen, todo = set(), list(ends)
        last = max(op.at for op in ends)
        if self.whole:  # what gives nothing is done for what it does elsewhere
            todo += [op for op in self.record.ops[:last] if op.form == "call" and op.result is None and op.raised is None and thing(op.parts[0]) is not print]
        while todo:
            op = todo.pop()
            if op.at in chosen:
                continue
            chosen.add(op.at)
            if len(chosen) > 4 * STATEMENTS:
                self.look.cannot()
            todo += [maker for p in op.inputs() for maker in self.makers(p) if maker.at <= last]
            if self.whole:
                todo += self.touching(op, last)
        return [self.record.ops[i] for i in sorted(chosen)]

    def touching(self, op, last):
        things = {id(v) for p in op.inputs() + [op.result] for v in inside(p) if type(v) not in PLAIN and not callable(v) or id(v) in self.record.made and type(v) not in PLAIN}
        return [o for o in self.record.ops[:last] if o.raised is None and o.changes() and any(id(v) in things for p in o.inputs() for v in inside(p))]

    def count(self, ops):
        for op in ops:
            for p in op.inputs():
                for maker in self.makers(p):
                    self.uses[id(maker.result)] = self.uses.get(id(maker.result), 0) + 1

    def part(self, p):
        """A text for a value, and whether it holds together."""
        v = thing(p)
        if id(v) in self.called:
            return self.called[id(v)], True
        op = self.source(v)
        if op is not None:
            self.busy.add(id(v))
            try:
                return self.text(op)
            except self.look.Cannot:
                # What came out of a library cannot be had otherwise; what list() and the like made of a user's own can.
                if not self.plain(op) and getattr(thing(op.parts[0]), "__module__", None) != "builtins":
                    raise
            finally:
                self.busy.discard(id(v))
        if isinstance(p, Snap):
            return self.container(p), True
        owner = getattr(v, "__self__", None)
        if callable(v) and owner is not None and not isinstance(owner, type(sys)) and getattr(v, "__name__", ""):
            text, held = self.part(owner)
            return (text if held else "(%s)" % text) + "." + v.__name__, True
        text = self.look.show(v, self.needs, True)
        return text, not text.startswith("-") and (" " not in text or text[-1:] in ")]}'\"")

    def container(self, p):
        t = type(p.value)
        if t is dict:
            return "{" + ", ".join(self.part(k)[0] + ": " + self.part(v)[0] for k, v in p.copy) + "}"
        parts = [self.part(x)[0] for x in p.copy]
        if issubclass(t, tuple):
            return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
        if t is list and len(parts) > 3 and len(set(parts)) == 1 and "(" in parts[0]:
            return "[%s for _ in range(%d)]" % (parts[0], len(parts))
        if t is list:
            return "[" + ", ".join(parts) + "]"
        inner = "{" + ", ".join(parts) + "}" if parts else "set()"
        return inner if t is set else "frozenset(%s)" % inner

    def operand(self, p):
        text, held = self.part(p)
        return text if held else "(" + text + ")"

    def key(self, p):
        v = thing(p)
        if isinstance(v, slice):
            words = ["" if x is None else self.part(x)[0] for x in (v.start, v.stop, v.step)]
            return ":".join(words if words[2] else words[:2])
        if isinstance(v, tuple) and isinstance(p, Snap) and v:
            return ", ".join(self.key(x) for x in p.copy) + ("," if len(v) == 1 else "")
        return self.part(p)[0]

    def text(self, op):
        """What an operation looks like, and whether that holds together."""
        parts = op.parts
        if op.form in ("call", "method"):
            args = [self.part(p)[0] for p in parts[1:]] + ["%s=%s" % (k, self.part(v)[0]) for k, v in op.named.items()]
            return "%s%s(%s)" % (self.operand(parts[0]), "." + op.word if op.word else "", ", ".join(args)), True
        if op.form == "item":
            return "%s[%s]" % (self.operand(parts[0]), self.key(parts[1])), True
        if op.form == "attr":
            return self.operand(parts[0]) + "." + op.word, True
        if op.form == "setitem":
            return "%s[%s] = %s" % (self.operand(parts[0]), self.key(parts[1]), self.part(parts[2])[0]), False
        if op.form == "setattr":
            return "%s.%s = %s" % (self.operand(parts[0]), op.word, self.part(parts[1])[0]), False
        word = BY_NAME[op.word.lstrip("=")][0]
        if len(parts) == 1:
            return word + self.operand(parts[0]), False
        return "%s %s%s %s" % (self.operand(parts[0]), word, "=" if op.in_place() else "", self.operand(parts[1])), False

    def write(self, ends, finish, named=False):
        """The program: what it needs, the operations, and what finish makes of the last, or of names for them."""
        ops = self.slice(ends)
        self.count(ops)
        for op in ends:
            self.uses[id(op.result)] = self.uses.get(id(op.result), 0) + 1
        lines, taken = [], set()
        for op in ops:
            if op in ends and not named:
                continue
            name = self.record.made.get(id(op.result)) is op and self.uses.get(id(op.result), 0)
            if name and (name > 1 or self.whole and op.changes()):
                for text in self.aside(op):
                    self.called[id(op.result)] = word = self.fresh(op, taken)
                    lines.append("%s = %s" % (word, text))
            elif not name and op.changes():  # what is used once stands where it is used
                lines += self.aside(op)
        lines += finish(self)
        if len(lines) > STATEMENTS:
            self.look.cannot()
        return "\n".join(self.look.above(self.needs) + lines) + "\n"

    def aside(self, op):
        """What was done; where that cannot be said, it may not matter."""
        try:
            return [self.text(op)[0]]
        except self.look.Cannot:
            return []

    def fresh(self, op, taken):
        first = thing(op.parts[0]) if op.parts else None
        word = self.record.names.get(id(op.result)) or op.word.strip("=") or getattr(first, "__name__", "") or "value"
        word = word.lower() if word.isidentifier() else "value"
        name, n = word, 1
        while name in taken or hasattr(builtins, name) or name in sys.modules:
            n += 1
            name = "%s%d" % (word, n)
        taken.add(name)
        return name


def free(line, frame, statement):
    """Lines that give the names of a statement the meaning that they have in a frame."""
    lines, seen = [], set()
    chains = {}
    for n in ast.walk(statement):
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name):
            chains.setdefault(n.value.id, set()).add(n.attr)
    for n in ast.walk(statement):
        if not isinstance(n, ast.Name) or n.id in seen:
            continue
        seen.add(n.id)
        scope = frame.f_locals if n.id in frame.f_locals else frame.f_globals
        if n.id not in scope:
            continue
        v = scope[n.id]
        if isinstance(v, type(sys)):
            line.needs.imports.add("import " + v.__name__ + ("" if v.__name__ == n.id else " as " + n.id))
            continue
        if line.record.ours(v):
            line.needs.imports.add("import types")
            text = "types.SimpleNamespace(%s)" % ", ".join("%s=%s" % (a, line.part(snap(getattr(v, a)))[0]) for a in sorted(chains.get(n.id, ())))
        else:
            text = line.part(snap(v))[0]
        if text != n.id:
            lines.append("%s = %s" % (n.id, text))
    return lines


def asserted(record, source, tb, e):
    """Ways to end with the assertion that failed: as it stands, and as what was computed last."""
    frame = tb.tb_frame
    found = [n for n in ast.walk(source.tree) if isinstance(n, ast.Assert) and n.lineno <= tb.tb_lineno <= getattr(n, "end_lineno", n.lineno + 9)]
    if frame.f_code.co_filename != record.look.SCRIPT or not found or not record.ops:
        return
    statement = found[-1]
    names = [v for n in ast.walk(statement) if isinstance(n, ast.Name) for v in [frame.f_locals.get(n.id, frame.f_globals.get(n.id))]]
    values = [x for v in names for x in ([v] if not record.ours(v) else list(vars(v).values()) if hasattr(v, "__dict__") else [])]
    makers = [record.made[i] for v in values for x in inside(snap(v)) for i in [id(x)] if i in record.made and record.made[i].result is x]
    if hasattr(statement, "end_lineno"):
        yield makers, lambda line: free(line, frame, statement) + [source.text(*source.span(statement))], True
    last = [op for op in record.ops if op.raised is None and not isinstance(op.result, (type(None), str)) and op.form != "setattr"]
    message = ", %r" % str(e) if str(e) and len(str(e)) < 200 else ""
    for op in last[-1:]:
        yield [op], lambda line: ["assert " + line.text(op)[0] + message], False


def ends(record, source, e):
    """What a straight line can end with: the call that failed, what did not end, an assertion, or all that was printed."""
    if e is None:
        printed = [op for op in record.ops if op.form == "call" and thing(op.parts[0]) is print]
        if record.open:
            yield record.open[-1:], lambda line: [line.text(record.open[-1])[0]], False
        elif printed:
            yield printed, lambda line: [line.text(op)[0] for op in printed], False
        return
    failed = [op for op in record.ops if op.raised is e]
    if failed:
        yield failed[:1], lambda line: [line.text(failed[0])[0]], False
        return
    tb = e.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    if tb is not None and isinstance(e, AssertionError):
        for end in asserted(record, source, tb, e):
            yield end


def lines(record, source, e):
    """Straight lines, those with more written down first."""
    if len(record.ops) >= MOST:
        return []
    for op in record.open:
        if op.at is None:
            op.at = len(record.ops)
    all = []
    record.look.LONGEST = LONGEST
    for literal in (False, True):
        for whole in (False, True):
            for last, finish, named in ends(record, source, e):
                try:
                    text = Line(record, literal, whole).write(last, finish, named) if last else None
                except Exception:
                    text = None
                if text and text not in [x["text"] for x in all]:
                    all.append({"depth": 0, "own": True, "text": text, "computed": not literal})
    return all


def hooks(record):
    return {"__scrub_call__": record.call, "__scrub_op__": record.op, "__scrub_item__": record.item, "__scrub_attr__": record.attr,
            "__scrub_set__": record.set, "__scrub_iter__": record.iter, "__scrub_name__": record.name}
