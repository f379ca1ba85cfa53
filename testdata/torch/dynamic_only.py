# want: backend in inductor
# aspect: dynamic shapes
import torch
from torch._inductor.lowering import lowerings, register_lowering


@torch.library.custom_op("scrub::halve", mutates_args=())
def halve(x: torch.Tensor) -> torch.Tensor:
    return x / x.shape[0]


@halve.register_fake
def _(x):
    return torch.empty_like(x)


@register_lowering(torch.ops.scrub.halve.default)
def lowered(x):
    rows = int(x.get_size()[0])
    return lowerings[torch.ops.aten.mul.Tensor](x, 1.0 / rows)


@torch.compile(dynamic=True)
def f(x):
    return halve(x.exp()) + 1


print(f(torch.ones(6, 2)).sum())
