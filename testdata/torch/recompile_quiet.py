# want: recompile in dynamo
# aspect: varying shapes
import torch
from torch._dynamo.utils import counters


@torch.compile(backend="eager", dynamic=False)
def f(x):
    return x.sin() / x.shape[0]


for n in range(2, 16):
    f(torch.ones(n))
graphs = counters["stats"]["unique_graphs"]
assert graphs <= 4, "one function was compiled %d times" % graphs
