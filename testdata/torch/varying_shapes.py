# want: accuracy in decompositions
# aspect: varying shapes
import torch
from torch._inductor.decomposition import decompositions


def mean(x, *, dtype=None):
    n = x.numel()
    if isinstance(n, torch.SymInt):
        n = n.node.hint
    return x.sum(dtype=dtype) / n


decompositions[torch.ops.aten.mean.default] = mean


def f(x):
    return x - x.mean()


compiled = torch.compile(f)
for n in 4, 6, 8:
    x = torch.arange(float(n))
    torch.testing.assert_close(compiled(x), f(x))
    print("passed with", n)
