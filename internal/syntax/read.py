# Reads a program without running it and prints JSON: what it imports, which
# things of modules and of the language it touches, with the literal texts
# they are given, and its texts. Names are followed through imports, aliases,
# attributes, containers, calls and the pieces that texts are put together of.
import ast
import base64
import binascii
import builtins
import codecs
import importlib.util
import json
import sys
import zlib

MANY = 8  # things that one name may stand for
LONG = 20000  # characters of a text that are worth putting together
HOLE = "\ufffd"  # a part of a text that is not known
# In two parts: a program that names it in one is taken for one that changes it, and gets no warm interpreter.
ENVIRONMENT = "os.env" "iron"


class Ref:
    "Something of a module or of the language, or what calling it gave."

    def __init__(self, name, args=(), made=False):
        for prefix in ("builtins.", "__builtin__."):
            if name.startswith(prefix) and name != prefix + "__dict__":
                name = name[len(prefix):]
        self.name, self.args, self.made = name, tuple(args), made  # made: what a call gave, noted there

    def key(self):
        return (self.name, self.args, self.made)


class Const:
    "A value that can be read: text, bytes, number, or a container of values."

    def __init__(self, value):
        self.value = value

    def key(self):
        v = self.value
        return (type(v), v) if isinstance(v, (str, bytes, int, float, bool)) else id(v)


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
        old = scope.names.get(name, []) if scope.depth or scope is not self else []
        scope.names[name] = union(old, values)


def union(*lists):
    lists = [values for values in lists if values]
    if len(lists) < 2:
        return lists[0] if lists else []
    all, seen = [], set()
    for values in lists:
        for v in values:
            k = v.key()
            if k not in seen and len(all) < MANY:
                seen.add(k)
                all.append(v)
    return all


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


def texts(values, deep=8):
    "The texts in values, as deep as they are: a list may hold itself."
    found = []
    if not deep:
        return found
    for v in values:
        if isinstance(v, Ref):
            found.extend(v.args[:4])
        elif isinstance(v, Const):
            c = v.value
            if isinstance(c, str):
                found.append(c[:300])
            elif isinstance(c, bytes):
                found.append(c[:300].decode("latin-1"))
            elif isinstance(c, (list, tuple)):
                for item in c[:20]:
                    found.extend(texts(item, deep - 1))
            elif isinstance(c, dict):
                for item in list(c.values())[:20]:
                    found.extend(texts(item, deep - 1))
    return found[:40]


def plain(v):
    "A value without its wrapping, if all of it is known."
    if not isinstance(v, Const):
        raise ValueError
    c = v.value
    if isinstance(c, (list, tuple)):
        return type(c)(plain(item[0]) for item in c if item or wrong())
    if isinstance(c, dict):
        raise ValueError
    return c


def wrong():
    raise ValueError


def wrap(c):
    if isinstance(c, (list, tuple)):
        return Const(type(c)([wrap(i)] for i in c))
    return Const(c)


