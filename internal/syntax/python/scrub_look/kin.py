"""What makes it the same bug: what was asked of a library when it failed, and where its operands came from."""

import ast
import difflib
import os
import sys

from .recording import PLAIN, ROUTINES, SETTINGS, Snap, inside, thing
from .subject import SCRIPT, program

MOST = 40  # operands that are told of
SCALARS = (int, float, complex, bool, str, bytes, type(None))
HERE = os.path.dirname(os.path.abspath(__file__))
LOOK = os.path.join(os.path.dirname(SCRIPT), "repro.py")  # which has the program run


def called(f):
    """How a callable is named where it is defined."""
    f = getattr(f, "__func__", f)
    owner = getattr(f, "__self__", None)
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None) or type(f).__qualname__
    if owner is not None and not isinstance(owner, type(sys)) and "." not in name:
        of = owner if isinstance(owner, type) else type(owner)
        return (module(of) + "." if module(of) not in ("", "builtins") else "") + of.__qualname__ + "." + name
    where = module(f) or module(getattr(f, "__objclass__", type(f)))
    return name if where in ("", "builtins") else where + "." + name


def entry(record, op):
    """What a program asked for: a function, a method of a type, or an operator."""
    if op.form == "join":
        return "text"
    first = thing(op.parts[0])
    if op.form == "call":
        return called(first)
    owner = first if isinstance(first, type) else type(first)
    if op.form == "method":
        found = getattr(owner, op.word, None)
        return called(found) if found is not None else owner.__qualname__ + "." + op.word
    return op.form + " " + (op.word or "") if op.form != "op" else op.word.lstrip("=")


def asked(op):
    """Whether an operation asks a library for something, and not Python itself: what it counts is a number like any."""
    return op.form not in ("op", "join") and not (op.form == "call" and module(thing(op.parts[0])) == "builtins")


def family(v):
    """The package that a value's type is of, or for one of Python's own the type."""
    t = type(v)
    return t.__name__ if module(t) in ("builtins", "") else module(t).split(".")[0]


def module(v):
    """The module that something is of, as it says; what has none, or another thing by that name, is of none."""
    found = getattr(v, "__module__", None)
    return found if isinstance(found, str) else ""


def held(p):
    """What a container holds."""
    if isinstance(p, Snap):
        for x in p.copy:
            for y in x if type(x) is tuple else (x,):
                yield y


def written(v):
    """The kind of a value that was written down: what another one must have in common with it."""
    t = type(v)
    if v is None or t is bool:
        return repr(v)
    if t in (int, float):
        return "%s %s" % (t.__name__, "zero" if v == 0 else "positive" if v > 0 else "negative" if v < 0 else "nan")
    if t in (str, bytes, list, tuple, dict, set, frozenset):
        return t.__name__ + (" empty" if len(v) == 0 else "")
    return t.__name__


