# want: graph-break in higher-order operators
import torch

seen = []


def large(x):
    seen.append(1)
    return x.sin()


def small(x):
    return x.cos()


@torch.compile
def f(x):
    return torch.cond(x.sum() > 0, large, small, (x,))


print(f(torch.ones(3, 2)))
