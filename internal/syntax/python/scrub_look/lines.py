"""Says in straight lines what a program asked of its libraries."""

import ast
import builtins
import sys

from .lifting import above
from .recording import BY_NAME, MOST, PLAIN, SETTINGS, Snap, inside, snap, thing
from .showing import Cannot, Needs, cannot, limits, show
from .subject import SCRIPT

LONGEST = 2000  # characters of one value
STATEMENTS = 120  # that a straight line may have
PARTS = 4000  # values that are written down for one


class Line:
    """A straight line of operations that leads to one of them."""

    def __init__(self, record, literal, whole):
        self.record, self.literal, self.whole = record, literal, whole
        self.needs, self.parts = Needs(), 0
        self.uses, self.called, self.busy, self.plainly = {}, {}, set(), {}

    def source(self, v):
        """The operation that a value is to be made by; None if it can be written down, or must be."""
        op = self.record.made.get(id(v))
        if op is None or op.result is not v or id(v) in self.busy:
            return None
        if self.literal or type(v) in PLAIN and self.plain(op):
            try:
                if not self.whole or type(v) in PLAIN or callable(v):
                    show(v, Needs(), True)
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
            todo += [
                op
                for op in self.record.ops[:last]
                if op.form == "call" and op.result is None and op.raised is None and thing(op.parts[0]) is not print
            ]
        while todo:
            op = todo.pop()
            if op.at in chosen:
                continue
            chosen.add(op.at)
            if len(chosen) > 4 * STATEMENTS:
                cannot()
            todo += [maker for p in op.inputs() for maker in self.makers(p) if maker.at <= last]
            if self.whole:
                todo += self.touching(op, last)
        return [self.record.ops[i] for i in sorted(chosen)]

    def touching(self, op, last):
        things = {
            id(v)
            for p in op.inputs() + [op.result]
            for v in inside(p)
            if type(v) not in PLAIN and not callable(v) or id(v) in self.record.made and type(v) not in PLAIN
        }
        return [
            o
            for o in self.record.ops[:last]
            if o.raised is None and o.changes() and any(id(v) in things for p in o.inputs() for v in inside(p))
        ]

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
        self.parts += 1
        if self.parts > PARTS:
            cannot()  # what holds itself many times over would take for ever to write down
        op = self.source(v)
        if op is not None:
            self.busy.add(id(v))
            try:
                return self.text(op)
            except Cannot:
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
        text = show(v, self.needs, True)
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
        if op.form in ("call", "method", "make"):
            args = [self.part(p)[0] for p in parts[1:]] + ["%s=%s" % (k, self.part(v)[0]) for k, v in op.named.items()]
            return "%s%s(%s)" % (self.operand(parts[0]), "." + op.word if op.word else "", ", ".join(args)), True
        if op.form == "join":
            return "%r.format(%s)" % (op.word, ", ".join(self.part(p)[0] for p in parts)), True
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
        return (
            "%s %s%s %s" % (self.operand(parts[0]), word, "=" if op.in_place() else "", self.operand(parts[1])),
            False,
        )

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
            cannot()
        return "\n".join(above(self.needs) + lines) + "\n"

    def aside(self, op):
        """What was done; where that cannot be said, it may not matter."""
        try:
            return [self.text(op)[0]]
        except Cannot:
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
            text = "types.SimpleNamespace(%s)" % ", ".join(
                "%s=%s" % (a, line.part(snap(getattr(v, a)))[0]) for a in sorted(chains.get(n.id, ()))
            )
        else:
            text = line.part(snap(v))[0]
        if text != n.id:
            lines.append("%s = %s" % (n.id, text))
    return lines


def makers_of(record, frame, statement):
    """The operations that made what a statement speaks of."""
    makers = []
    for n in ast.walk(statement):
        if not isinstance(n, ast.Name):
            continue
        v = frame.f_locals.get(n.id, frame.f_globals.get(n.id))
        values = [v] if not record.ours(v) else list(vars(v).values()) if hasattr(v, "__dict__") else []
        for x in (x for value in values for x in inside(snap(value))):
            if id(x) in record.made and record.made[id(x)].result is x:
                makers.append(record.made[id(x)])
    return makers


def asserted(record, source, tb, e):
    """Ways to end with the assertion that failed: as it stands, and as what was computed last."""
    frame = tb.tb_frame
    found = [
        n
        for n in ast.walk(source.tree)
        if isinstance(n, ast.Assert) and n.lineno <= tb.tb_lineno <= getattr(n, "end_lineno", n.lineno + 9)
    ]
    if frame.f_code.co_filename != SCRIPT or not found or not record.ops:
        return
    statement = found[-1]
    makers = makers_of(record, frame, statement)
    if hasattr(statement, "end_lineno"):
        yield makers, lambda line: free(line, frame, statement) + [source.text(*source.span(statement))], True
    last = [
        op
        for op in record.ops
        if op.raised is None and not isinstance(op.result, (type(None), str)) and op.form != "setattr"
    ]
    message = ", %r" % str(e) if str(e) and len(str(e)) < 200 else ""
    for op in last[-1:]:
        yield [op], lambda line: ["assert " + line.text(op)[0] + message], False


def ends(record, source, e):
    """What a straight line can end with: the failed call, what did not end, an assertion, or all that was printed."""
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
    limits.longest = LONGEST
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
    return {
        "__scrub_call__": record.call,
        "__scrub_op__": record.op,
        "__scrub_join__": record.join,
        "__scrub_item__": record.item,
        "__scrub_attr__": record.attr,
        "__scrub_set__": record.set,
        "__scrub_iter__": record.iter,
        "__scrub_name__": record.name,
    }
