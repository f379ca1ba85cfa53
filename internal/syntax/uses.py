# Reads a program without running it: what it imports, and which names of
# modules and of the language it touches, with their lines. Prints JSON.
import ast
import builtins
import importlib.util
import json
import sys


class Uses(ast.NodeVisitor):
    def __init__(self):
        self.names = {}  # local name -> what it stands for
        self.uses = []
        self.imports = set()

    def use(self, node, name, args=()):
        self.uses.append({"line": node.lineno, "name": name, "args": list(args)})

    def visit_Import(self, node):
        for a in node.names:
            top = a.name.split(".")[0]
            self.imports.add(top)
            self.names[a.asname or top] = a.name if a.asname else top
            self.use(node, a.name)

    def visit_ImportFrom(self, node):
        if node.level or not node.module:
            return
        self.imports.add(node.module.split(".")[0])
        for a in node.names:
            full = node.module + "." + a.name
            self.names[a.asname or a.name] = full
            self.use(node, full)

    def dotted(self, node):
        "What an expression stands for, as far as its text tells."
        if isinstance(node, ast.Name):
            if node.id in self.names:
                return self.names[node.id]
            return node.id if hasattr(builtins, node.id) else None
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return base and base + "." + node.attr
        if isinstance(node, ast.Call):
            base = self.dotted(node.func)
            if base == "getattr" and len(node.args) > 1 and text(node.args[1]) is not None:
                of = self.dotted(node.args[0])
                return of and of + "." + text(node.args[1])
            return base
        return None

    def visit_Assign(self, node):
        self.visit(node.value)
        full = self.dotted(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                # A name that is given something new stands for that alone.
                self.names.pop(target.id, None)
                if full:
                    self.names[target.id] = full
            else:
                self.visit(target)

    def visit_Call(self, node):
        full = self.dotted(node.func)
        args = [a for a in map(text, node.args + [k.value for k in node.keywords]) if a is not None]
        if full:
            self.use(node, full, args)
        if self.dotted(node) not in (None, full):
            self.use(node, self.dotted(node), args)
        if not full or isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            self.visit(node.func)
        for a in node.args + [k.value for k in node.keywords]:
            self.visit(a)

    def visit_Attribute(self, node):
        full = self.dotted(node)
        if full:
            self.use(node, full)
        else:
            self.visit(node.value)

    def visit_Name(self, node):
        full = self.dotted(node)
        if full:
            self.use(node, full)


def text(node):
    "The text of a literal, put together if it is in pieces."
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value[:200]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = text(node.left), text(node.right)
        return None if left is None or right is None else left + right
    return None


def there(module):
    try:
        return module in sys.builtin_module_names or importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def read(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return {"uses": [], "imports": [], "missing": [], "broken": {"line": getattr(e, "lineno", 0) or 0, "message": getattr(e, "msg", "") or str(e)}}
    found = Uses()
    found.visit(tree)
    # The folder of this reader is not part of the program's world.
    sys.path[:] = [p for p in sys.path if p not in ("", "/box")]
    imports = sorted(found.imports)
    return {"uses": found.uses, "imports": imports, "missing": [m for m in imports if not there(m)]}


sys.setrecursionlimit(10000)
with open(sys.argv[1], encoding="utf-8") as f:
    print(json.dumps(read(f.read())))
