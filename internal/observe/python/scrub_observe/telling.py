"""Tells whether a block is a program, and which of its statements do something."""

import ast
import re

from scrub_observe.cells import modern, pieces, tree

PYTHON = re.compile(r"^(py\w*|ipython\d?|pycon|sage|jupyter\w*)$")
OTHERS = re.compile(
    r"^(bash|sh|shell|console|zsh|cmd|latex|tex|diff|patch|te?xt|json|html|xml|ya?ml|toml|ini|cfg|c|cpp|c\+\+|java|js|"
    r"julia|rust|go|fortran|none|pytb|traceback|output|log|md|markdown|r|sql|matlab|make|dockerfile)$"
)
NEVER = re.compile(r"^\s*(Traceback \(most|File \"|\$ |pip3? |conda |INSTALLED VERSIONS|<\w+[.\w]*[ >])|^-{8,}\s*$")
CODE_LINE = re.compile(
    r"\s*(import |from [\w.]+ import|print\b|assert |def |class |for .*:|while .*:|with .*:|if .*:|try:|@\w|"
    r"[\w., \[\]'\"]+ ?[-+*/]?= ?\S|[\w.]+\(.*\)\s*(#.*)?$)"
)
ACTS = (ast.Call, ast.Import, ast.ImportFrom, ast.Assign, ast.Assert, ast.FunctionDef, ast.ClassDef, ast.Compare)


def program(text, lang):
    """'yes', 'maybe' (an expression alone, which may be a result) or 'no'."""
    lang = lang.lower()
    body = [line for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]
    if not body or OTHERS.match(lang) or NEVER.match(body[0]):
        return "no"
    whole = tree(text) or tree(modern(text))
    if whole is not None:
        return whole_program(whole, lang)
    good = sum(1 for line in body if CODE_LINE.match(line))
    if any("Traceback (most recent" in line for line in body) and good < 2:
        return "no"
    found = pieces(text)[0]
    if not found:
        return "no"
    return "yes" if 2 * good >= len(body) or good >= 2 and PYTHON.match(lang) else "no"


def whole_program(whole, lang):
    nodes = list(ast.walk(whole))
    if not any(isinstance(n, ACTS + (ast.Attribute,)) for n in nodes):
        return "maybe" if PYTHON.match(lang) else "no"
    if PYTHON.match(lang):
        return "yes"
    alone = all(isinstance(s, ast.Expr) for s in whole.body)
    if alone and not any(isinstance(n, ast.Attribute) for n in nodes):
        return "maybe"  # a result such as Matrix([1, 2]) is an expression too
    return "yes"


MEANT = re.compile(r"^(main|repro\w*|reproduce\w*|run|demo|example|bug|test\w*|check\w*|minimal\w*)$", re.I)
DEFINES = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


# A file of tests is run by what its author runs it with, which reads it once more.
PYTEST = 'if __name__ == "__main__": import pytest; pytest.main([__file__, "-q", "-p", "no:cacheprovider"])'


def tested(s):
    """Whether a statement is a test that only pytest can call, or is about how pytest calls it."""
    if isinstance(s, (ast.Import, ast.ImportFrom)):
        return "pytest" in [a.name for a in s.names] + [getattr(s, "module", "")]
    return isinstance(s, ast.FunctionDef) and s.name.startswith("test") and bool(s.args.args)


def for_pytest(body):
    return any(tested(s) for s in body) and any(getattr(s, "name", "")[:4].lower() == "test" for s in body)


def calls(sources):
    """What to call at the end of a program that only defines things."""
    trees = [t for t in map(tree, sources) if t]
    body = [s for t in trees for s in t.body]
    if not all(isinstance(s, DEFINES) or docstring(s) for s in body):
        return []
    if for_pytest(body):
        return [PYTEST]
    free = uncalled([s for s in body if isinstance(s, ast.FunctionDef)], trees)
    meant = [f for f in free if MEANT.match(f.name)] or (free if len(free) == 1 else [])
    return ["%s()" % f.name for f in meant] + [text for s in body for text in tests(s)]


def uncalled(functions, trees):
    """The functions that need nothing and that no program calls."""
    used = set().union(*[called(t) for t in trees])
    return [f for f in functions if not needs(f) and f.name not in used]


def called(whole):
    """The names that a program calls."""
    return {n.func.id for n in ast.walk(whole) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}


def docstring(s):
    return isinstance(s, ast.Expr) and isinstance(s.value, getattr(ast, "Constant", ast.Expr))


def needs(f):
    """Whether a function must be given something."""
    a = f.args
    return len(a.args) > len(a.defaults) or any(d is None for d in a.kw_defaults) or bool(f.decorator_list)


def tests(s):
    """Calls of the methods of a test case."""
    if not isinstance(s, ast.ClassDef):
        return []
    named = [b.id if isinstance(b, ast.Name) else getattr(b, "attr", "") for b in s.bases]
    methods = [m.name for m in s.body if isinstance(m, ast.FunctionDef) and m.name.startswith("test")]
    if any(name.endswith("TestCase") for name in named):
        return ["%s(%r).debug()" % (s.name, m) for m in methods]
    if s.name.startswith("Test") and not named:
        return ["%s().%s()" % (s.name, m) for m in methods]
    return []
