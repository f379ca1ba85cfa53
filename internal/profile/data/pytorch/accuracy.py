# Compares what torch.compile computes with eager and with eager in 64 bits,
# graph by graph, and searches for the first operation that differs.
import os
import sys

# As the compiler's own accuracy checks, by the narrowest type that takes part.
TOLERANCES = {"torch.float64": 1e-6, "torch.float32": 1e-3, "torch.float16": 1e-2, "torch.bfloat16": 3e-2}
torch = real = None


def same(eager, got, expected):
    from torch._dynamo import utils

    return utils.same(eager, got, expected, tol=tolerance(eager), equal_nan=True)


def say(text):
    print("scrub: " + text, file=sys.stderr, flush=True)


def wide(x):
    return x.to(torch.float64) if isinstance(x, torch.Tensor) and x.is_floating_point() else x


def copies(xs, to=lambda x: x):
    return [
        to(x.detach().clone()).requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x for x in xs
    ]


def tolerance(xs):
    if os.environ.get("SCRUB_TOLERANCE"):
        return float(os.environ["SCRUB_TOLERANCE"])
    types = [str(x.dtype) for x in flat(xs) if str(x.dtype) in TOLERANCES]
    return max((TOLERANCES[t] for t in types), default=1e-3)


def gradients(f, inputs):
    """What f gives, and the gradients of all that wants some, by way of the sum of all that it gives."""
    given = f(*inputs)
    wants = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad and x.is_leaf]
    sums = [x.double().sum() for x in flat(given) if x.requires_grad]
    if not wants or not sums:
        return given, ()
    found = torch.autograd.grad(sum(sums), wants, allow_unused=True)
    return given, tuple(torch.zeros_like(x) if g is None else g for x, g in zip(wants, found))


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

        return gradients(copy.deepcopy(gm).to(torch.float64), copies(inputs, wide))
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
        eager = gradients(gm, copies(inputs))
        expected = reference(gm, inputs)
        got = (
            torch._dynamo.backends.registry.lookup_backend(compiler)(gm, copies(inputs))
            if isinstance(compiler, str)
            else compiler(gm, copies(inputs))
        )
        got = gradients(got, copies(inputs))
    except Exception as e:
        say("a part of the graph could not be compared: %s" % str(e).split("\n")[0])
        return False
    return not same(eager, got, expected)


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


def write(gm, inputs, compiler):
    """The graph as far as it has to go, as a program of its own."""
    tensors = all(isinstance(x, torch.Tensor) for x in inputs)
    if not isinstance(compiler, str) or list(gm.children()) or list(gm.parameters()) or not tensors:
        return
    made = ["rand_strided(%s, %s, %s, %r)" % (tuple(x.shape), x.stride(), x.dtype, x.device.type) for x in inputs]
    with open(os.path.join(BOX, "first_difference.py"), "w") as f:
        f.write(
            "# The graph as far as the first operation that differs, with inputs drawn anew.\n"
            "import torch\nfrom torch import device\nfrom torch._dynamo.testing import rand_strided\n\n"
            "class Graph(torch.nn.Module):\n    %s\n\n" % gm.code.strip().replace("\n", "\n    ")
            + "torch.manual_seed(0)\ninputs = [%s]\n" % ", ".join(made)
            + "eager, compiled = Graph()(*inputs), torch.compile(Graph(), backend=%r)(*inputs)\n" % compiler
            + "torch.testing.assert_close(compiled, eager, rtol={0}, atol={0})\n".format(tolerance(inputs))
        )


def alike(f, inputs, chance):
    torch.set_rng_state(chance)
    return gradients(f, copies(inputs))


def compare(gm, inputs, compiled, chance, compiler):
    got, eager = alike(compiled, inputs, chance), alike(gm, inputs, chance)
    torch.set_rng_state(chance)
    expected = reference(gm, inputs)
    ops = len([n for n in gm.graph.nodes if n.op.startswith("call")])
    what = "a graph of %d operations%s" % (ops, " with its gradients" if got[1] else "")
    most = tolerance(eager)
    if same(eager, got, expected):
        say("%s agrees: compiled and eager differ by %.3g (tolerance %g)" % (what, error(eager, got), most))
        return
    say("%s differs: compiled and eager by %.3g (tolerance %g)" % (what, error(eager, got), most))
    if got[1]:
        say("its results differ by %.3g, its gradients by %.3g" % (error(eager[0], got[0]), error(eager[1], got[1])))
    if expected is not None:
        say("from 64 bits compiled differs by %.3g and eager by %.3g" % (error(expected, got), error(expected, eager)))
    node = first(gm, inputs, compiler)
    if node is not None:
        name = getattr(node.target, "__name__", node.target)
        say("the first operation that differs is %s (%s)%s" % (node.name, name, where(node)))
        write(until(gm, node), inputs, compiler)


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
            before, chance = copies(inputs), torch.get_rng_state()
            given = compiled(*inputs)
            after = torch.get_rng_state()
            try:
                compare(gm, before, compiled, chance, compiler)
            except Exception as e:
                say("a graph could not be compared: %s" % str(e).split("\n")[0])
            torch.set_rng_state(after)
            return given

        return run

    return backend


def compile(model=None, **kwargs):
    backend = kwargs.pop("backend", "inductor")
    mode = kwargs.pop("mode", None)
    kwargs.pop("options", None)
    if mode not in (None, "default"):
        say("compared in the default mode, not in %s" % mode)
    return real(model, backend=checked(backend), **kwargs)


def begin(module):
    global torch, real
    torch, real = module, module.compile
    torch.compile = compile


def same_chance(config):
    config.fallback_random = True  # the same random numbers on both sides


after("torch", begin)
after("torch._inductor.config", same_chance)
