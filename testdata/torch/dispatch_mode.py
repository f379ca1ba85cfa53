# want: accuracy in decompositions
# aspect: modes
import torch
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten


class Fast(TorchDispatchMode):
    """Takes one operator for another."""

    @classmethod
    def ignore_compile_internals(cls):
        return True

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is aten.silu.default:
            return args[0] * torch.sigmoid(args[0] * 1.702)
        return func(*args, **(kwargs or {}))


def f(x):
    return torch.nn.functional.silu(x) + 1


x = torch.linspace(-1, 1, 5)
compiled = torch.compile(f)
torch.testing.assert_close(compiled(x), f(x))
with Fast():
    torch.testing.assert_close(compiled(x), f(x))
