# Puts a test into a file of tests: as the last method of a class, or, where
# there is no such class, in front of the line that runs the tests. It says no
# rather than break the file.
import ast
import json
import sys

with open("order.json", encoding="utf-8") as f:
    order = json.load(f)
text = order["text"]
lines = text.splitlines(True)
tree = ast.parse(text)


def say(**kwargs):
    json.dump(kwargs, sys.stdout)
    sys.exit(0)


for node in ast.walk(tree):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "test_" + order["name"]:
        say(why="there is a test_%s in it already" % order["name"])
at, new = None, None
for node in tree.body:
    if isinstance(node, ast.ClassDef) and node.name == order["class"]:
        at, new = node.end_lineno, "\n" + order["method"].strip("\n") + "\n"
if at is None and order["class"]:
    say(why="there is no class %s in it" % order["class"])
if at is None:
    at, new = len(lines), "\n\n" + order["method"].strip("\n") + "\n"
if lines and not lines[at - 1].endswith("\n"):
    lines[at - 1] += "\n"
after = "".join(lines[:at]) + new + "".join(lines[at:])
try:
    compile(after, "test", "exec")
except SyntaxError as e:
    say(why="the test does not fit in there: %s" % e)
say(text=after)
