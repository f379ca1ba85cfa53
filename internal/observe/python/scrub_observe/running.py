"""Runs statements one by one, as at a prompt, and goes on after errors."""

import ast
import builtins
import importlib
import io
import linecache
import re
import signal
import sys
import time
import warnings

from scrub_observe.showing import chain, views


class Slow(BaseException):
    """A statement took too long."""


def interrupt(*_):
    raise Slow()


def bound(node):
    """The names that a statement gives a meaning."""
    names = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            names.add(n.id)
        elif isinstance(n, (ast.FunctionDef, ast.ClassDef)):
            names.add(n.name)
        elif isinstance(n, ast.alias):
            names.add((n.asname or n.name).split(".")[0])
    return names


def used(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


class Running:
    """A namespace, and what was seen in it so far."""

    def __init__(self, scope, each, budget, viewers, seeds=None):
        self.scope, self.each, self.budget, self.viewers = scope, each, budget, viewers
        self.seeds = dict(seeds or {})  # by module: what makes it draw the same numbers every time
        self.lost = set()  # names whose statement failed
        self.warned = []
        self.over = False
        warnings.simplefilter("default")
        warnings.showwarning = self.warn
        signal.signal(signal.SIGPROF, interrupt)

    def warn(self, message, category, *_, **__):
        text = "%s: %s" % (category.__name__, str(message).strip()[:500])
        if text not in self.warned:
            self.warned.append(text)

    def statement(self, number, text):
        """Runs one statement and returns what it showed."""
        left = self.budget - time.process_time()
        if self.over or left <= 0.2:
            return {"skipped": "ended" if self.over else "budget"}
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
            return {"raised": chain(e)}
        if not tree.body:
            return {}
        node = tree.body[0] if len(tree.body) == 1 else tree
        defines = isinstance(node, (ast.FunctionDef, ast.ClassDef))
        if used(node) & self.lost and not defines:
            self.lost |= bound(node) - set(self.scope)
            return {"skipped": "unreached"}
        return self.run(number, text, tree, node, min(self.each, left))

    def run(self, number, text, tree, node, seconds):
        name = "<statement %d>" % number
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        self.warned, seen = [], {}
        out, streams = io.StringIO(), (sys.stdout, sys.stderr)
        sys.stdout = out
        sys.stderr = io.StringIO()
        value = None
        try:
            value = self.limited(seconds, seen, lambda: self.execute(tree, node, name))
            while self.submodule(seen):
                value = self.limited(seconds, seen, lambda: self.execute(tree, node, name))
        finally:
            sys.stdout, sys.stderr = streams
        failed = "raised" in seen or "slow" in seen
        if failed:
            self.lost |= bound(node) - set(self.scope)
        else:
            self.lost -= bound(node)
        if out.getvalue():
            seen["out"] = out.getvalue()[:8000]
        self.seed()
        if self.warned:
            seen["warned"] = self.warned[:6]
        if not failed:
            self.limited(10, {}, lambda: self.show(seen, node, value))
        return seen

    def submodule(self, seen):
        """Imports a part of a package that a session had imported before, and whose absence stopped a statement."""
        message = seen["raised"][0]["message"] if "raised" in seen else ""
        found = re.match(r"module '([\w.]+)' has no attribute '(\w+)'", message)
        if not found or found.group(1) not in sys.modules:
            return False
        name = ".".join(found.groups())
        try:
            importlib.import_module(name)
        except Exception:
            return False
        del seen["raised"]
        seen["mended"] = "import " + name
        return True

    def seed(self):
        for module in [m for m in self.seeds if m in sys.modules]:
            call = self.seeds.pop(module)
            self.limited(5, {}, lambda: exec("import %s; %s" % (module, call), {}))

    def execute(self, tree, node, name):
        if isinstance(node, ast.Expr):
            return eval(compile(ast.Expression(node.value), name, "eval"), self.scope)
        exec(compile(tree, name, "exec"), self.scope)

    def limited(self, seconds, seen, do):
        """Does something for some seconds of CPU at most."""
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            return do()
        except Slow:
            seen["slow"] = seconds
        except SystemExit as e:
            seen["raised"] = chain(e)
            self.over = True
        except BaseException as e:
            seen["raised"] = chain(e)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def show(self, seen, node, value):
        """Notes the value of an expression, or what a name was just given."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if value is not None:
                builtins._ = value
                seen["value"] = views(value, self.viewers)
            elif isinstance(node, (ast.Assign, ast.AugAssign)):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name) and target.id in self.scope:
                    seen["set"] = views(self.scope[target.id], {})
