"""Says what in a program is more than imports, values, calls and definitions: whatever could choose what it does by
where it runs, or make itself what it is to show. What is not known here is said."""

import ast
import builtins
import json
import re
import sys

BENIGN = set(
    "math cmath io json re itertools functools decimal fractions datetime collections string random "
    "statistics copy dataclasses typing enum numbers array __future__".split()
)
CALLED = set(
    "print range len list dict set frozenset tuple str repr int float bool complex bytes bytearray sorted min "
    "max sum abs zip enumerate map filter reversed round any all super object slice iter next open divmod pow".split()
)
METHODS = {
    "__init__",
    "__len__",
    "__getitem__",
    "__call__",
    "__iter__",
    "__next__",
}  # that libraries ask of what they are given


class Reader(ast.NodeVisitor):
    def __init__(self, packages):
        self.packages, self.found, self.own, self.foreign, self.inside = set(packages), [], set(), set(), 0

    def no(self, n, why):
        self.found.append([getattr(n, "lineno", 0), why])

    def generic_visit(self, n):
        if type(n).__name__ not in KNOWN:
            self.no(n, "%s is not plain" % type(n).__name__)
        super().generic_visit(n)

    def each(self, nodes):
        for n in nodes:
            if n is not None:
                self.visit(n)

    # what comes from elsewhere

    def bring(self, n, name):
        top = name.split(".")[0]
        if top not in self.packages and top not in BENIGN or any(p.startswith("_") for p in name.split(".")[1:]):
            self.no(n, "it imports %s, which is not what the report is about" % name)

    def visit_Import(self, n):
        for a in n.names:
            self.bring(n, a.name)
            self.foreign.add((a.asname or a.name).split(".")[0])

    def visit_ImportFrom(self, n):
        if n.level or any(a.name == "*" or a.name.startswith("__") for a in n.names):
            self.no(n, "it imports all there is, or what has no name of its own")
        self.bring(n, n.module or ".")
        self.foreign.update(a.asname or a.name for a in n.names)

    # values

    def visit_Name(self, n):
        if n.id.startswith("__") and n.id != "__name__":
            self.no(n, "it uses %s" % n.id)
        elif isinstance(n.ctx, ast.Store) and (n.id in self.foreign or hasattr(builtins, n.id)):
            self.no(n, "it gives %s another meaning" % n.id)
        elif (
            isinstance(n.ctx, ast.Load)
            and hasattr(builtins, n.id)
            and n.id not in CALLED | {"True", "False", "None", "NotImplemented", "Ellipsis"}
            and n.id not in self.own
            and not n.id.startswith("__")
        ):
            self.no(n, "it uses %s" % n.id)

    def visit_Attribute(self, n):
        if n.attr.startswith("_"):
            self.no(n, "it looks into what is private: %s" % n.attr)
        mine = self.inside and isinstance(n.value, ast.Name) and n.value.id == "self"
        if isinstance(n.ctx, ast.Store) and not mine:
            self.no(n, "it changes something of another's: %s" % n.attr)
        self.visit(n.value)

    def visit_Constant(self, n):
        pass

    visit_Num = visit_Str = visit_Bytes = visit_NameConstant = visit_Ellipsis = visit_Constant

    def visit_JoinedStr(self, n):
        for v in n.values:
            if isinstance(v, ast.FormattedValue):
                self.visit(v.value)
                for s in getattr(v.format_spec, "values", []):
                    if isinstance(s, ast.FormattedValue):
                        self.no(n, "it computes how a value is shown")

    def visit_Call(self, n):
        f = n.func
        if isinstance(f, ast.Attribute) and f.attr in ("format", "format_map") and not filled(f.value):
            self.no(n, "it fills in a text by its fields: use an f-string")
        if isinstance(f, ast.Name):
            self.called(n, f.id, [k.arg for k in n.keywords])
        if not initial(f):
            self.visit(f)
        self.each(n.args)
        self.each(k.value for k in n.keywords)

    def called(self, n, name, named):
        if name == "print" and any(k not in ("sep", "end") for k in named):
            self.no(n, "it prints to somewhere else")
        if name == "open" and (len(n.args) != 1 or any(k != "encoding" for k in named)):
            self.no(n, "it opens a file in another way than to read it")
        if name == "iter" and len(n.args) != 1:
            self.no(n, "it asks without an end")

    def visit_If(self, n):
        t = n.test
        main = (
            isinstance(t, ast.Compare)
            and isinstance(t.left, ast.Name)
            and t.left.id == "__name__"
            and not n.orelse
            and not self.inside
        )
        if not main:
            self.no(n, "it decides what to do")
        self.each(n.body + n.orelse)

    def visit_For(self, n):
        if isinstance(n.target, (ast.Attribute, ast.Subscript)):
            self.no(n, "it changes something while it repeats")
        self.each([n.target, n.iter] + n.body + n.orelse)

    def visit_With(self, n):
        for i in n.items:
            self.each([i.context_expr, i.optional_vars])
        self.each(n.body)

    # what it defines

    def visit_FunctionDef(self, n):
        self.own.add(n.name)
        if n.name.startswith("__") and not (self.inside and n.name in METHODS):
            self.no(n, "it defines %s" % n.name)
        if hasattr(builtins, n.name) and not n.name.startswith("__") or n.name in self.foreign:
            self.no(n, "it gives %s another meaning" % n.name)
        for d in n.decorator_list:
            base = root(d.func if isinstance(d, ast.Call) else d)
            if not isinstance(base, ast.Name) or base.id not in self.foreign:
                self.no(n, "something of its own is put around %s" % n.name)
            self.visit(d)
        a = n.args
        self.each(a.defaults + a.kw_defaults)
        self.inside += 1
        self.each(n.body)
        self.inside -= 1

    def visit_Lambda(self, n):
        self.each(n.args.defaults + n.args.kw_defaults + [n.body])

    def visit_ClassDef(self, n):
        self.own.add(n.name)
        if n.keywords or not all(isinstance(d, (ast.Name, ast.Attribute)) for d in n.decorator_list):
            self.no(n, "its class %s is made in a way of its own" % n.name)
        for b in n.bases:
            base = root(b)
            if not isinstance(base, ast.Name) or b is base and b.id not in self.foreign | self.own | {"object"}:
                self.no(n, "its class %s is another kind of something that is not the library's" % n.name)
            self.visit(b)
        self.inside += 1
        for x in n.body:
            names = [t.id for t in getattr(x, "targets", [getattr(x, "target", None)]) if isinstance(t, ast.Name)]
            if any(name.startswith("__") for name in names):
                self.no(x, "its class %s says of itself what it is" % n.name)
            if isinstance(x, ast.ClassDef):
                self.no(x, "it defines a class within a class")
            self.visit(x)
        self.inside -= 1

    # what stands around something

    def visit_Try(self, n):
        if n.handlers or n.orelse:
            self.no(n, "it goes on after a failure")
        self.each(n.body + n.finalbody)

    def visit_Compare(self, n):
        self.each([n.left] + n.comparators)

    def visit_comprehension(self, n):
        if n.ifs:
            self.no(n.ifs[0], "it decides what to do")
        self.each([n.iter, n.target])


