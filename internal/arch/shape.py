"""Prints what is tiring to read in Python files: python3 shape.py FILE…"""

import ast
import sys

LINES, COLUMNS, FUNCTION, WAYS = 400, 120, 60, 20
BRANCHES = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension, ast.Assert)


def ways(node):
    "How many ways lead through a function (its cyclomatic complexity)."
    n = 1
    for x in ast.walk(node):
        if isinstance(x, BRANCHES):
            n += 1 + (len(x.ifs) if isinstance(x, ast.comprehension) else 0)
        elif isinstance(x, ast.BoolOp):
            n += len(x.values) - 1
    return n


for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as f:
        text = f.read()
    lines = text.splitlines()
    if len(lines) > LINES:
        print("%s: %d lines, more than %d" % (name, len(lines), LINES))
    for at, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            print("%s:%d: %d columns, more than %d" % (name, at, len(line), COLUMNS))
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if node.end_lineno - node.lineno > FUNCTION:
            print("%s:%d: %s is %d lines long" % (name, node.lineno, node.name, node.end_lineno - node.lineno))
        if ways(node) > WAYS:
            print("%s:%d: %d ways lead through %s, more than %d" % (name, node.lineno, ways(node), node.name, WAYS))
