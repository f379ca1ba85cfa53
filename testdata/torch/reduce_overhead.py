# want: backend in inductor
# aspect: configuration
import torch
from torch._inductor import config
from torch._inductor.lowering import lowerings

aten = torch.ops.aten
plain = lowerings[aten.cumsum.default]


def cumsum(x, dim, **kwargs):
    if config.triton.cudagraphs and x.get_device().type != "cuda":
        raise AssertionError("cumsum is not captured on %s" % x.get_device())
    return plain(x, dim, **kwargs)


lowerings[aten.cumsum.default] = cumsum


@torch.compile(mode="reduce-overhead")
def f(x):
    return torch.cumsum(x.sin(), 0) + 1


print(f(torch.ones(8)))
