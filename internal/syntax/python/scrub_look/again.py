"""Writes down all that a program asked of its libraries, one thing after the other, with what it was given: the same
again for any other version, whatever chose it."""

import enum
import re

from .kin import Kin, entry, module
from .lifting import above
from .recording import BY_NAME, PLAIN, Snap, Tagged, thing
from .showing import Cannot, Needs, cannot, limits, show

MOST = 1500
ATOMS = (int, float, str, bytes, bool, Tagged)
LONG = 5000  # characters of a value that is written down as it is


class Again:
    def __init__(self, record, literal):
        self.record, self.about, self.needs, self.literal = record, Kin(record), Needs(), literal
        self.steps, self.names, self.held = [], {}, {}

    def name(self, op):
        """The variable that has what an operation gave."""
        return self.names.get(id(op)) if op is not None else None

    def part(self, op, i, p):
        """A text for a part: what gave it, or the value written down."""
        v = thing(p)
        if self.literal and type(v) in ATOMS:
            return int.__repr__(v) if type(v) is Tagged else show(v, self.needs, True)
        given = self.giver(op, i, v) or self.held.get(id(v) if type(v) not in (bool, type(None)) else None)
        if given is not None:
            return given
        if type(v) is Tagged:
            return int.__repr__(v)
        return self.container(op, p) if isinstance(p, Snap) else self.value(v)

    def giver(self, op, i, v):
        """The variable that has a value because of what gave it."""
        given = self.name(op.givers.get(i)) if op is not None and i in op.givers else None
        if given is not None:
            return given
        maker = self.record.made.get(id(v))
        if type(v) in (str, bytes, float, Tagged):
            return self.name(maker) if maker is not None and maker.result is v else None
        if type(v) in PLAIN:
            return None
        return self.name(self.about.maker(op, v, None) if op is not None else maker)

    def value(self, v):
        """A value that nothing gave, as it is written down."""
        if isinstance(v, enum.Enum):
            self.needs.imports.add("import " + type(v).__module__)
            return "%s.%s.%s" % (type(v).__module__, type(v).__qualname__, v.name)
        if type(v) in (list, tuple, dict, set) and written(v) and len(repr(v)) < LONG:
            return repr(v)
        owner = getattr(v, "__self__", None)
        if callable(v) and owner is not None and id(owner) in self.record.made and getattr(v, "__name__", ""):
            return self.part(None, -1, owner) + "." + v.__name__
        return show(v, self.needs, True)

    def container(self, op, p):
        t, parts = type(p.value), [self.part(op, -1, x) for x in p.copy if type(x) is not tuple]
        if t is dict:
            return "{" + ", ".join("%s: %s" % (self.part(op, -1, k), self.part(op, -1, v)) for k, v in p.copy) + "}"
        if t is list:
            return "[" + ", ".join(parts) + "]"
        if issubclass(t, tuple):
            return "(" + "".join(x + ", " for x in parts) + ")"
        return "{" + ", ".join(parts) + "}" if parts and t is set else "%s([%s])" % (t.__name__, ", ".join(parts))

    def text(self, op):
        parts = [self.part(op, i, p) for i, p in enumerate(op.parts)]
        named = ["%s=%s" % (k, self.part(op, -1, v)) for k, v in op.named.items()]
        if op.form == "call":
            return "%s(%s)" % (parts[0], ", ".join(parts[1:] + named))
        if op.form == "method":
            return "%s.%s(%s)" % (parts[0], op.word, ", ".join(parts[1:] + named))
        if op.form == "join":
            return "%r.format(%s)" % (op.word, ", ".join(parts))
        if op.form == "item":
            return "%s[%s]" % (parts[0], parts[1])
        if op.form == "attr":
            return "%s.%s" % (parts[0], op.word)
        word = BY_NAME[op.word.lstrip("=")][0]
        return word + "(" + parts[0] + ")" if len(parts) == 1 else "(%s) %s (%s)" % (parts[0], word, parts[1])

    def write(self, op, last):
        word = ""
        if op.form == "setitem":
            text = "%s[%s] = %s" % tuple(self.part(op, i, p) for i, p in enumerate(op.parts))
        elif op.form == "setattr":
            text = "%s.%s = %s" % (self.part(op, 0, op.parts[0]), op.word, self.part(op, 1, op.parts[1]))
        elif last or op.form == "call" and thing(op.parts[0]) is print:
            text = self.text(op)
        else:
            word = "v%d" % len(self.steps)
            text = "%s = %s" % (word, self.text(op))
            self.names[id(op)] = word
            self.hold(word, op.result)
        asked = {"line": text, "name": word, "entry": label(self.record, op), "form": op.form}
        given = bool(re.search(r"\bv\d+\b", self.part(op, 0, op.parts[0]))) if op.form == "item" else False
        self.steps.append(dict(asked, plainly=plainly(op) and not (given and op.form == "item")))

    def hold(self, word, v):
        """What a result holds is had from there."""
        if type(v) in (list, tuple):
            for i, x in enumerate(v[:50]):
                if type(x) not in (int, bool, type(None), str) or type(x) is str and len(x) > 1:
                    self.held[id(x)] = "%s[%d]" % (word, i)
                    self.hold(self.held[id(x)], x)

    def program(self, e):
        limits.longest = 2000
        ops = [op for op in self.record.ops[:MOST] if op.form != "make" and not op.within]
        end = self.end(ops, e)
        for op in ops:
            if op is end:
                break
            if op.raised is None:
                self.once(op)
        if end is not None:
            self.write(end, True)
        if self.literal:
            self.steps = needed(self.steps)
            used = set().union(*[words(s["line"]) for s in self.steps])
            self.needs.names = self.needs.names & used
        return {"above": above(self.needs), "steps": self.steps}

    def end(self, ops, e):
        """What the program stopped at; None if it came to its end."""
        if e is None:
            return self.record.open[0] if self.record.open else None
        failed = [op for op in ops if op.raised is e]
        return failed[0] if failed else cannot()  # it came from elsewhere

    def once(self, op):
        """What cannot be said may not matter: whatever needs it cannot be said either."""
        try:
            self.write(op, False)
        except Cannot:
            pass