def root(n):
    """What the attributes of attributes are of."""
    while isinstance(n, ast.Attribute):
        n = n.value
    return n


def filled(n):
    """Whether a text is written down whose places are filled with values, and not with what these hold."""
    text = getattr(n, "value", getattr(n, "s", None))
    return isinstance(text, str) and not re.search(r"\{[^{}]*[.\[]", text)


def initial(f):
    """Whether super().__init__ is called."""
    if not isinstance(f, ast.Attribute) or f.attr != "__init__" or not isinstance(f.value, ast.Call):
        return False
    return isinstance(f.value.func, ast.Name) and f.value.func.id == "super"


KNOWN = set(
    "Module Import ImportFrom Assign AnnAssign AugAssign Expr Call Attribute Name Constant Num Str Bytes "
    "NameConstant Ellipsis JoinedStr FormattedValue List Tuple Dict Set ListComp SetComp DictComp GeneratorExp "
    "comprehension Subscript Slice Index ExtSlice BinOp UnaryOp Compare Starred keyword For With withitem "
    "FunctionDef Return Lambda ClassDef arguments arg Pass Load Store Add Sub Mult Div FloorDiv Mod Pow "
    "MatMult BitAnd BitOr BitXor LShift RShift USub UAdd Invert Not Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn "
    "Try If Yield".split()
)


def read(text, packages):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as e:
        return [[getattr(e, "lineno", 0) or 0, "it cannot be read"]]
    r = Reader(packages)
    r.visit(tree)
    return sorted(r.found)


if __name__ == "__main__":
    with open("program.txt", encoding="utf-8") as f:
        print(json.dumps(read(f.read(), sys.argv[1:])))