class Kin:
    """Tells origins, with what one run has recorded."""

    def __init__(self, record):
        self.record, self.hands = record, {}
        constants = [n for n in ast.walk(ast.parse(program.text)) if isinstance(n, ast.Constant)]
        self.literals = {n.value for n in constants if isinstance(n.value, (str, bytes, float))}

    def giver(self, op, i, p, depth=0, last=False):
        """The operation that gave a part of one, if that is known; the last one, also if it only gave it back."""
        v = thing(p)
        found = op.givers.get(i)
        if found is not None and last and self.led(found):
            return found
        found = self.maker(op, v, found)
        if found is not None and found.form == "make":
            return None  # it is the program's own, however it was made
        if found is None or found.result is not v:
            if type(v) in (str, bytes, float) and v in self.literals and i not in op.givers:
                return None  # equal ones are often one and the same object
            found = self.record.held.get(id(v), [op.givers.get(i)])[0]
        if found is None or type(v) not in PLAIN or depth > 20:
            return found
        for at, q in enumerate(found.inputs()):
            if any(x is v for x in inside(q)):  # it gave back what it was given
                return None if thing(q) is v else self.giver(found, at, q, depth + 1)
        return found

    def maker(self, op, v, otherwise):
        """The operation that made a thing. One that came later only gave it back once more."""
        found = self.record.made.get(id(v), otherwise)
        if found is None or op.at is None or found.at is None or found.at < op.at:
            return found
        return None

    def touched(self, op):
        """Whether a library had a hand in what an operation gave."""
        if id(op) not in self.hands:
            self.hands[id(op)] = False  # as far as is known: what it holds may come from itself
            self.hands[id(op)] = any(self.foreign(op, i, p) for i, p in enumerate(op.inputs()))
        return self.hands[id(op)]

    def led(self, op, depth=0):
        """Whether what an operation gave went through a library, be it that it only came back."""
        if op.form == "make" or depth > 20:
            return False
        return self.touched(op) or any(o is not op and self.led(o, depth + 1) for o in op.givers.values())

    def foreign(self, op, i, p):
        v = thing(p)
        if (module(v) or module(type(v))).split(".")[0] in SETTINGS:
            return False
        if self.owns(type(v)) or self.record.own(v):
            return True  # it is the program's, and no more written down than what a library gives
        if isinstance(v, ROUTINES):
            return module(v) not in ("builtins", "")
        if isinstance(v, type):
            return module(v) != "builtins"
        if module(type(v)) != "builtins":
            return True
        giver = self.giver(op, i, p)
        if giver is not None and giver is not op:
            return self.touched(giver)
        if type(v) not in PLAIN:
            return True
        return any(self.foreign(op, -1, x) for x in held(p))

    def origin(self, op, i, p):
        """Where a part comes from: [origin, what]."""
        v = thing(p)
        if self.owns(type(v)) or isinstance(v, type) and self.owns(v):
            return ["own", "class", (v if isinstance(v, type) else type(v)).__name__]
        if self.record.own(v):
            return ["own", "function"]
        giver = self.giver(op, i, p)
        if self.gift(op, giver, v):
            return ["library", family(v), entry(self.record, giver)]
        if callable(v) and module(v) == "builtins":
            return ["written", "builtin"]
        if type(v) not in PLAIN:
            return ["library", family(v), module(type(v)) + "." + type(v).__qualname__]
        found = [self.origin(op, -1, x) for x in list(held(p))[:MOST]]
        for kind in ("own", "library"):
            inner = [f for f in found if f[0] == kind]
            if inner:
                return [kind, "%s in a %s" % (inner[0][1], type(v).__name__)] + inner[0][2:]
        return ["written", written(v), repr(v) if type(v) in (int, float) else ""]

    def gift(self, op, giver, v):
        """Whether a library gave a part. Both sides of what an assertion compares are results, however Python
        counted them; otherwise what Python counts is a number like any, and not what it only passes on."""
        if giver is None or giver is op or not self.touched(giver):
            return False
        return type(v) not in SCALARS or asked(giver) or giver.result is not v or denied(op)

    def owns(self, t):
        return t.__module__ == "__main__"

    def operands(self, op):
        first = 1 if op.form == "call" else 0
        all = [[str(i - first)] + self.origin(op, i, p) for i, p in enumerate(op.parts[: MOST]) if i >= first]
        return all + [[k] + self.origin(op, -1, p) for k, p in op.named.items()]

    def equals(self, op):
        """Whether a library was given something of the program's own before that equals an operand, and is another."""
        mine = {id(v): v for p in op.inputs() for v in inside(p) if self.owns(type(v))}
        earlier = self.record.ops[max(0, (op.at or 0) - 200) : op.at or 0]
        given = [v for o in earlier if o.form != "make" for p in o.inputs() for v in inside(p)]
        before = {id(v): v for v in given if self.owns(type(v))}
        for v in list(mine.values())[:5]:
            for other in list(before.values())[:100]:
                try:
                    if other is not v and type(other) is type(v) and bool(other == v):
                        return True
                except Exception:
                    pass
        return False

    def computed(self, op, i, p, depth=0):
        """The operations of libraries that a part was computed by, behind what only shows it in another way."""
        giver = self.giver(op, i, p, last=True)
        if giver is None or giver is op or not self.led(giver) or depth > 20:
            return [o for x in list(held(p))[:MOST] for o in self.computed(op, -1, x, depth + 1)]
        f = thing(giver.parts[0]) if giver.parts else None
        if giver.form == "join" or giver.form == "call" and module(f) == "builtins":
            inner = [o for i, x in enumerate(giver.inputs()) for o in self.computed(giver, i, x, depth + 1)]
            return inner or [giver]
        return [giver]

    def values(self, op, wrong):
        """The operands of what computed a wrong result: it may be wrong because of any of them. So also of what can
        only come out one way or the other."""
        if not wrong and not isinstance(op.result, (bool, type(None))) or op.raised is not None:
            return []
        given = [("", p) for p in op.parts[1 if op.form == "call" else 0 :]]
        all = []
        for name, p in given + [(k + "=", p) for k, p in op.named.items()]:
            try:
                text = repr(thing(p))
            except Exception:
                text = ""
            all.append(name + (text if len(text) <= 500 and " at 0x" not in text else ""))
        return all

    def printed(self, op):
        """What a call of print said, and what computed that."""
        try:
            text = " ".join(str(thing(p)) for p in op.parts[1:])
        except Exception:
            return None
        made = {id(o): o for i, p in enumerate(op.parts) if i > 0 for o in self.computed(op, i, p)}
        return [text[:2000], [self.operation(o, wrong=True) for o in list(made.values())[:12]]]

    def operation(self, op, ends=False, wrong=False):
        return {
            "relation": relation(op) if denied(op) and len(op.parts) == 2 else "",
            "values": self.values(op, wrong),
            "entry": entry(self.record, op),
            "operands": self.operands(op),
            "called": sorted(self.record.asked.get(id(op), ())),
            "equal": ends and self.equals(op),
        }


