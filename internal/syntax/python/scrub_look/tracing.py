"""Puts hooks into a program where it asks something of its libraries."""

import ast

LEAVE = {
    "super",
    "locals",
    "globals",
    "vars",
    "dir",
    "eval",
    "exec",
    "isinstance",
    "__import__",
    "type",
    "issubclass",
    "namedtuple",
    "NamedTuple",
    "TypeVar",
    "TypedDict",
    "make_dataclass",
}  # these ask who calls them


LAST = ""  # in the place of the name of an argument that has none: what was computed last


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
        if (
            getattr(f, "id", getattr(f, "attr", "")) in LEAVE
            and not (getattr(f, "id", "") == "type" and len(n.args) == 1 and not n.keywords)  # asks nobody
            or isinstance(f, ast.Attribute)
            and f.attr.startswith("__")
            and not f.attr.endswith("__")
        ):
            n.args, n.keywords = [self.visit(a) for a in n.args], [self.visit(k) for k in n.keywords]
            return n
        args, keywords = [self.visit(a) for a in n.args], [self.visit(k) for k in n.keywords]
        if isinstance(f, ast.Attribute):
            first = [self.visit(f.value), ast.Constant(f.attr)]
        else:
            first = [self.visit(f), ast.Constant(None)]
        # a constant, and not a display, so that it is made once
        first.append(ast.Constant(tuple(a.id if isinstance(a, ast.Name) else LAST for a in n.args)))
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
            return ast.copy_location(
                ast.Call(
                    ast.Name("slice", ast.Load()),
                    [self.visit(x) if x else ast.Constant(None) for x in (n.lower, n.upper, n.step)],
                    [],
                ),
                n,
            )
        if isinstance(n, ast.Tuple) or type(n).__name__ == "ExtSlice":
            return ast.copy_location(
                ast.Tuple([self.key(x) for x in getattr(n, "elts", None) or n.dims], ast.Load()), n
            )
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
            return ast.copy_location(
                ast.Expr(
                    self.hook(
                        "__scrub_set__", n, self.visit(target.value), self.key(target.slice), value, ast.Constant(True)
                    )
                ),
                n,
            )
        if isinstance(target, ast.Attribute) and not target.attr.startswith("__"):
            return ast.copy_location(
                ast.Expr(
                    self.hook(
                        "__scrub_set__",
                        n,
                        self.visit(target.value),
                        ast.Constant(target.attr),
                        value,
                        ast.Constant(False),
                    )
                ),
                n,
            )
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
        """A text with values in it, as its pieces: texts, and values with how to show them."""
        values = [v.value for v in n.values if isinstance(v, ast.FormattedValue)]
        names = tuple(v.id if isinstance(v, ast.Name) else LAST for v in values)
        pieces = []
        for v in n.values:
            if not isinstance(v, ast.FormattedValue):
                pieces.append(v)
                continue
            how = ast.Constant({115: "!s", 114: "!r", 97: "!a"}.get(v.conversion, ""))
            spec = v.format_spec or ast.Constant("")
            pieces.append(ast.Tuple([self.visit(v.value), how, spec], ast.Load()))
        if len(pieces) == len([v for v in n.values if isinstance(v, ast.Constant)]):
            return n
        return self.hook("__scrub_join__", n, ast.Constant(names), *pieces)

    def visit_match_case(self, n):
        return n
