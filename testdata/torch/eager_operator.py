# want: accuracy in core
import torch

lib = torch.library.Library("aten", "IMPL")


def hardshrink(x, lambd=0.5):
    return torch.where(x > lambd, x, torch.zeros_like(x))


lib.impl("hardshrink", hardshrink, "CPU")

x = torch.linspace(-1, 1, 9)
keep = (x > 0.5) | (x < -0.5)
torch.testing.assert_close(torch.nn.functional.hardshrink(x), x * keep)
