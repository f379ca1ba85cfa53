# Compares what torch.compile computes with eager and with eager in 64 bits,
# graph by graph, and searches for the first operation that differs.
import runpy
import sys

import torch
from torch._dynamo.utils import same

TOLERANCE = 1e-3  # as the compiler's own accuracy check
real = torch.compile


def say(text):
    print("scrub: " + text, file=sys.stderr, flush=True)


def wide(x):
    return x.to(torch.float64) if isinstance(x, torch.Tensor) and x.is_floating_point() else x


def copies(xs, to=lambda x: x):
    return [to(x.detach().clone()) if isinstance(x, torch.Tensor) else x for x in xs]


def error(a, b):
    """How far apart two results are, as a number to show."""
    worst = 0.0
    for x, y in zip(flat(a), flat(b)):
        if x.numel() and x.shape == y.shape:
            worst = max(worst, (x.double() - y.double()).abs().nan_to_num(nan=float("inf")).max().item())
    return worst


def flat(x):
    return [t for t in torch.utils._pytree.tree_leaves(x) if isinstance(t, torch.Tensor) and t.dtype != torch.bool]


def reference(gm, inputs):
    """gm in 64 bits; None if it cannot be run so."""
    try:
        import copy

        return copy.deepcopy(gm).to(torch.float64)(*copies(inputs, wide))
    except Exception:
        return None


def until(gm, node):
    """gm as far as node, which it returns."""
    graph = torch.fx.Graph()
    seen = {}
    for n in gm.graph.nodes:
        if n.op == "output":
            break
        seen[n] = graph.node_copy(n, lambda m: seen[m])
        if n is node:
            graph.output((seen[n],))
            return torch.fx.GraphModule(gm, graph)
    raise AssertionError("it is no node of the graph")


def differs(gm, inputs, compiler):
    try:
        eager, expected = gm(*copies(inputs)), reference(gm, inputs)
        got = (
            torch._dynamo.backends.registry.lookup_backend(compiler)(gm, copies(inputs))
            if isinstance(compiler, str)
            else compiler(gm, copies(inputs))
        )
        got = got(*copies(inputs))
    except Exception as e:
        say("a part of the graph could not be compared: %s" % str(e).split("\n")[0])
        return False
    return not same(eager, got, expected, tol=TOLERANCE, equal_nan=True)


def first(gm, inputs, compiler):
    nodes = [
        n
        for n in gm.graph.nodes
        if n.op in ("call_function", "call_method", "call_module")
        and isinstance(n.meta.get("example_value"), torch.Tensor)
    ]
    low, high = -1, len(nodes) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if differs(until(gm, nodes[middle]), inputs, compiler):
            high = middle
        else:
            low = middle
    return nodes[high] if nodes else None


def where(node):
    lines = [line.strip() for line in (node.stack_trace or "").split("\n") if line.strip(" ~^")]
    return " at `%s`" % lines[-1] if lines else ""


def checked(compiler):
    from torch._dynamo.backends.registry import lookup_backend

    compile_graph = lookup_backend(compiler) if isinstance(compiler, str) else compiler

    def backend(gm, example_inputs):
        compiled = compile_graph(gm, example_inputs)
        told = []

        def run(*inputs):
            if told:
                return compiled(*inputs)
            told.append(True)
            if torch.is_grad_enabled() and any(isinstance(x, torch.Tensor) and x.requires_grad for x in inputs):
                say("a graph was not compared: it needs gradients")
                return compiled(*inputs)
            before, chance = copies(inputs), torch.get_rng_state()
            got = compiled(*inputs)
            after = torch.get_rng_state()
            torch.set_rng_state(chance)
            eager = gm(*copies(before))
            torch.set_rng_state(chance)
            expected = reference(gm, before)
            torch.set_rng_state(after)
            ops = len([n for n in gm.graph.nodes if n.op.startswith("call")])
            if same(eager, got, expected, tol=TOLERANCE, equal_nan=True):
                say(
                    "a graph of %d operations agrees: compiled and eager differ by %.3g (tolerance %g)"
                    % (ops, error(eager, got), TOLERANCE)
                )
                return got
            say(
                "a graph of %d operations differs: compiled and eager by %.3g (tolerance %g)"
                % (ops, error(eager, got), TOLERANCE)
            )
            if expected is not None:
                say(
                    "from 64 bits compiled differs by %.3g and eager by %.3g"
                    % (error(expected, got), error(expected, eager))
                )
            node = first(gm, before, compiler)
            if node is not None:
                say(
                    "the first operation that differs is %s (%s)%s"
                    % (node.name, getattr(node.target, "__name__", node.target), where(node))
                )
            return got

        return run

    return backend


def compile(model=None, **kwargs):
    backend = kwargs.pop("backend", "inductor")
    mode = kwargs.pop("mode", None)
    kwargs.pop("options", None)
    if mode not in (None, "default"):
        say("compared in the default mode, not in %s" % mode)
    return real(model, backend=checked(backend), **kwargs)


import torch._inductor.config

torch._inductor.config.fallback_random = True  # the same random numbers on both sides
torch.compile = compile
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
