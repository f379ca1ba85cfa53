# want: graph-break in dynamo
import torch


@torch.compile(fullgraph=True)
def f(x):
    if x.sum() > 0:
        return x.sin()
    return x.cos()


f(torch.ones(3))