# What may be computed here with values that are known: it only reads.
FOLDS = {
    "chr": chr, "ord": ord, "str": str, "int": int, "bytes": bytes, "bytearray": lambda *a: bytes(*a), "reversed": lambda s: s[::-1],
    "list": list, "tuple": tuple, "len": len, "hex": hex, "repr": repr, "sorted": sorted, "sum": sum, "min": min, "max": max,
    "bytes.fromhex": bytes.fromhex, "bytearray.fromhex": bytes.fromhex, "str.join": str.join,
    "base64.b64decode": lambda s, *a: base64.b64decode(s), "base64.standard_b64decode": base64.b64decode, "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "base64.b32decode": base64.b32decode, "base64.b16decode": lambda s, *a: base64.b16decode(s, True), "base64.b85decode": base64.b85decode,
    "base64.a85decode": base64.a85decode, "base64.decodebytes": base64.decodebytes, "binascii.unhexlify": binascii.unhexlify, "binascii.a2b_hex": binascii.unhexlify,
    "binascii.a2b_base64": binascii.a2b_base64, "codecs.decode": lambda s, e="utf-8", *a: codecs.decode(s, e) if e in CODECS else wrong(),
    "codecs.encode": lambda s, e="utf-8", *a: codecs.encode(s, e) if e in CODECS else wrong(), "zlib.decompress": lambda s, *a: zlib.decompressobj().decompress(s, LONG),
    "os.path.join": lambda *a: "/".join(p.rstrip("/") for p in a), "os.path.expanduser": lambda s: s, "os.fspath": lambda s: s, "os.path.abspath": lambda s: s,
    "range": lambda *a: list(range(*a))[:1000] if all(abs(i) < 10000 for i in a) else wrong(), "enumerate": lambda s: list(enumerate(s)),
}
CODECS = {"rot13", "rot_13", "rot-13", "hex", "hex_codec", "base64", "base64_codec", "utf-8", "utf8", "ascii", "latin-1", "latin1", "unicode_escape", "unicode-escape", "zlib", "zip", "punycode", "utf-16", "utf-32", "utf-7", "raw_unicode_escape", "idna"}
METHODS = {str: {"join", "replace", "lower", "upper", "strip", "lstrip", "rstrip", "split", "encode", "format", "title", "swapcase", "translate", "capitalize", "partition", "zfill", "removeprefix", "removesuffix", "casefold", "splitlines"},
           bytes: {"decode", "join", "replace", "strip", "hex", "translate", "split", "lower", "upper"}, int: {"to_bytes"}, list: {"copy"}, tuple: set()}
# Modules whose names can be looked up without running anything of the program.
KNOWN = {"os", "sys", "subprocess", "socket", "shutil", "posix", "builtins", "ctypes", "pickle", "marshal", "base64", "importlib", "urllib.request", "http.client", "io", "codecs", "runpy", "tempfile", "pathlib", "signal", "zlib", "types", "code"}
MODULES = set(getattr(sys, "stdlib_module_names", KNOWN)) - set(dir(builtins))
# What reads code from a text: which arguments hold it.
RUNS = {"exec": [0], "eval": [0], "builtins.exec": [0], "builtins.eval": [0], "timeit.timeit": [0, 1, "setup", "stmt"], "timeit.repeat": [0, 1, "setup", "stmt"], "timeit.Timer": [0, 1, "setup", "stmt"],
        "cProfile.run": [0], "profile.run": [0], "pdb.run": [0], "code.InteractiveInterpreter.runsource": [0], "code.InteractiveConsole.push": [0], "code.InteractiveInterpreter.runcode": [0], "trace.Trace.run": [0]}
# The insides of objects by which one gets from anything to everything.
INSIDES = {"__subclasses__", "__globals__", "__builtins__", "func_globals", "gi_frame", "f_globals", "f_builtins", "f_back", "__loader__", "cr_frame", "tb_frame"}


