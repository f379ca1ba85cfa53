"""The program that is looked at, and what all parts of the look share."""

import ast
import os

SCRIPT = os.path.abspath("subject.py")
with open(SCRIPT, encoding="utf-8") as f:
    TEXT = f.read()
KNOWN = {}  # functions by where the program found them


class Source:
    """The text of a file, to cut expressions out of by what the parser says."""

    def __init__(self, text):
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.data.splitlines(True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, n):
        return self.starts[n.lineno - 1] + n.col_offset, self.starts[n.end_lineno - 1] + n.end_col_offset

    def text(self, start, end):
        return self.data[start:end].decode()
