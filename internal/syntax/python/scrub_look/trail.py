"""Tells what a program asks, one thing after the other, as it asks: also of one that dies of it."""

import json
import os
import re

from .kin import Kin, called, entry, family, module
from .recording import PLAIN, ROUTINES, thing

MOST = 400
FILE = os.path.abspath("asked.txt")
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}")
LOOKED_AT = ("next", "iter", "len", "str", "repr")


def look(v, depth=0):
    """How a value looks, as far as that is the same twice; of what a library makes, only what it is."""
    if isinstance(v, ROUTINES) or isinstance(v, type):
        return called(v) if callable(v) else getattr(v, "__name__", "")
    if type(v) not in PLAIN or depth > 3:
        return "a " + family(v) + " " + type(v).__qualname__
    if type(v) in (list, tuple, set, frozenset):
        parts = [look(x, depth + 1) for x in list(v)[:50]]
        return (
            type(v).__name__
            + str(len(v))
            + "["
            + ", ".join(parts if type(v) in (list, tuple) else sorted(parts))
            + "]"
        )
    if type(v) is dict:
        return "{" + ", ".join(look(k, depth + 1) + ": " + look(x, depth + 1) for k, x in list(v.items())[:50]) + "}"
    return ADDRESS.sub("0x", repr(v))


def plain(p):
    """What print writes of a part."""
    try:
        return ADDRESS.sub("0x", str(thing(p)))
    except Exception:
        return ""


def label(record, op):
    """What was asked, with whose it is where that is an attribute, an operator or an element."""
    name = entry(record, op)
    if op.form not in ("attr", "op", "item", "setitem", "setattr") and name not in LOOKED_AT:
        return name
    for p in op.parts:
        owner = type(thing(p))
        if module(owner) not in ("builtins", "", "__main__"):
            return "%s.%s.%s" % (module(owner), owner.__qualname__, op.word or name.strip())
    return name


def source(v):
    """Where something is that was read: a module, or a class of one."""
    return (module(v) + "." if isinstance(v, type) else "") + getattr(v, "__qualname__", getattr(v, "__name__", ""))


class Trail:
    """Writes it down in a file that outlives the program."""

    def __init__(self, record):
        self.record, self.about, self.at, self.n = record, Kin(record), {}, 0
        self.file = os.open(FILE, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def __call__(self, what, of):
        tell, self.record.tell = self.record.tell, None  # looking at values may ask for something again
        try:
            row = getattr(self, what)(of)
            if row is not None and self.n < 3 * MOST:
                self.n += 1
                os.write(self.file, (json.dumps([what, row]) + "\n").encode())
        except Exception:
            pass
        finally:
            self.record.tell = tell

    def open(self, op):
        return label(self.record, op)

    def read(self, one):
        v, name, got = one
        return [source(v) + "." + name, look(got)[:300]]

    def done(self, op):
        """What was asked, what came of it, and which one gave what it was asked of."""
        self.at[id(op)] = n = len(self.at)
        if n >= MOST:
            return None
        first = 1 if op.form == "call" else 0
        prints = op.form == "call" and thing(op.parts[0]) is print
        subjects = range(1, len(op.parts)) if prints or op.form == "join" else range(first, first + 1)
        givers = [self.about.giver(op, i, op.parts[i], last=True) for i in subjects if i < len(op.parts)]
        if op.raised is not None:
            result = "raises " + type(op.raised).__name__
        else:
            result = " ".join(map(plain, op.parts[1:])) if prints else look(op.result)
        return {
            "entry": label(self.record, op),
            "form": op.form,
            "result": result[:300],
            "given_by": [self.at[id(g)] for g in givers if id(g) in self.at and g is not op],
        }


def told():
    """What was written down: all that was asked, what was read, and what was begun and not done."""
    found = {"done": [], "read": [], "open": []}
    if os.path.exists(FILE):
        with open(FILE) as f:
            for what, row in map(json.loads, f):
                found[what].append(row)
                if what == "done" and found["open"]:
                    found["open"].pop()
    return {"trail": found["done"], "reads": found["read"], "stopped_in": "".join(found["open"][-1:])}


def left():
    """What is known of a program that has died."""
    return dict(operations=[], printed=[], raised=[], flow=[], **told())
