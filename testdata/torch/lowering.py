# want: backend in inductor
import torch
from torch._inductor.lowering import register_lowering


@torch.library.custom_op("scrub::twist", mutates_args=())
def twist(x: torch.Tensor) -> torch.Tensor:
    return x.flip(0)


@twist.register_fake
def _(x):
    return torch.empty_like(x)


@register_lowering(torch.ops.scrub.twist.default)
def lowered(x):
    raise NotImplementedError("twist of %d dimensions" % len(x.get_size()))


@torch.compile
def f(x):
    return torch.relu(twist(x * 2) + 1)


f(torch.ones(4))
