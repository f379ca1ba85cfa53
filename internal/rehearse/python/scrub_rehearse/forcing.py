# Makes a program take every branch: each side of a condition, each handler, loops that would not turn, functions that
# nobody calls. What decides whether something is done decides nothing any more.
import ast

from .marking import Marked, bound, call, guarded, here


def holds(node, *kinds):
    return any(isinstance(n, kinds) for n in ast.walk(node))


def fixed(node):
    "Whether an expression means something else in a lambda."
    return holds(node, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr) or any(
        isinstance(n, ast.Name) and n.id in ("super", "locals", "__class__", "vars", "dir", "eval", "exec")
        for n in ast.walk(node)
    )


def later(value):
    "An expression that is computed when somebody asks for it."
    none = ast.arguments([], [], None, [], [], None, [])
    return ast.Lambda(none, value)


class Forced(Marked):
    def __init__(self):
        self.n, self.bare = 0, False  # bare: in a class, whose names no lambda sees

    def fresh(self, what):
        self.n += 1
        return "_scrub_%s%d" % (what, self.n)

    def block(self, statements):
        body = []
        for s in statements:
            new = self.visit(s)
            body.extend(guarded(one) for one in (new if isinstance(new, list) else [new]))
        return body or [ast.Pass()]

    # Statements.

    def visit_If(self, n):
        side = self.fresh("side")
        branch = ast.If(ast.Name(side, ast.Load()), self.block(n.body), self.block(n.orelse))
        return ast.For(ast.Name(side, ast.Store()), call("sides", self.visit(n.test)), [branch], [])

    def visit_While(self, n):
        turn = ast.Name(self.fresh("turn"), ast.Store())
        test = ast.Expr(self.visit(n.test))
        twice = ast.For(turn, ast.Tuple([ast.Constant(0), ast.Constant(1)], ast.Load()),
                        [guarded(test)] + self.block(n.body), [])
        return [twice] + (self.block(n.orelse) if n.orelse else [])

    def visit_For(self, n):
        n.iter, n.body = call("some", self.visit(n.iter)), self.block(n.body)
        after, n.orelse = n.orelse, []
        return [n] + (self.block(after) if after else [])

    def visit_AsyncFor(self, n):
        n.iter, n.body, n.orelse = self.visit(n.iter), self.block(n.body), self.block(n.orelse)
        return n

    def visit_Try(self, n):
        body = self.block(n.body)
        for h in n.handlers:
            if h.name:
                body.append(ast.Assign([ast.Name(h.name, ast.Store())], call("failure")))
            if h.type is not None:
                body.append(guarded(ast.Expr(self.visit(h.type))))
            body.extend(self.block(h.body))
        return body + self.block(n.orelse) + self.block(n.finalbody)

    visit_TryStar = visit_Try

    def visit_With(self, n):
        for item in n.items:
            if not fixed(item.context_expr):
                item.context_expr = call("enter", later(self.visit(item.context_expr)))
        n.body = self.block(n.body)
        return n

    def visit_Match(self, n):
        body = [guarded(ast.Expr(self.visit(n.subject)))]
        for c in n.cases:
            caught = [p.name for p in ast.walk(c.pattern) if getattr(p, "name", None)]
            body.extend(bound(sorted(caught)))
            if c.guard is not None:
                body.append(guarded(ast.Expr(self.visit(c.guard))))
            body.extend(self.block(c.body))
        return body

    def visit_Raise(self, n):
        return [ast.Expr(self.visit(e)) for e in (n.exc, n.cause) if e is not None] or ast.Pass()

    def visit_Assert(self, n):
        return [ast.Expr(self.visit(e)) for e in (n.test, n.msg) if e is not None]

    def visit_Return(self, n):
        if n.value is None:
            return ast.Pass()
        return ast.Assign([ast.Name("_scrub_result", ast.Store())], self.visit(n.value))

    def visit_Break(self, n):
        return ast.Pass()

    visit_Continue = visit_Break

    # Functions.

    def visit_FunctionDef(self, n):
        key = here(n)
        plain = not holds(n, ast.Yield, ast.YieldFrom)
        some, n.decorator_list = n.decorator_list, []
        outer, self.bare = self.bare, False
        n.args = self.generic_visit(n.args)
        start = [ast.Assign([ast.Name("_scrub_result", ast.Store())], ast.Constant(None))]
        nothing = ast.Return(ast.Name("_scrub_anything", ast.Load()) if plain else None)
        much = ast.If(call("entered", key), [nothing], [])
        n.body = [much] + start + self.block(n.body)
        if plain:
            n.body.append(ast.Return(ast.Name("_scrub_result", ast.Load())))
        self.bare = outer
        n.decorator_list = some
        self.decorators(n)
        n.decorator_list.append(ast.Call(ast.Name("_scrub_kept", ast.Load()), [key], []))
        return n

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, n):
        some, n.decorator_list = n.decorator_list, []
        n.bases = [self.visit(b) for b in n.bases]
        outer, self.bare = self.bare, True
        n.body = self.block(n.body)
        self.bare = outer
        n.decorator_list = some
        self.decorators(n)
        return n

    def visit_Lambda(self, n):
        key = here(n)
        self.generic_visit(n)
        if fixed(n):
            return n
        n.body = call("second", call("entered", key), n.body)
        return ast.Call(ast.Call(ast.Name("_scrub_kept", ast.Load()), [key], []), [n], [])

    # Expressions that compute some of their parts only.

    def visit_IfExp(self, n):
        self.generic_visit(n)
        if self.bare or fixed(n):
            return n
        return call("either", n.test, later(n.body), later(n.orelse))

    def visit_BoolOp(self, n):
        self.generic_visit(n)
        if self.bare or fixed(n):
            return n
        return call("each", ast.Constant(isinstance(n.op, ast.And)), *[later(v) for v in n.values])

    def visit_comprehension(self, n):
        self.generic_visit(n)
        if not n.is_async:
            n.iter = call("some", n.iter)
        n.ifs = [call("yes", i) for i in n.ifs]
        return n
