# What calls give.
import ast

from .known import CODECS, FOLDS, METHODS, RUNS
from .values import DARK, HOLE, LONG, MOST, Bound, Const, Func, Ref, Scope
from .values import dark, either, plain, sources, texts, union, wrap


class Calls:
    "What calls give, of functions of the program and of others."

    def see_Call(self, n):
        callee = self.value(n.func)
        args = [self.value(a) for a in n.args]
        names = {}
        for k in n.keywords:
            values = self.value(k.value)
            if k.arg is None:  # of a dict that is there to read
                for v in values:
                    if isinstance(v, Const) and isinstance(v.value, dict):
                        names.update((key, given) for key, given in v.value.items() if isinstance(key, str))
                values = union(names.get(None), values)
            names[k.arg] = values
        if not callee and isinstance(n.func, ast.Attribute):
            self.use(n, "?." + n.func.attr, [t for a in args for t in texts(a)])
        return self.called(n, callee, args, names)

    def called(self, n, callee, args, names):
        found = []
        for f in callee:
            if isinstance(f, Ref):
                found = union(found, self.call(n, f, args, names))
            elif isinstance(f, Func):
                found = union(found, self.enter(f, args, names))
            elif isinstance(f, Bound):
                found = union(found, self.fold(n, f, args, names))
        return found

    def enter(self, f, args, names):
        spec = f.node.args
        params = [a.arg for a in getattr(spec, "posonlyargs", []) + spec.args]
        given = dict(zip(params, args))
        given.update({k: v for k, v in names.items() if k})
        if spec.vararg and len(args) > len(params):
            given[spec.vararg.arg] = [Const(tuple(args[len(params) :]))]
        changed = False
        known = self.params.setdefault(id(f.node), {})
        for name, values in given.items():
            telling = [
                v for v in values if not isinstance(v, Const) or isinstance(v.value, (str, bytes, list, tuple, dict))
            ]
            new = either(known[name], telling) if name in known else telling
            changed = changed or name not in known or len(new) != len(known[name])
            known[name] = new
        self.known += changed
        if changed and self.steps > 0 and self.seen < MOST:
            self.steps -= 1
            self.body(f.node, f.scope)
        self.lost = self.lost or changed and self.seen >= MOST
        return self.returns.get(id(f.node), [])

    def body(self, node, scope):
        "Reads what a function does, with all that it is known to be called with."
        inner = Scope(scope, True)
        spec = node.args
        known = self.params.get(id(node), {})
        every = (
            getattr(spec, "posonlyargs", []) + spec.args + spec.kwonlyargs + [a for a in (spec.vararg, spec.kwarg) if a]
        )
        positional = getattr(spec, "posonlyargs", []) + spec.args
        for a in every:
            inner.names[a.arg] = known.get(a.arg, [])
        for a, d in list(zip(positional[len(positional) - len(spec.defaults) :], spec.defaults)) + [
            (a, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None
        ]:
            inner.names[a.arg] = either(known[a.arg], self.value(d)) if a.arg in known else self.value(d)
        self.scope, outer, self.inside, before = inner, self.scope, id(node), self.inside
        if isinstance(node, ast.Lambda):
            self.returns[id(node)] = union(self.returns.get(id(node), []), self.value(node.body))
        else:
            self.block(node.body)
        self.scope, self.inside = outer, before

    def fold(self, n, f, args, names):
        "Calls a harmless method of a value that is known."
        c = f.value.value
        kind = next((k for k in METHODS if isinstance(c, k)), None)
        if isinstance(c, dict) and f.attr in ("get", "pop", "setdefault"):
            return self.item(n, [f.value], args[0] if args else [])
        if isinstance(c, list) and f.attr in ("append", "insert", "extend") and len(c) < 500:
            c.append(args[-1] if args else [])
            return []
        if kind is None or f.attr not in METHODS[kind]:
            return []
        try:
            return self.folded(n, f, args, names)
        except Exception:
            if f.attr in ("join", "format", "replace", "strip", "rstrip", "lstrip"):
                return [Const(HOLE.join(texts([f.value]) + [t for a in args for t in texts(a)])[:LONG])]
            return []

    def folded(self, n, f, args, names):
        if f.attr in ("decode", "encode") and args and plain(args[0][0]) not in CODECS:
            return []
        given = [plain(a[0]) for a in args]
        r = getattr(plain(f.value), f.attr)(*given, **{k: plain(v[0]) for k, v in names.items()})
        if isinstance(r, (str, bytes)) and len(r) > LONG:
            return []
        self.text(n, r)
        return [wrap(r)]

    def call(self, n, f, args, names):
        name = f.name
        if name in RUNS or name == "compile":
            return self.code(n, name, args, names)
        given = [t for a in args for t in texts(a) + sources(a)] + switches(args) + named_texts(names)
        if any(dark(a) for a in args[:1]) or not args and not names and name not in FOLDS:
            given.append("?")
        special = self.special(n, f, args, names)
        self.use(n, name, list(f.args) + given)
        if special is not None:
            return special
        if name in FOLDS and not names:
            try:
                r = FOLDS[name](*[plain(a[0]) for a in args])
                if not isinstance(r, (str, bytes)) or len(r) < LONG:
                    self.text(n, r)
                    return [wrap(r)]
            except Exception:
                pass
        given = list(f.args) + [t for a in args for t in texts(a) + sources(a)]
        return [Ref(name, given[:6], True, getattr(n, "lineno", 0))]

    def code(self, n, name, args, names):
        "Reads the code that a call is given as text; what cannot be read is noted."
        found, unread = [], False
        for i in RUNS.get(name, [0]):
            values = names.get(i) if isinstance(i, str) else dict(enumerate(args)).get(i)
            if values is None:
                continue
            known = [v for v in values if isinstance(v, Const) and isinstance(v.value, (str, bytes))]
            unread = unread or not all(isinstance(v, (Const, Func)) for v in values or [DARK])
            unread = unread or not known and not any(isinstance(v, Func) for v in values)
            if name == "compile":
                found.extend(known)
                continue
            for v in known:
                tree = parsed(v.value)
                unread = unread or tree is None
                if tree is not None:
                    found = union(found, self.inner(n, tree, name.endswith("eval")))
        self.use(n, name, [t for a in args for t in texts(a)][:4] + (["?"] if unread else []))
        return found

    def inner(self, n, tree, gives):
        "Reads code within code, and returns what its last expression stands for."
        found = []
        self.at, before = self.at or getattr(n, "lineno", 0), self.at
        if self.steps > 0:
            self.steps -= 1
            self.nested(tree.body)
            if tree.body and isinstance(tree.body[-1], ast.Expr) and gives:
                found = self.value(tree.body[-1].value)
        self.at = before
        return found


def switches(args):
    "Switches that are given by their place."
    return [
        "arg%d=%s" % (i, v.value)
        for i, a in enumerate(args)
        for v in a
        if isinstance(v, Const) and isinstance(v.value, bool)
    ] + [
        "arg%d=%s" % (i, v.name if isinstance(v, Ref) else "?")
        for i, a in enumerate(args)
        for v in a
        if isinstance(v, Ref) and not v.made or v is DARK
    ]


def named_texts(names):
    "What is given by name, with switches and numbers as name=value, and name=? for what is not known."
    given = ["executable="] if names.get("executable") else []
    for k, values in names.items():
        given.extend(texts(values) + sources(values))
        if k and (dark(values) or any(isinstance(v, Ref) and v.made for v in values)):
            given.append("%s=?" % k)
        for v in values:
            if k and isinstance(v, Const) and isinstance(v.value, (bool, int)):
                given.append("%s=%s" % (k, v.value))
            elif k and isinstance(v, Const) and isinstance(v.value, (str, bytes, list, tuple)):
                given.append("%s=%s" % (k, bool(v.value)))  # as a switch
            elif k and isinstance(v, Ref):
                given.append("%s=%s" % (k, v.name))
    return given


def parsed(code):
    "The tree of a text, or None if it cannot be read or is not all known."
    try:
        code = code if isinstance(code, str) else code.decode("utf-8")
        return None if HOLE in code else ast.parse(code.strip())
    except Exception:
        return None