def written(v, depth=0):
    """Whether a value is made of nothing else than what can be written down."""
    if type(v) in (int, float, str, bytes, bool, type(None)):
        return v == v and v not in (float("inf"), -float("inf"))
    if type(v) is dict:
        return depth < 4 and all(written(k, depth + 1) and written(x, depth + 1) for k, x in v.items())
    return type(v) in (list, tuple, set) and depth < 4 and all(written(x, depth + 1) for x in v)


def words(line):
    return set(re.findall(r"\w+", line))


def needed(steps):
    """The last step, what it uses, and what may have changed that."""
    kept, names = [], set()
    for step in reversed(steps):
        has = words(step["line"])
        if not kept or step["name"] in names or step["form"] not in ("attr", "op", "item", "join") and has & names:
            kept.append(step)
            names |= {s["name"] for s in steps if s["name"] in has}
    return kept[::-1]


def again(record, e, literal):
    """The program again, with values written down or with what gave them; None if that cannot be."""
    try:
        return Again(record, literal).program(e)
    except Exception:
        return None


def label(record, op):
    """What was asked, with whose it is where that is an attribute, an operator or an element."""
    name = entry(record, op)
    if op.form not in ("attr", "op", "item", "setitem", "setattr") and name not in ("next", "iter"):
        return name
    for p in op.parts:
        owner = type(thing(p))
        if module(owner) not in ("builtins", "", "__main__", Tagged.__module__):
            return "%s.%s.%s" % (module(owner), owner.__qualname__, op.word or name.strip())
    return name


def plainly(op):
    """Whether it only counts or chooses among values: an operator of Python's own, or an element of what is written."""
    if op.word.lstrip("=") in ("Mod", "Add") and isinstance(thing(op.parts[0]), str):
        return False  # it puts a text together
    return op.form in ("op", "item") and all(type(thing(p)) in PLAIN + (Tagged,) for p in op.parts)
