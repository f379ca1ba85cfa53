# What statements give names.
import ast

from .values import Const, Func, Ref, Scope, either, index, literal, texts, union


class Statements:
    "What statements give names."

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
        self.round(n)

    do_AsyncFor = do_For

    def do_While(self, n):
        self.value(n.test)
        self.round(n)

    def round(self, n):
        "A loop's body, again with what it has left behind itself."
        self.nested(n.body)
        if self.affords(20):
            self.nested(n.body)
        self.nested(n.orelse)

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
            old = self.returns.get(self.inside)
            self.returns[self.inside] = values if old is None else either(old, values)
            more = len(self.returns[self.inside]) != len(old or [])
            self.known += more and any(isinstance(v, (Ref, Func)) for v in values)

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
