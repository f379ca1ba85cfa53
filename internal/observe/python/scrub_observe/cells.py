"""Takes the cells of a report apart into statements that can be compiled.

A cell is what was typed at one prompt, or a block of code. People paste blocks
that do not parse as a whole: what does parse of them is kept, the rest is left out.
"""

import ast
import re

LONGEST = 60  # lines of a statement that are tried, where a block does not parse

PRINT = re.compile(r"(?m)^([ \t]*)print[ \t]+(?![=(])(.*?)[ \t]*$")
EXCEPT = re.compile(r"(?m)^([ \t]*)except[ \t]+([\w.]+)[ \t]*,[ \t]*(\w+)[ \t]*:")
MAGIC = re.compile(r"(?m)^([ \t]*)[%!?].*$")
TIMED = re.compile(r"(?m)^%(?:time|prun)[ \t]+")


def modern(text):
    """The text with what Python 2 and IPython alone understand written as others do."""
    text = TIMED.sub("", text)
    text = MAGIC.sub(r"\1pass", text)
    return EXCEPT.sub(r"\1except \2 as \3:", PRINT.sub(r"\1print(\2)", text))


def tree(text):
    """The tree of a text, or None."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def first_line(node):
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])


def last_line(node):
    """Where a statement ends: by itself, or by the last of its parts where Python does not say."""
    ends = [getattr(n, "end_lineno", None) or getattr(n, "lineno", 0) for n in ast.walk(node)]
    return max(ends + [node.lineno])


def statements(text):
    """(source, first line, kind) of each statement of a text that parses."""
    body, lines = tree(text).body, text.split("\n")
    found = []
    for i, node in enumerate(body):
        start = first_line(node)
        end = first_line(body[i + 1]) - 1 if i + 1 < len(body) else len(lines)
        if end < start:  # several on one line
            end = start
        source = "\n".join(lines[start - 1 : end]).rstrip()
        if i and last_line(body[i - 1]) >= start or i + 1 < len(body) and first_line(body[i + 1]) == start:
            source = segment(text, node)
        if source is None:  # this Python cannot tell them apart: they stay together
            source = "\n".join(lines[start - 1 : end]).rstrip()
            found = [f for f in found if f[1] != start]
        found.append((source, start, type(node).__name__))
    return found


def segment(text, node):
    """The source of one of several statements on a line."""
    get = getattr(ast, "get_source_segment", None)
    return get(text, node) if get else None


def pieces(text):
    """The statements of a text, of what parses of it if not all does."""
    for version in (text, modern(text)):
        if tree(version):
            return statements(version), True
    found, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        size = longest(lines, at)
        if size:
            part = "\n".join(lines[at : at + size])
            part = part if tree(part) else modern(part)
            found += [(source, at + line, kind) for source, line, kind in statements(part)]
        at += size or 1
    return found, False


def longest(lines, at):
    """How many lines from at parse together."""
    for end in range(min(len(lines), at + LONGEST), at, -1):
        part = "\n".join(lines[at:end])
        if tree(part) or tree(modern(part)):
            return end - at
    return 0
