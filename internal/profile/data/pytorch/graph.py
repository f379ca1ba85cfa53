"""Runs the program subject.py and says, as programs, what it has the compiler compile: the last graph, and those of its
operations that the error names, each alone. However the program ends, what was seen until then is said.
"""

import ast
import json
import os
import re
import sys
import types

import torch
import torch._dynamo.output_graph
from torch import fx

script = os.path.abspath("subject.py")
with open(script, "rb") as f:
    text = f.read().decode("utf-8", "replace")
tree = ast.parse(text)
out, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 1)
os.dup2(null, 2)
last = []

compiled = torch._dynamo.output_graph.OutputGraph.call_user_compiler


def noting(self, gm, *args, **kwargs):
    graph = fx.Graph()  # a copy: what is compiled is taken apart
    graph.graph_copy(gm.graph, {})
    last[:] = [graph]
    tell(None)  # it may die of it
    return compiled(self, gm, *args, **kwargs)


torch._dynamo.output_graph.OutputGraph.call_user_compiler = noting


def written(v):
    """How a value of the same kind is made, or None."""
    if isinstance(v, (bool, int, float)):
        return repr(v)
    if not isinstance(v, torch.Tensor):
        return None
    try:
        shape = [int(n) for n in v.shape]
    except Exception:
        return None
    told = []
    if v.dtype != torch.get_default_dtype():
        told.append("dtype=%s" % v.dtype)
    if v.device.type != "cpu":
        told.append('device="%s"' % v.device.type)
    if v.requires_grad and v.dtype.is_floating_point:
        told.append("requires_grad=True")
    make = "torch.randn" if v.dtype.is_floating_point or v.dtype.is_complex else "torch.ones"
    return "%s(%s)" % (make, ", ".join([", ".join(map(str, shape)) or "()"] + told))


def imports(names):
    """Lines that make names mean what they stand for, or None."""
    lines = []
    for name, what in names.items():
        if isinstance(what, types.ModuleType):
            lines.append("import %s" % what.__name__ + ("" if name == what.__name__ else " as " + name))
        elif getattr(what, "__module__", None) and getattr(what, "__name__", None):
            lines.append("from %s import %s as %s" % (what.__module__, what.__name__, name))
        elif isinstance(what, float):
            lines.append("%s = float(%r)" % (name, str(what)))
        elif name not in ("torch",):
            return None
    return lines


def options():
    """What the program gives torch.compile besides what is compiled."""
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("compile"):
            if all(isinstance(k.value, (ast.Constant, ast.Dict)) and k.arg for k in n.keywords):
                return "".join(", " + ast.unparse(k) for k in n.keywords if k.arg != "model")
    return ""


def needed(nodes):
    """What comes from outside of some nodes of a graph, with how it is made."""
    inputs = {}
    for n in nodes:
        if n.op == "get_attr" or n.op == "call_module":
            raise ValueError(n.op)
        for a in n.all_input_nodes:
            if a not in nodes and a not in inputs:
                inputs[a] = written(a.meta.get("example_value"))
                if inputs[a] is None:
                    raise ValueError(a.name)
    return inputs


def function(nodes, inputs):
    """The lines of a function that does what some nodes do, and what its names stand for."""
    some, new = fx.Graph(), {}
    for i, n in enumerate(inputs):
        new[n] = some.placeholder("xyzabcdeghijk"[i] if i < 13 else "x%d" % i)
    for n in nodes:
        new[n] = some.node_copy(n, lambda a: new[a])
    kept = [n for n in nodes if not any(u in nodes for u in n.users)]
    some.output(new[kept[0]] if len(kept) == 1 else tuple(new[n] for n in kept))
    code = some.python_code("self")
    lines = [line.split("  #")[0].rstrip() for line in code.src.strip().splitlines()]
    at = next(i for i, line in enumerate(lines) if line.startswith("def forward("))
    lines[at] = "def f(%s):" % ", ".join(str(new[n]) for n in inputs)
    used = {k: v for k, v in code.globals.items() if k in "\n".join(lines[at:])}
    used.setdefault("torch", torch)
    return [tidy(line) for line in lines[at:] if line.strip()], used


