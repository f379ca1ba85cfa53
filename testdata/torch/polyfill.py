# want: accuracy in dynamo
import bisect

import torch


@torch._dynamo.substitute_in_graph(bisect.bisect_right)
def bisect_right(a, x, lo=0, hi=None, *, key=None):
    at = lo
    while at < (len(a) if hi is None else hi) and a[at] < x:
        at += 1
    return at


edges = [1, 2, 4, 8]


def f(x, size):
    return x * bisect.bisect_right(edges, size) + x.cos()


x = torch.linspace(0, 1, 4)
torch.testing.assert_close(torch.compile(f)(x, 4), f(x, 4))
