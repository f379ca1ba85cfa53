# Takes a program apart into its statements at the top: imports, values that
# it prints, and all the rest, each with its own lines.
import ast
import io
import json
import sys
import tokenize

with open(sys.argv[1], encoding="utf-8") as f:
    text = f.read()
lines = text.split("\n")


def first(node):
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])


def printed(node):
    """The lines and columns of the one value that node prints."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return None
    call = node.value
    if not (isinstance(call.func, ast.Name) and call.func.id == "print" and len(call.args) == 1 and not call.keywords):
        return None
    arg, show = call.args[0], "str"
    if isinstance(arg, ast.Starred):
        return None
    if (
        isinstance(arg, ast.Call)
        and isinstance(arg.func, ast.Name)
        and arg.func.id == "repr"
        and len(arg.args) == 1
        and not arg.keywords
    ):
        arg, show = arg.args[0], "repr"
    source = ast.get_source_segment(text, arg)
    return source and {"value": source, "show": show}


def main_guard(node):
    if not isinstance(node, ast.If) or node.orelse or not isinstance(node.test, ast.Compare):
        return False
    test = node.test
    sides = [test.left] + test.comparators
    names = [s.id for s in sides if isinstance(s, ast.Name)]
    texts = [s.value for s in sides if isinstance(s, ast.Constant)]
    return len(sides) == 2 and isinstance(test.ops[0], ast.Eq) and names == ["__name__"] and texts == ["__main__"]


def unwrapped(body):
    for node in body:
        if main_guard(node):
            for inner in node.body:
                yield inner, inner.lineno == node.lineno
        else:
            yield node, False


def fixed(chunk):
    """Marks the lines that begin inside a text: they stay where they are."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO("\n".join(chunk) + "\n").readline))
    except (tokenize.TokenError, SyntaxError):
        return chunk
    inside = set()
    start = None
    for t in tokens:
        kind = tokenize.tok_name[t.type]
        if kind == "STRING":
            inside.update(range(t.start[0] + 1, t.end[0] + 1))
        elif kind in ("FSTRING_START", "TSTRING_START"):
            start = t.start[0]
        elif kind in ("FSTRING_END", "TSTRING_END") and start is not None:
            inside.update(range(start + 1, t.end[0] + 1))
            start = None
    return [("\0" if n in inside else "") + line for n, line in enumerate(chunk, 1)]


parts, until = [], 0
for node, beside in unwrapped(ast.parse(text).body):
    begin, end = first(node), node.end_lineno
    if beside:  # it stands in the line of the guard, which goes
        part = {"kind": "other", "text": ast.get_source_segment(text, node)}
        show = printed(node)
        if show:
            part.update(kind="print", **show)
        parts.append(part)
        until = end
        continue
    if begin <= until:  # it shares a line with the one before
        parts[-1] = (
            {"kind": "other", "text": parts[-1]["text"] + "\n" + "\n".join(lines[until:end])}
            if end > until
            else dict(parts[-1], kind="other")
        )
        until = max(until, end)
        continue
    chunk = lines[begin - 1 : end]
    indent = len(chunk[0]) - len(chunk[0].lstrip())
    chunk = [line[indent:] if line[:indent].strip() == "" else line for line in chunk]
    if chunk[-1].endswith("  # added by scrub"):
        chunk[-1] = chunk[-1][: -len("  # added by scrub")]
    part = {"kind": "other", "text": "\n".join(fixed(chunk))}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        part["kind"] = "future" if getattr(node, "module", "") == "__future__" else "import"
    show = printed(node)
    if show:
        part.update(kind="print", **show)
    parts.append(part)
    until = end
json.dump(parts, sys.stdout)
