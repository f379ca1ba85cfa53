"""Prints the trees of the programs 0.txt, 1.txt and so on: one JSON list. If
there is a file named check, only whether they can be read.

A node is [kind, field, start, end, line, name, kids]; start and end are bytes
of the text, with the decorators of a definition and the name of a keyword
in them.
"""

import ast
import builtins
import json
import os
import re
import symtable
import sys

BUILTINS = set(dir(builtins)) | {
    "__file__",
    "__name__",
    "__doc__",
    "__builtins__",
    "__spec__",
    "__loader__",
    "__package__",
    "__annotations__",
}
NAMES = {
    "Name": "id",
    "FunctionDef": "name",
    "AsyncFunctionDef": "name",
    "ClassDef": "name",
    "arg": "arg",
    "Attribute": "attr",
    "keyword": "arg",
    "alias": "name",
    "ImportFrom": "module",
    "ExceptHandler": "name",
}


class Tree:
    def __init__(self, text):
        self.data = text.encode()
        self.starts = [0]
        for line in re.split(b"(?<=\n)|(?<=\r)(?!\n)", self.data):
            self.starts.append(self.starts[-1] + len(line))
        self.root = self.node(ast.parse(text), "")

    def at(self, line, column):
        return self.starts[line - 1] + column

    def back(self, form, end):
        """Where a text of a form starts that ends at end."""
        found = re.search(b"(?:" + form + b")\\s*\\Z", self.data[:end])
        return found.start() if found else end

    def node(self, n, field):
        kind = type(n).__name__
        kids = []
        for name, value in ast.iter_fields(n):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.AST) and not isinstance(
                    item, (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
                ):
                    kids.append(self.node(item, name))
        kids = [k for k in kids if k[2] is not None]
        kids.sort(key=lambda k: (k[2], k[3]))
        start, end, line = None, None, getattr(n, "lineno", 0)
        if getattr(n, "end_lineno", None) is not None:
            start, end = self.at(n.lineno, n.col_offset), self.at(n.end_lineno, n.end_col_offset)
        elif kids:
            start, end = kids[0][2], max(k[3] for k in kids)
        if kind == "Module":
            start, end = 0, len(self.data)
        if kind == "keyword" and not hasattr(n, "lineno"):
            start = self.back(b"\\w+\\s*=" if n.arg else b"\\*\\*", start)
        if kind == "comprehension":
            start = self.back(b"\\bfor" if not n.is_async else b"\\basync\\s+for", start)
        for d in getattr(n, "decorator_list", []):
            first = self.at(d.lineno, d.col_offset)
            start = min(start, self.back(b"@", first))
        ctx = type(getattr(n, "ctx", None)).__name__
        if ctx in ("Store", "Del"):
            field += "=" if ctx == "Store" else "-"
        return [kind, field, start, end, line, name_of(n, kind), kids]


def name_of(n, kind):
    """What a node is called, if it has a name."""
    if kind == "alias":
        return n.asname or n.name
    if kind in NAMES:
        return getattr(n, NAMES[kind], None) or ""
    if kind == "Constant":
        return type(n.value).__name__
    if kind in ("BinOp", "UnaryOp", "BoolOp", "AugAssign"):
        return type(n.op).__name__
    return ""


def unbound(text, file):
    """Names that a text reads and that nothing in it can give a meaning."""
    top = symtable.symtable(text, file, "exec")
    made = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    if "from" in text and re.search(r"import\s+\(?\s*\*", text):
        return []
    lost, scopes = set(), [top]
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        for s in scope.get_symbols():
            if s.is_declared_global() and s.is_assigned():
                made.add(s.get_name())
            if s.is_referenced() and (s.is_global() or scope is top):
                lost.add(s.get_name())
    return sorted(n for n in lost if n not in made and n not in BUILTINS)


def tree_of(file, check):
    try:
        with open(file, encoding="utf-8") as f:
            text = f.read()
        compile(text, file, "exec", dont_inherit=True)
        return {"root": None if check else Tree(text).root, "unbound": unbound(text, file)}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return {"broken": str(e) or type(e).__name__}


def main():
    sys.setrecursionlimit(10000)
    check, n = os.path.exists("check"), sum(f.endswith(".txt") for f in os.listdir("."))
    json.dump([tree_of("%d.txt" % i, check) for i in range(n)], sys.stdout)
