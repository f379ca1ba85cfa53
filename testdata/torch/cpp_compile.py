# want: backend in inductor
import torch
from torch._inductor.codegen.cpp import CppOverrides, CppVecOverrides


def sinh(x):
    return f"{x}.hyperbolic_sine()"


CppOverrides.sinh = staticmethod(sinh)
CppVecOverrides.sinh = staticmethod(sinh)


@torch.compile
def f(x, w):
    y = torch.sinh(x * w)
    return torch.softmax(y, dim=-1) + y.mean()


print(f(torch.linspace(0, 1, 32).reshape(4, 8), torch.tensor(2.0)).sum())