def flow(about, ends):
    """The operations that some were fed by, their own makers included."""
    found, todo = {}, list(ends)
    while todo and len(found) < MOST:
        op = todo.pop()
        if id(op) in found:
            continue
        found[id(op)] = op
        for i, p in enumerate(op.inputs()):
            for at, x in [(i, p)] + [(-1, y) for y in held(p)]:
                giver = about.giver(op, at, x)
                if giver is not None and giver is not op:
                    todo.append(giver)
    return [about.operation(op) for op in found.values() if about.touched(op) and op not in ends]


def frames_of(e):
    found, tb = [], e.__traceback__
    while tb is not None:
        frame = tb.tb_frame
        if not frame.f_code.co_filename.startswith(HERE) and frame.f_code.co_filename != LOOK:
            code = frame.f_code
            name = getattr(code, "co_qualname", code.co_name)
            found.append((code.co_filename == SCRIPT, frame.f_globals.get("__name__") or "", name))
        tb = tb.tb_next
    return found


def leaves(e, depth=0):
    """The exceptions that a group holds, at any depth; of any other that one."""
    held = getattr(e, "exceptions", None)
    if not isinstance(held, tuple) or not held or depth > 5:
        return [e]
    return [x for h in held if isinstance(h, BaseException) for x in leaves(h, depth + 1)]


def raised(e):
    frames = frames_of(e)
    library = [m + "." + f for own, m, f in frames if not own]
    causes, seen = [], set()
    at = e.__cause__
    while at is not None and id(at) not in seen and len(causes) < 8:
        seen.add(id(at))
        causes.append(type(at).__name__)
        at = at.__cause__
    return {
        "class": type(e).__name__,
        "raiser": library[-1] if frames and not frames[-1][0] else "",
        "library": library[:60],
        "path": [f for own, _, f in frames if own][:60],
        "causes": causes,
    }


def relation(op):
    """How the two sides of a comparison differ, whatever they are."""
    a, b = thing(op.parts[0]), thing(op.parts[1])
    kinds = "%s and %s" % (type(a).__name__, type(b).__name__)
    try:
        if isinstance(a, (int, float)) and isinstance(b, (int, float)):
            if a != a or b != b:
                return kinds + ", not a number"
            near = abs(a - b) <= 1e-6 * max(abs(a), abs(b))
            return kinds + (", nearly equal" if near else ", less" if a < b else ", greater")
        if isinstance(a, str) and isinstance(b, str):
            near = difflib.SequenceMatcher(None, a[:2000], b[:2000]).quick_ratio() > 0.6
            return kinds + (", alike" if near else "")
        if isinstance(a, (list, tuple, dict, set)) and isinstance(b, (list, tuple, dict, set)):
            return kinds + (", of one length" if len(a) == len(b) else ", shorter" if len(a) < len(b) else ", longer")
    except Exception:
        pass
    return kinds


def denied(op):
    """Whether an operation said no, as what an assertion tests."""
    return op.raised is None and type(op.result).__name__ in ("bool", "bool_", "BooleanFalse") and not op.result


def kin(record, e):
    """The kin of a run that ended with e, or well."""
    record.closed = True
    about = Kin(record)
    found, ends = {"operations": [], "printed": [], "raised": []}, []
    if e is not None:
        found["raised"] = [raised(x) for x in leaves(e)[:8]]
        for x in leaves(e)[:8]:
            ends += [op for op in record.ops if op.raised is x][:1]
        if not ends and isinstance(e, AssertionError):
            ends = [o for o in record.ops if denied(o)][-1:]
    elif record.open:
        ends = record.open[-1:]
    found["operations"] = [about.operation(op, True) for op in ends]
    prints = [op for op in record.ops if op.form == "call" and thing(op.parts[0]) is print]
    found["printed"] = [p for p in map(about.printed, prints[:200]) if p is not None]
    found["flow"] = flow(about, ends or prints[:20])
    return found
