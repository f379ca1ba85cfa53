"""The program that is looked at, and what all parts of the look share."""

import ast
import dis
import os

SCRIPT = os.path.abspath("subject.py")


class program:
    text = None  # until it is loaded: an interpreter may import this before there is a program


def load():
    with open(SCRIPT, encoding="utf-8") as f:
        program.text = f.read()
    return program.text


KNOWN = {}  # functions by where the program found them


class Source:
    """The text of a file, to cut expressions out of by what the parser says."""

    def __init__(self, text, above=0):
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.above = above  # lines of the file that are left out above it
        self.starts = [0]
        for line in self.data.splitlines(True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, n):
        return self.starts[n.lineno - 1] + n.col_offset, self.starts[n.end_lineno - 1] + n.end_col_offset

    def text(self, start, end):
        return self.data[start:end].decode()


def source_of(code, lines):
    """The text of a function alone, where it can be told: a library's file can be long."""
    first, last = code.co_firstlineno, last_line(code)
    for end in range(last, min(last + 20, len(lines)) + 1):
        try:
            return Source("if 1:\n" + "".join(lines[first - 1 : end]), first - 2)
        except SyntaxError:
            pass  # what it is in ends further down
    return None


def last_line(code):
    found = [code.co_firstlineno]
    if hasattr(code, "co_lines"):
        found += [line for _, _, line in code.co_lines() if line]
    else:
        found += [line for _, line in dis.findlinestarts(code)]
    return max(found + [last_line(c) for c in code.co_consts if hasattr(c, "co_code")])