class Reader:
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

    # Statements.

    def block(self, nodes):
        for n in nodes:
            self.statement(n)

    def nested(self, nodes):
        self.scope.depth += 1
        self.block(nodes)
        self.scope.depth -= 1

    def statement(self, n):
        do = getattr(self, "do_" + type(n).__name__, None)
        if do:
            return do(n)
        for child in ast.iter_child_nodes(n):
            if isinstance(child, ast.stmt):
                self.scope.depth += 1
                self.statement(child)
                self.scope.depth -= 1
            elif isinstance(child, ast.expr):
                self.value(child)
            else:
                self.statement(child)

    def do_Import(self, n):
        for a in n.names:
            top = a.name.split(".")[0]
            self.imports.add(top)
            self.scope.set(a.asname or top, [Ref(a.name if a.asname else top)])
            self.use(n, a.name)

    def do_ImportFrom(self, n):
        if n.level or not n.module:
            return
        self.imports.add(n.module.split(".")[0])
        for a in n.names:
            if a.name == "*":
                self.scope.stars.append(n.module)
                continue
            self.scope.set(a.asname or a.name, [Ref(n.module + "." + a.name)])
            self.use(n, n.module + "." + a.name)

    def do_Expr(self, n):
        if not literal(n.value)[0]:  # a text that stands alone is a remark
            self.value(n.value)

    def do_Assign(self, n):
        values = self.value(n.value)
        for t in n.targets:
            self.assign(t, values)

    def do_AnnAssign(self, n):
        self.value(n.annotation)
        if n.value is not None:
            self.assign(n.target, self.value(n.value))

    def do_AugAssign(self, n):
        both = ast.copy_location(ast.BinOp(left=n.target, op=n.op, right=n.value), n)
        self.assign(n.target, self.value(both))

    def do_For(self, n):
        self.assign(n.target, self.items(self.value(n.iter)))
        self.nested(n.body + n.orelse)

    do_AsyncFor = do_For

    def do_With(self, n):
        for item in n.items:
            values = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, values)
        self.block(n.body)

    do_AsyncWith = do_With

    def do_Global(self, n):
        self.scope.outer.update(n.names)

    do_Nonlocal = do_Global

    def do_FunctionDef(self, n):
        values = [Func(n, self.scope)]
        for d in n.args.defaults + [d for d in n.args.kw_defaults if d is not None]:
            self.value(d)
        for d in n.decorator_list:
            # The decorator is called with the function, and the name is what it gives back.
            self.called(d, self.value(d), [values], {})
        for a in ast.walk(n.args):
            if isinstance(a, ast.arg) and a.annotation is not None:
                self.value(a.annotation)
        self.scope.set(n.name, values)
        self.todo.append((n, self.scope))

    do_AsyncFunctionDef = do_FunctionDef

    def do_ClassDef(self, n):
        for e in n.bases + [k.value for k in n.keywords] + n.decorator_list:
            self.value(e)
        inner = Scope(self.scope)
        self.scope, outer = inner, self.scope
        self.block(n.body)
        self.scope = outer
        for name, values in inner.names.items():
            self.attrs[name] = union(self.attrs.get(name, []), values)
            self.known += any(isinstance(v, Ref) for v in values)
        self.scope.set(n.name, [Const(None)])

    def do_Return(self, n):
        if n.value is not None:
            values = self.value(n.value)
            old = self.returns.get(self.inside, [])
            self.returns[self.inside] = union(old, values)
            self.known += any(isinstance(v, (Ref, Func)) for v in values) and len(self.returns[self.inside]) != len(old)

    def do_Delete(self, n):
        for t in n.targets:
            if isinstance(t, ast.Subscript):
                self.value(t)

    def assign(self, target, values):
        if isinstance(target, ast.Name):
            self.scope.set(target.id, values)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, values)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for i, t in enumerate(target.elts):
                picked = []
                for v in values:
                    if isinstance(v, Const) and isinstance(v.value, (list, tuple)) and len(v.value) == len(target.elts):
                        picked = union(picked, v.value[i])
                self.assign(t, picked)
        elif isinstance(target, ast.Attribute):
            for v in self.value(target.value):
                if isinstance(v, Ref):
                    self.use(target, v.name + "." + target.attr + ".__set__", texts(values))
            self.attrs[target.attr] = union(self.attrs.get(target.attr, []), values)
            self.known += bool(values)
        elif isinstance(target, ast.Subscript):
            key = texts(self.value(index(target)))
            for v in self.value(target.value):
                if isinstance(v, Ref):
                    self.use(target, v.name + ".__setitem__", key + texts(values))
                elif isinstance(v, Const) and isinstance(v.value, dict) and key:
                    v.value[key[0]] = union(v.value.get(key[0], []), values)

    def items(self, values):
        "What a loop over values sees."
        found = []
        for v in values:
            if isinstance(v, Const) and isinstance(v.value, (list, tuple)):
                for item in v.value[:50]:
                    found = union(found, item)
            elif isinstance(v, Const) and isinstance(v.value, dict):
                found = union(found, [Const(k) for k in list(v.value)[:8] if isinstance(k, str)])
            elif isinstance(v, Ref):
                found = union(found, [Ref(v.name + ".__iter__", v.args, v.made)])
        return found

    # Expressions.

    def value(self, n):
        "What an expression may stand for; all that it touches is noted."
        ok, c = literal(n)
        if ok:
            self.text(n, c)
            return [Const(c)] if isinstance(c, (str, bytes, int, float, bool)) and not (isinstance(c, (str, bytes)) and len(c) > LONG) else []
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
                found.append(r)
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
                if name == ENVIRONMENT and known[:1] in (["HOME"], ["USERPROFILE"], ["APPDATA"], ["LOCALAPPDATA"]):
                    found.append(Const("~"))
                for k in known:
                    if name.endswith(".__dict__") or name in ("vars", "globals", "locals", "__builtins__", "sys.modules"):
                        found = union(found, self.member(n, name, v, k))
                if not known:
                    found.append(Ref(name + ".__getitem__", v.args, v.made))
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
        if isinstance(n.op, ast.Div) and isinstance(a, Ref) and a.name.endswith("Path"):
            return Ref(a.name, ["/".join([*a.args[-1:], *texts([b] if b else [])]) or HOLE], True)
        for v in (a, b):
            if isinstance(v, Ref) and v.args and isinstance(n.op, (ast.Add, ast.Mod)):
                # A text made of what a call gave: keep what is known of it.
                other = texts([b if v is a else a]) if (b if v is a else a) is not None else []
                return Ref(v.name, ["".join([*v.args[:1], *other]) if v is a else "".join([*other, *v.args[:1]])], True)
        try:
            x = plain(a) if a is not None else HOLE
            y = plain(b) if b is not None else HOLE
            if isinstance(n.op, ast.Add):
                if a is None and not isinstance(y, str) or b is None and not isinstance(x, str):
                    return None
                r = x + y
            elif isinstance(n.op, ast.Mult) and (isinstance(x, int) and x * len(str(y)) < LONG or isinstance(y, int) and y * len(str(x)) < LONG):
                r = x * y
            elif isinstance(n.op, ast.Mod):
                r = x % y
            elif isinstance(n.op, ast.BitXor):
                r = x ^ y
            elif isinstance(n.op, ast.Sub):
                r = x - y
            else:
                return None
        except Exception:
            return None
        self.text(n, r)
        return wrap(r) if not isinstance(r, (str, bytes)) or len(r) < LONG else None

    def see_JoinedStr(self, n):
        text = ""
        for part in n.values:
            ok, c = literal(part)
            if ok:
                text += str(c)
                continue
            values = self.value(part.value)
            try:
                text += str(plain(values[0]))
            except Exception:
                text += "".join(texts(values)[:1]) or HOLE
        self.text(n, text)
        return [Const(text[:LONG])]

    def see_NamedExpr(self, n):
        values = self.value(n.value)
        self.assign(n.target, values)
        return values

    def see_IfExp(self, n):
        self.value(n.test)
        return union(self.value(n.body), self.value(n.orelse))

    def see_BoolOp(self, n):
        return union(*[self.value(v) for v in n.values])

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
            keys = [x.value for x in self.value(k) if isinstance(x, Const) and isinstance(x.value, (str, int))] if k is not None else []
            for key in keys or [object()]:  # one that cannot be read is a key of its own
                made[key] = values
        return [Const(made)]

    def see_Lambda(self, n):
        self.body(n, self.scope)
        return [Func(n, self.scope)]

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
                if isinstance(c, (list, tuple)) and len(c) < 2000:
                    made = []
                    for item in c:
                        self.scope.names[first.target.id] = item
                        made.append(self.value(n.elt))
                    return [Const(made)]
        return [Const([values])]

    see_GeneratorExp = see_SetComp = see_ListComp

    def see_Call(self, n):
        callee = self.value(n.func)
        args = [self.value(a) for a in n.args]
        names = {k.arg: self.value(k.value) for k in n.keywords}
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
            given[spec.vararg.arg] = [Const(tuple(args[len(params):]))]
        changed = False
        known = self.params.setdefault(id(f.node), {})
        for name, values in given.items():
            new = union(known.get(name, []), [v for v in values if not isinstance(v, Const) or isinstance(v.value, (str, bytes, list, tuple, dict))])
            changed = changed or len(new) != len(known.get(name, []))
            known[name] = new
        self.known += changed
        if changed and self.steps > 0:
            self.steps -= 1
            self.body(f.node, f.scope)
        return self.returns.get(id(f.node), [])

    def body(self, node, scope):
        "Reads what a function does, with all that it is known to be called with."
        inner = Scope(scope, True)
        spec = node.args
        known = self.params.get(id(node), {})
        every = getattr(spec, "posonlyargs", []) + spec.args + spec.kwonlyargs + [a for a in (spec.vararg, spec.kwarg) if a]
        positional = getattr(spec, "posonlyargs", []) + spec.args
        for a in every:
            inner.names[a.arg] = known.get(a.arg, [])
        for a, d in list(zip(positional[len(positional) - len(spec.defaults):], spec.defaults)) + [(a, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None]:
            inner.names[a.arg] = union(inner.names[a.arg], self.value(d))
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
            if f.attr in ("decode", "encode") and args and plain(args[0][0]) not in CODECS:
                return []
            plain_args = [plain(a[0]) for a in args]
            r = getattr(plain(f.value), f.attr)(*plain_args, **{k: plain(v[0]) for k, v in names.items()})
            if isinstance(r, (str, bytes)) and len(r) > LONG:
                return []
            self.text(n, r)
            return [wrap(r)]
        except Exception:
            if f.attr in ("join", "format", "replace", "strip", "rstrip", "lstrip"):
                return [Const(HOLE.join(texts([f.value]) + [t for a in args for t in texts(a)])[:LONG])]
            return []

    def call(self, n, f, args, names):
        name = f.name
        given = [t for a in args for t in texts(a)]
        for k, values in names.items():
            given.extend(texts(values))
            for v in values:
                if k and isinstance(v, Const) and isinstance(v.value, (bool, int)):
                    given.append("%s=%s" % (k, v.value))
                elif k and isinstance(v, Ref):
                    given.append("%s=%s" % (k, v.name))
        if name in RUNS or name == "compile":
            return self.code(n, name, args, names)
        if any(not a for a in args[:1]) or not args and not names and name not in FOLDS:
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
        return [Ref(name, (list(f.args) + [t for a in args for t in texts(a)])[:4], True)]

    def special(self, n, f, args, names):
        "Calls that give something by its name."
        name = f.name
        if name == "getattr" and len(args) > 1:
            found = []
            for k in args[1]:
                if isinstance(k, Const) and isinstance(k.value, str):
                    found = union(found, self.attribute(n, args[0], k.value))
            if not args[1]:
                for v in args[0]:
                    if isinstance(v, Ref):
                        self.use(n, "getattr", ["?" + v.name])
            return union(found, args[2] if len(args) > 2 else [])
        if name in ("__import__", "importlib.import_module", "importlib.__import__", "pkgutil.resolve_name", "pydoc.locate"):
            found = []
            for k in (args[0] if args else names.get("name", [])):
                if isinstance(k, Const) and isinstance(k.value, str):
                    r = Ref(k.value.replace(":", ".") if name != "__import__" else k.value.split(".")[0])
                    self.imports.add(k.value.replace(":", ".").split(".")[0])
                    self.use(n, r.name)
                    found.append(r)
            return found or None
        if name in ("pathlib.Path.home", "pathlib.Path.cwd"):
            return [Ref("pathlib.Path", ["~" if name.endswith("home") else "."], True)]
        if name in ("os.getenv", ENVIRONMENT + ".get") and args and texts(args[0])[:1] in (["HOME"], ["USERPROFILE"], ["APPDATA"], ["LOCALAPPDATA"]):
            return [Const("~")]
        if name in ("vars", "dir") and args:
            return [Ref(v.name + ".__dict__") for v in args[0] if isinstance(v, Ref)]
        if name in ("globals", "locals", "vars"):
            return [Ref("globals")]
        if name in ("sys.modules.get", "sys.modules.__getitem__") and args:
            return self.item(n, [Ref("sys.modules")], args[0])
        if name.endswith((".__dict__.get", ".__dict__.__getitem__", "globals.get", "globals.__getitem__")) and args:
            return self.item(n, [Ref(name.rsplit(".", 1)[0])], args[0])
        if name.endswith(".__getattribute__") and args:
            return self.attribute(n, args[0] if len(args) > 1 else [Ref(name[: -len(".__getattribute__")])], (texts(args[-1]) or ["?"])[0])
        if name in ("functools.partial", "functools.wraps", "staticmethod", "classmethod", "property", "functools.lru_cache", "atexit.register", "weakref.finalize") and args:
            for v in args[0]:
                if isinstance(v, Ref):
                    self.call(n, v, args[1:], names)
            return args[0]
        if name in ("map", "filter", "functools.reduce", "itertools.starmap") and len(args) > 1:
            given = self.items(args[1]) or [v for v in args[1] if isinstance(v, Const)]
            results = self.called(n, args[0], [given], {})
            for v in args[1]:  # a known list gives a known list
                if name == "map" and isinstance(v, Const) and isinstance(v.value, (list, tuple, str, bytes)):
                    whole = [[Const(x)] for x in v.value] if isinstance(v.value, (str, bytes)) else v.value
                    if len(whole) < 2000:
                        return [Const([self.called(n, args[0], [item], {}) for item in whole])]
            return [Const([results])]
        if name in ("operator.attrgetter", "operator.methodcaller") and args:
            return [Ref(name + ":" + (texts(args[0]) or [""])[0])]
        if name.startswith(("operator.attrgetter:", "operator.methodcaller:")) and args:
            found = args[0]
            for part in name.split(":", 1)[1].split("."):
                found = self.attribute(n, found, part)
            return self.called(n, found, [], {}) if name.startswith("operator.methodcaller") else found
        if name in ("operator.itemgetter",) and args:
            return [Ref("operator.itemgetter:" + (texts(args[0]) or [""])[0])]
        if name.startswith("operator.itemgetter:") and args:
            return self.item(n, args[0], [Const(name.split(":", 1)[1])])
        if name == "setattr" and len(args) > 2:
            for k in texts(args[1])[:1]:
                self.attrs[k] = union(self.attrs.get(k, []), args[2])
                for v in args[0]:
                    if isinstance(v, Ref):
                        self.use(n, v.name + "." + k + ".__set__", texts(args[2]))
            return []
        if name in ("iter", "list", "tuple", "next", "copy.copy", "copy.deepcopy") and args and any(isinstance(v, Ref) for v in args[0]):
            return args[0]
        if name in ("next", "iter") and args:
            return self.items(args[0]) if name == "next" else args[0]
        if name in ("threading.Thread", "multiprocessing.Process", "threading.Timer") and ("target" in names or len(args) > 1):
            rest = names.get("args", [])
            given = [v for c in rest if isinstance(c, Const) and isinstance(c.value, (list, tuple)) for v in c.value]
            self.called(n, names.get("target") or args[1], given, {})
        return None

    def code(self, n, name, args, names):
        "Reads the code that a call is given as text; what cannot be read is noted."
        found, dark = [], False
        for i in RUNS.get(name, [0]):
            values = names.get(i) if isinstance(i, str) else args[i] if i < len(args) else None
            if values is None:
                continue
            known = [v for v in values if isinstance(v, Const) and isinstance(v.value, (str, bytes))]
            funcs = [v for v in values if isinstance(v, Func)]
            dark = dark or not known and not funcs or any(isinstance(v, Ref) for v in values)
            for v in known:
                if name == "compile":
                    found.append(v)
                    continue
                try:
                    code = v.value if isinstance(v.value, str) else v.value.decode("utf-8")
                    if HOLE in code:
                        raise ValueError
                    tree = ast.parse(code.strip())
                except Exception:
                    dark = True
                    continue
                self.at, before = self.at or getattr(n, "lineno", 0), self.at
                if self.steps > 0:
                    self.steps -= 1
                    self.nested(tree.body)
                    if tree.body and isinstance(tree.body[-1], ast.Expr) and name.endswith("eval"):
                        found = union(found, self.value(tree.body[-1].value))
                self.at = before
        self.use(n, name, [t for a in args for t in texts(a)][:4] + (["?"] if dark else []))
        return found

    def read(self, tree):
        # Twice, if need be: a function may be called with what is only known later.
        for _ in range(2):
            before = self.known
            self.module = self.scope = Scope()
            self.uses, self.todo, self.steps = {}, [], 400
            self.block(tree.body)
            done = 0
            while done < len(self.todo) and done < 5000:
                node, scope = self.todo[done]
                self.body(node, scope)
                done += 1
            if self.known == before:
                return


def unbound(tree):
    "The names that a program uses and gives no meaning."
    used, bound = set(), set()
    for n in ast.walk(tree):
        if isinstance(n, ast.Name):
            (used if isinstance(n.ctx, ast.Load) else bound).add(n.id)
        elif isinstance(n, ast.arg):
            bound.add(n.arg)
        elif isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(n.name)
        elif isinstance(n, ast.alias):
            bound.add((n.asname or n.name).split(".")[0])
        elif isinstance(n, ast.ExceptHandler) and n.name:
            bound.add(n.name)
        elif isinstance(n, (ast.Global, ast.Nonlocal)):
            bound.update(n.names)
    return sorted(name for name in used - bound if not hasattr(builtins, name) and not name.startswith("__"))


def bare(tree):
    "The lines of values that a prompt would show and a program does not."
    if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in ("print", "pprint", "display") for n in ast.walk(tree)):
        return []
    ends = [n.lineno - 1 for n in tree.body[1:]] + [1 << 30]  # where old releases do not say
    return [[n.lineno, getattr(n, "end_lineno", None) or end] for n, end in zip(tree.body, ends) if isinstance(n, ast.Expr) and not literal(n.value)[0] and n.col_offset == 0]