def program(nodes, before, backward):
    """The program that compiles some nodes of a graph, and runs what comes of it."""
    inputs = needed(nodes)
    body, used = function(nodes, inputs)
    call = "torch.compile(f%s)(%s)" % (options(), ", ".join(inputs.values()))
    return "\n".join(imports(used) + [before] + body + [call + backward]) + "\n"


def tidy(line):
    # ;  x = None says that x is needed no more.
    return line.split(";  ")[0]


def stood(e):
    """The line of the program's own level where it failed, or stands."""
    while e is not None:
        tb = e.__traceback__
        while tb is not None:
            if own(tb.tb_frame):
                return tb.tb_lineno
            tb = tb.tb_next
        e = e.__cause__ or e.__context__
    frame = sys._getframe()
    while frame is not None and not own(frame):
        frame = frame.f_back
    return frame and frame.f_lineno


def own(frame):
    return frame.f_code.co_filename == script and frame.f_code.co_name == "<module>"


def before(at):
    """The statements of the program that had ended when it came there and may have done something to the compiler, as
    registering an operator, with those that they need.
    """
    done = [n for n in tree.body if at is None or n.end_lineno < at]
    needed, kept = set(), []
    for n in reversed(done):
        mere = isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.decorator_list
        mere = mere or isinstance(n, (ast.Import, ast.ImportFrom, ast.Assign))
        if not (isinstance(n, ast.If) or mere and not needed & set(bound(n))):
            needed |= {x.id for x in ast.walk(n) if isinstance(x, ast.Name)}
            kept.insert(0, n)
    return "\n".join(map(source, kept))


def source(n):
    """A statement as it is written: a line that must stay is found by its text."""
    first = min([n.lineno] + [d.lineno for d in getattr(n, "decorator_list", [])])
    return "\n".join(text.splitlines()[first - 1 : n.end_lineno])


def bound(n):
    """The names that a statement binds, as far as that can be told."""
    if isinstance(n, (ast.Import, ast.ImportFrom)):
        return [(a.asname or a.name).split(".")[0] for a in n.names]
    if isinstance(n, ast.Assign):
        return [x.id for t in n.targets for x in ast.walk(t) if isinstance(x, ast.Name)]
    return [n.name]


def sets(e):
    """Which operations of the graph to take: each that the error names alone, then all."""
    calls = [n for graph in last for n in graph.nodes if n.op not in ("placeholder", "output")]
    said = []
    while e is not None and len(said) < 9:
        said.append(str(e))
        e = e.__cause__ or e.__context__
    said = "\n".join(said)
    places = {}
    for n in calls:
        named = re.search(r"(?<!\w)%s(?!\w)" % re.escape(str(n.target)), said)
        if named:
            places.setdefault(named.start(), [n])
    return [places[at] for at in sorted(places)[:3]] + [calls]


def tell(e):
    all = []
    try:
        sofar = before(stood(e))
    except Exception:
        sofar = ""
    ends = [""] + ([".sum().backward()"] if "backward(" in text or "grad(" in text else [])
    for nodes in sets(e):
        for first in dict.fromkeys(["", sofar]):
            for end in ends:
                try:
                    made = program(nodes, first, end)
                except Exception:
                    continue
                if made not in all:
                    all.append(made)
    os.write(out, ("\n" + json.dumps(all) + "\n").encode())


scope = types.ModuleType("__main__")
scope.__dict__.update(__file__=script, __builtins__=__builtins__)
sys.modules["__main__"], sys.argv = scope, [script]
try:
    exec(compile(tree, script, "exec", dont_inherit=True), scope.__dict__)
    tell(None)
except BaseException as e:
    tell(e)
os._exit(0)
