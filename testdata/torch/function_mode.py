# want: graph-break in dynamo
# aspect: modes
import sys

import torch
from torch.overrides import TorchFunctionMode


class Trace(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        names.append(sys._getframe(1).f_code.co_name)
        return func(*args, **(kwargs or {}))


names = []


@torch.compile(fullgraph=True, backend="eager")
def f(x):
    return torch.sin(x) + 1


print(f(torch.ones(3)))
with Trace():
    print(f(torch.ones(3)))
