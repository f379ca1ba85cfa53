# What expressions stand for.
import ast
import builtins
import importlib
import sys

from .known import ENVIRONMENT, GIVEN, HOMES, INSIDES, KNOWN, MODULES, computed, constant
from .values import DARK, HOLE, LONG, MANY, MOST, Bound, Const, Func, Ref
from .values import either, index, literal, plain, texts, union, wrap


class Expressions:
    "What expressions stand for; all that they touch is noted."

    def value(self, n):
        "What an expression may stand for; all that it touches is noted."
        self.seen += 1
        ok, c = literal(n)
        if ok:
            self.text(n, c)
            return (
                [Const(c)]
                if isinstance(c, (str, bytes, int, float, bool)) and not (isinstance(c, (str, bytes)) and len(c) > LONG)
                else []
            )
        see = getattr(self, "see_" + type(n).__name__, None)
        if see:
            return see(n) or []
        for child in ast.iter_child_nodes(n):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.comprehension):
                self.comprehension(child)
        return []

    def see_Name(self, n):
        values = self.scope.get(n.id)
        if values is None:
            values = []
            for scope in (self.scope, self.module):
                for module in scope.stars:
                    if module in KNOWN and hasattr(sys.modules.get(module) or importlib.import_module(module), n.id):
                        values.append(Ref(module + "." + n.id))
            if not values and (n.id in MODULES or n.id in self.imports):
                values = [Ref(n.id)]  # somebody will have imported it, if this is to run
            if not values and (hasattr(builtins, n.id) or n.id in ("__builtins__", "__loader__", "__spec__")):
                values = [Ref(n.id)]
        for v in values:
            if isinstance(v, Ref) and not v.made:
                self.use(n, v.name, v.args)
        return values

    def see_Attribute(self, n):
        return self.attribute(n, self.value(n.value), n.attr)

    def attribute(self, n, values, attr):
        found = []
        if attr in INSIDES:
            self.use(n, "object." + attr)
        for v in values:
            if isinstance(v, Ref):
                if v.name in ("__builtins__", "builtins") and attr not in ("__dict__", "__getitem__"):
                    r = Ref(attr)
                elif attr in ("__dict__", "__call__") and not v.name.endswith(")"):
                    r = v if attr == "__call__" else Ref(v.name + ".__dict__")
                else:
                    r = Ref(v.name + "." + attr, v.args, v.made)
                if not r.made:
                    self.use(n, r.name, r.args)
                text = constant(r)
                found.append(r if text is None else Const(text))
            elif isinstance(v, Const):
                found.append(Bound(v, attr))
        return union(found, self.attrs.get(attr, []))

    def see_Subscript(self, n):
        keys = self.value(index(n))
        return self.item(n, self.value(n.value), keys)

    def item(self, n, values, keys):
        found = []
        known = [k.value for k in keys if isinstance(k, Const) and isinstance(k.value, (str, int))]
        for v in values:
            if isinstance(v, Ref):
                name = v.name
                if not v.made:
                    self.use(n, name + ".__getitem__", texts(keys) or [""])
                if name == ENVIRONMENT and known[:1] in HOMES:
                    found.append(Const("~"))
                for k in known:
                    if name.endswith(".__dict__") or name in (
                        "vars",
                        "globals",
                        "locals",
                        "__builtins__",
                        "sys.modules",
                    ):
                        found = union(found, self.member(n, name, v, k))
                if not known or name in GIVEN:
                    found.append(Ref(name + ".__getitem__", v.args, v.made, getattr(n, "lineno", 0)))
            elif isinstance(v, Const):
                found = union(found, self.element(v.value, known, n))
        return found

    def member(self, n, name, v, k):
        if name == "sys.modules" and isinstance(k, str):
            r = Ref(k)
        elif name in ("globals", "locals", "vars"):
            return self.see_Name(ast.copy_location(ast.Name(id=str(k), ctx=ast.Load()), n))
        elif name == "__builtins__" or name in ("__builtins__.__dict__", "builtins.__dict__"):
            r = Ref(str(k))
        else:
            r = Ref(name[: -len(".__dict__")] + "." + str(k))
        self.use(n, r.name)
        return [r]

    def element(self, c, known, n):
        found = []
        sl = n.slice if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Slice) else None
        try:
            if sl is not None:
                parts = [self.number(p) for p in (sl.lower, sl.upper, sl.step)]
                return [Const(c[slice(*parts)])]
            for k in known:
                if isinstance(c, dict):
                    found = union(found, c.get(k, []))
                elif isinstance(c, (list, tuple)):
                    found = union(found, c[k])
                elif isinstance(c, (str, bytes)):
                    found.append(Const(c[k]))
            if not known and isinstance(c, (list, tuple, dict)):
                for item in list(c.values() if isinstance(c, dict) else c)[:20]:
                    found = union(found, item)
        except Exception:
            pass
        return found

    def number(self, n):
        if n is None:
            return None
        for v in self.value(n):
            if isinstance(v, Const) and isinstance(v.value, int):
                return v.value
        raise ValueError

    def see_BinOp(self, n):
        left, right = self.value(n.left), self.value(n.right)
        found = []
        for a in left or [None]:
            for b in right or [None]:
                v = self.combined(n, a, b)
                if v is not None:
                    found = union(found, [v])
        return found

    def combined(self, n, a, b):
        "Two values that an operator makes one of, None being what is not known."
        a, b = (None if v is DARK else v for v in (a, b))
        joined = self.joined(n, a, b)
        if joined is not None:
            return joined
        try:
            x = plain(a) if a is not None else HOLE
            y = plain(b) if b is not None else HOLE
            if isinstance(n.op, ast.Add) and (
                a is None and not isinstance(y, str) or b is None and not isinstance(x, str)
            ):
                return None
            r = computed(n.op, x, y)
        except Exception:
            return None
        if r is None:
            return None
        self.text(n, r)
        return wrap(r) if not isinstance(r, (str, bytes)) or len(r) < LONG else None

    def joined(self, n, a, b):
        "A path or text made of what a call gave: what is known of it is kept."
        if isinstance(n.op, ast.Div) and isinstance(a, Ref) and a.name.endswith("Path"):
            return Ref(a.name, ["/".join([*a.args[-1:], *texts([b] if b else [])]) or HOLE], True)
        for v, other in ((a, b), (b, a)):
            if isinstance(v, Ref) and v.args and isinstance(n.op, (ast.Add, ast.Mod)):
                more = texts([other]) if other is not None else []
                parts = [*v.args[:1], *more] if v is a else [*more, *v.args[:1]]
                return Ref(v.name, ["".join(parts)], True)
        return None

    def see_JoinedStr(self, n):
        all = [""]
        for part in n.values:
            ok, c = literal(part)
            words = [str(c)] if ok else self.words(self.value(part.value))
            all = [text + word for text in all for word in words][:MANY]
        for text in all:
            self.text(n, text)
        return union(*[[Const(text[:LONG])] for text in all])

    def words(self, values):
        "What values may be as a part of a text."
        found = []
        for v in values[:4] or [DARK]:
            try:
                word = str(plain(v))
            except Exception:
                word = "".join(texts([v])[:1]) or HOLE
            if word not in found:
                found.append(word)
        return found

    def see_NamedExpr(self, n):
        values = self.value(n.value)
        self.assign(n.target, values)
        return values

    def see_IfExp(self, n):
        self.value(n.test)
        return either(self.value(n.body), self.value(n.orelse))

    def see_BoolOp(self, n):
        return either(*[self.value(v) for v in n.values])

    def see_Starred(self, n):
        return self.value(n.value)

    def see_Await(self, n):
        return self.value(n.value)

    def see_Tuple(self, n):
        return [Const(tuple(self.value(e) for e in n.elts[:2000]))]

    def see_List(self, n):
        return [Const([self.value(e) for e in n.elts[:2000]])]

    def see_Set(self, n):
        return [Const([self.value(e) for e in n.elts[:2000]])]

    def see_Dict(self, n):
        made = {}
        for k, v in zip(n.keys, n.values):
            values = self.value(v)
            keys = (
                [x.value for x in self.value(k) if isinstance(x, Const) and isinstance(x.value, (str, int))]
                if k is not None
                else []
            )
            for key in keys or [object()]:  # one that cannot be read is a key of its own
                made[key] = values
        return [Const(made)]

    def see_Lambda(self, n):
        self.body(n, self.scope)
        return [Func(n, self.scope)]

    def affords(self, n):
        "Whether so many things may still be gone through one by one."
        self.budget -= n
        enough = self.budget <= 0 or self.seen >= MOST
        self.lost = self.lost or n < 2000 and enough
        return n < 2000 and not enough

    def comprehension(self, c):
        self.assign(c.target, self.items(self.value(c.iter)))
        for test in c.ifs:
            self.value(test)

    def see_ListComp(self, n):
        for c in n.generators:
            self.comprehension(c)
        values = self.value(n.elt)
        # A loop over a known list gives a known list: texts are put together like this.
        first = n.generators[0]
        if len(n.generators) == 1 and isinstance(first.target, ast.Name):
            for v in self.value(first.iter):
                c = v.value if isinstance(v, Const) else None
                if isinstance(c, (str, bytes)):
                    c = [[Const(x)] for x in c[:2000]]
                if isinstance(c, (list, tuple)) and self.affords(len(c)):
                    made = []
                    for item in c:
                        if not self.affords(0):
                            return [Const([values])]
                        self.scope.names[first.target.id] = item
                        made.append(self.value(n.elt))
                    return [Const(made)]
        return [Const([values])]

    see_GeneratorExp = see_SetComp = see_ListComp