def index(n):
    "What stands between the brackets."
    return n.slice.value if type(n.slice).__name__ == "Index" else n.slice


def there(module):
    try:
        return module in sys.builtin_module_names or importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def read(source):
    empty = {"uses": [], "imports": [], "missing": [], "strings": []}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return dict(empty, broken={"line": getattr(e, "lineno", 0) or 0, "message": getattr(e, "msg", "") or str(e)})
    r = Reader()
    r.read(tree)
    # The folder of this reader is not part of the program's world.
    sys.path[:] = [p for p in sys.path if p not in ("", "/box")]
    imports = sorted(r.imports)
    return {
        "uses": [{"line": line, "name": name, "args": args} for (line, name), args in sorted(r.uses.items())],
        "strings": [{"line": line, "text": text} for line, text in sorted(r.strings)],
        "imports": imports,
        "unbound": unbound(tree),
        "bare": bare(tree),
        "missing": [m for m in imports if not there(m)],
    }


def read_one(name):
    with open(name, encoding="utf-8") as f:
        return read(f.read())


def read_or_say(name):
    "Of many, one that cannot be read is no reason to say nothing of the others."
    try:
        return read_one(name)
    except Exception as e:
        return {"uses": [], "imports": [], "missing": [], "strings": [], "broken": {"line": 0, "message": "%s: %s" % (type(e).__name__, e)}}


sys.setrecursionlimit(10000)
if sys.argv[1] == "--all":
    with open("programs.json", encoding="utf-8") as f:
        print(json.dumps([read_or_say(name) for name in json.load(f)]))
else:
    print(json.dumps(read_one(sys.argv[1])))
