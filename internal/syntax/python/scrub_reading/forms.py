# What print statements print, as far as their text says: a hole for what is only known when they run.
import ast
import re

HOLE = "\0"


def constant(n):
    v = getattr(n, "value", getattr(n, "s", None))
    return v if isinstance(n, (ast.Constant, getattr(ast, "Str", ast.Constant))) and isinstance(v, str) else None


def form(n):
    "What one argument of print looks like."
    said = constant(n)
    if said is not None:
        return said
    if isinstance(n, ast.JoinedStr):
        return "".join(constant(v) if constant(v) is not None else HOLE for v in n.values)
    if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) and constant(n.left) is not None:
        return re.sub(r"%[-+ #0-9.*]*[a-zA-Z]", HOLE, constant(n.left))
    if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add):
        return form(n.left) + form(n.right)
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "format":
        if constant(n.func.value) is not None:
            return re.sub(r"\{[^{}]*\}", HOLE, constant(n.func.value))
    return HOLE


def forms(tree):
    "The lines of each print statement, and what it prints."
    found = []
    for n in ast.walk(tree):
        if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) and isinstance(n.value.func, ast.Name)):
            continue
        call = n.value
        if call.func.id != "print" or any(isinstance(a, ast.Starred) for a in call.args):
            continue
        sep = [constant(k.value) for k in call.keywords if k.arg == "sep"]
        text = (sep[0] if sep and sep[0] is not None else " ").join(form(a) for a in call.args)
        found.append({"line": n.lineno, "last": getattr(n, "end_lineno", None) or n.lineno, "text": text.strip()})
    return sorted(found, key=lambda f: f["line"])
