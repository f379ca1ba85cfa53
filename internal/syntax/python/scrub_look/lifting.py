"""Calls and values of a run, made to stand alone."""

import ast
import io
import sys

from .showing import Cannot, Needs, cannot, show
from .subject import SCRIPT, program, Source, source_of

missing = object()
PURE = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.Slice,
    ast.UnaryOp,
    ast.expr_context,
    ast.unaryop,
)
OPAQUE = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
    getattr(ast, "NamedExpr", ast.Lambda),
)


class Lift:
    """An expression of a frame, made to stand alone."""

    def __init__(self, frame, source, exact):
        self.frame, self.source, self.exact, self.needs = frame, source, exact, Needs()

    def value(self, n):
        if not all(isinstance(x, PURE) for x in ast.walk(n)):
            return missing
        try:
            return eval(compile(ast.Expression(n), "<lift>", "eval"), self.frame.f_globals, self.frame.f_locals)
        except BaseException:
            return missing

    def text(self, n):
        start, end = self.source.span(n)
        if isinstance(n, ast.Constant):
            return self.source.text(start, end)
        v = self.value(n)
        if v is not missing:
            try:
                return show(v, self.needs, self.exact)
            except Cannot:
                if isinstance(n, ast.Name):
                    raise
        if isinstance(n, OPAQUE) or isinstance(n, ast.Name):
            cannot()
        out, at = [], start
        kids = sorted(
            (k for k in ast.iter_child_nodes(n) if isinstance(k, (ast.expr, ast.keyword))),
            key=lambda k: self.source.span(k if isinstance(k, ast.expr) else k.value),
        )
        for k in kids:
            k = k if isinstance(k, ast.expr) else k.value
            if isinstance(k, ast.Slice) or isinstance(n, ast.JoinedStr):
                cannot()
            s, e = self.source.span(k)
            new = self.text(k)
            if isinstance(n, (ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript)) and (
                new.startswith("-") or " " in new and not new.endswith((")", "]", "}"))
            ):
                new = "(" + new + ")"
            out += [self.source.text(at, s), new]
            at = e
        return "".join(out) + self.source.text(at, end)

    def program(self, expression):
        """The expression below all that it needs."""
        return "\n".join(above(self.needs) + [expression]) + "\n"


def above(needs):
    """The lines that an expression needs above it: imports, and the program's own definitions."""
    lines = sorted(needs.imports)
    if needs.names:
        lines += definitions(needs.names)
    return lines


def bound(n):
    names = set()
    for x in ast.walk(n):
        if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load):
            names.add(x.id)
        elif isinstance(x, ast.alias):
            names.add((x.asname or x.name).split(".")[0])
    if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        return {n.name}
    return names


def definitions(names):
    """The statements of the program that bind names, with all these need."""
    body, wanted, chosen = ast.parse(program.text).body, set(names), set()
    changed = True
    while changed:
        changed = False
        for i, n in enumerate(body):
            if i in chosen or not bound(n) & wanted or isinstance(n, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                continue
            chosen.add(i)
            wanted |= {x.id for x in ast.walk(n) if isinstance(x, ast.Name)}
            changed = True
    starts = [min([n.lineno] + [d.lineno for d in getattr(n, "decorator_list", [])]) - 1 for n in body] + [None]
    text = program.text.splitlines()
    return ["\n".join(text[starts[i] : starts[i + 1]]).rstrip() for i in sorted(chosen)]


def position(frame, lasti):
    """Where the failing expression of a frame stands: lines and columns, if the interpreter says."""
    if hasattr(frame.f_code, "co_positions"):
        found = list(frame.f_code.co_positions())[lasti // 2]
        if None not in found:
            return found
    return None


def failing(source, frame, lasti, line):
    """The expressions of a frame that may be the failing one, the likeliest first."""
    at = position(frame, lasti)
    if sys.version_info < (3, 8):
        return []  # it does not say where things end
    line -= source.above
    if at:
        at = (at[0] - source.above, at[1] - source.above) + at[2:]
    nodes = [n for n in ast.walk(source.tree) if isinstance(n, ast.expr)]
    if at:
        return [n for n in nodes if (n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) == at][:1]
    kinds = (ast.Call, ast.BinOp, ast.Subscript, ast.Compare, ast.Attribute, ast.UnaryOp)
    there = [
        n
        for n in nodes
        if isinstance(n, kinds)
        and n.lineno <= line <= n.end_lineno
        and isinstance(getattr(n, "ctx", ast.Load()), ast.Load)
    ]
    return sorted(there, key=lambda n: source.span(n)[0] - source.span(n)[1])[:4]


def call_again(frame, exact):
    """A call of the frame's function with the arguments that it has."""
    code, needs = frame.f_code, Needs()
    if code.co_name.startswith("<") or code.co_flags & 0x0C:
        cannot()
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    own = sys.modules["__main__"].__dict__.get(code.co_name)
    if getattr(own, "__code__", None) is not code:
        cannot()
    needs.names.add(code.co_name)
    args = [
        (n if i >= code.co_argcount else "")
        + ("=" if i >= code.co_argcount else "")
        + show(frame.f_locals[n], needs, exact)
        for i, n in enumerate(names)
    ]
    return "\n".join(above(needs) + ["%s(%s)" % (code.co_name, ", ".join(args))]) + "\n"


def library(code, texts):
    """The text of a library's function, or None if there is none to be read."""
    name = code.co_filename
    if name not in texts:
        try:
            with io.open(name, encoding="utf-8") as f:
                texts[name] = f.readlines()
        except Exception:
            texts[name] = []
    try:
        return source_of(code, texts[name]) if texts[name] else None
    except Exception:
        return None


def lifts(frames):
    """Programs that make the failing call alone, for every frame."""
    all, whole, texts = [], Source(program.text), {}
    for depth, (frame, lasti, line) in enumerate(frames):
        own = frame.f_code.co_filename == SCRIPT
        source = whole if own else library(frame.f_code, texts)
        if source is None:
            continue
        for exact in (False, True):
            for n in failing(source, frame, lasti, line):
                try:
                    lift = Lift(frame, source, exact)
                    all.append({"depth": depth, "own": own, "text": lift.program(lift.text(n))})
                except Exception:
                    pass
            if own:
                try:
                    all.append({"depth": depth, "own": own, "text": call_again(frame, exact)})
                except Exception:
                    pass
    return all


def at_hand(needs):
    """Whether the program has all that a value needs, under the same names."""
    scope = sys.modules["__main__"].__dict__
    for line in needs.imports:
        words = line.split()
        if words[0] != "import" or scope.get(words[-1].split(".")[0]) is not sys.modules.get(
            words[-1] if len(words) == 2 and "." not in words[1] else words[1].split(".")[0]
        ):
            return False
    return not needs.names


def locals_of(frames):
    """What the names of the program's own frames stand for."""
    all = []
    for frame, _, line in frames:
        if frame.f_code.co_filename != SCRIPT:
            continue
        values = {}
        for name, v in list(frame.f_locals.items()):
            try:
                needs = Needs()
                text = show(v, needs, True)
                if at_hand(needs) and not name.startswith("__"):
                    values[name] = text
            except Exception:
                pass
        all.append({"func": frame.f_code.co_name, "line": line, "locals": values})
    return all
