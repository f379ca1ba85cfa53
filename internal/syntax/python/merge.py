"""Puts the modules of a program into it: what is imported from one of the
files stands in the place of the import. main.txt is the program; the other
files are named by their modules. Prints one JSON document.
"""

import ast
import json
import os

TEXTS = {}
for name in os.listdir("."):
    if name.endswith(".module"):
        with open(name, encoding="utf-8") as f:
            TEXTS[name[: -len(".module")]] = f.read()
put, future = set(), []


def is_main(n):
    """Whether a statement is for a file that is run, and not imported."""
    return isinstance(n, ast.If) and any(isinstance(x, ast.Name) and x.id == "__name__" for x in ast.walk(n.test))


def module_of(n, package):
    """The file that an import is about, or None."""
    if isinstance(n, ast.ImportFrom):
        names = [".".join(filter(None, [package, n.module]))] if n.level else [n.module]
    elif isinstance(n, ast.Import) and len(n.names) == 1:
        names = [n.names[0].name]
    else:
        return None
    return next((x for x in names if x in TEXTS), None)


def renamed(n):
    """The statements that give what is imported its other names."""
    if not isinstance(n, ast.ImportFrom):
        return []
    return ["%s = %s" % (a.asname, a.name) for a in n.names if a.asname and a.asname != a.name]


def merged(name, main):
    """The text of a file with those it imports in it, and how it spells what is in them."""
    text = TEXTS[name]
    tree, data = ast.parse(text), text.encode()
    starts = [0]
    for line in data.splitlines(True):
        starts.append(starts[-1] + len(line))
    edits = []

    def replace(n, new):
        edits.append((starts[n.lineno - 1] + n.col_offset, starts[n.end_lineno - 1] + n.end_col_offset, new))

    spelled = {}
    for n in ast.walk(tree):
        package = name.rpartition(".")[0]
        if isinstance(n, ast.ImportFrom) and n.module == "__future__":
            future.append(ast.get_source_segment(text, n))
            replace(n, "pass")
            continue
        found = module_of(n, package)
        if found is None:
            continue
        new = [] if found in put else [merged(found, False)]
        new += renamed(n)
        if isinstance(n, ast.Import):
            spelled[n.names[0].asname or n.names[0].name] = found
        indent = " " * n.col_offset
        replace(n, ("\n" + indent).join("\n".join(new).splitlines()).strip() or "pass")
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and ast.get_source_segment(text, n.value) in spelled:
            replace(n, n.attr)
    for n in tree.body:
        if not main and isinstance(n, ast.If) and is_main(n):
            replace(n, "pass")
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new.encode() + data[end:]
    put.add(name)
    return data.decode()


put.add("main")
whole = merged("main", True)
print(json.dumps("\n".join(dict.fromkeys(future)) + ("\n" if future else "") + whole))
