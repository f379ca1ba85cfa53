# want: graph-break in dynamo
import torch
from torch._dynamo.utils import counters

torch._logging.set_logs(graph_breaks=True)


@torch.compile(backend="eager")
def f(x):
    y = x.sin()
    scale = y.sum().item()
    return y * scale


f(torch.ones(3))
graphs = counters["stats"]["unique_graphs"]
assert graphs <= 1, "one graph was expected, there are %d" % graphs
