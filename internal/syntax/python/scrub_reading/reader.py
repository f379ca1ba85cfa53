# Follows names through a program.
from .byname import ByName
from .calls import Calls
from .expressions import Expressions
from .statements import Statements
from .values import MOST, Scope


class Reader(Statements, Expressions, Calls, ByName):
    "Follows names through imports, aliases, attributes, containers, calls and the pieces of texts."

    def __init__(self):
        self.module = Scope()
        self.scope = self.module
        self.attrs, self.returns, self.params, self.uses, self.strings = {}, {}, {}, {}, {}
        self.imports, self.todo, self.at, self.inside, self.known = set(), [], None, 0, 0

    def use(self, node, name, args=()):
        line = self.at or getattr(node, "lineno", 0)
        known = self.uses.setdefault((line, name), [])
        known.extend(a for a in args if a not in known and len(known) < 40)

    def text(self, node, value):
        if isinstance(value, bytes):
            value = value.decode("latin-1")
        if isinstance(value, str) and len(value) > 3 and len(self.strings) < 4000:
            self.strings.setdefault((self.at or getattr(node, "lineno", 0), value[:1000]), None)

    def read(self, tree):
        # Twice, if need be: a function may be called with what is only known later.
        for _ in range(2):
            before = self.known
            self.module = self.scope = Scope()
            self.uses, self.todo, self.steps, self.budget, self.seen, self.lost = {}, [], 400, 8000, 0, False
            self.block(tree.body)
            done = 0
            while done < len(self.todo) and done < 5000:
                node, scope = self.todo[done]
                self.body(node, scope)
                done += 1
            if self.known == before or self.seen >= MOST:
                break
        if self.lost:
            self.use(tree.body[0], "unfollowed")
