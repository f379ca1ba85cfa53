# want: backend in inductor
# aspect: configuration
import torch
from torch._inductor import config
from torch._inductor.lowering import lowerings

aten = torch.ops.aten
plain = lowerings[aten.bmm.default]


def bmm(a, b, **kwargs):
    if config.max_autotune:
        tiles = [t for t in (64, 128) if a.get_size()[-1] % t == 0]
        print("tile", tiles[0])
    return plain(a, b, **kwargs)


lowerings[aten.bmm.default] = bmm


@torch.compile(mode="max-autotune")
def f(x, y):
    return torch.bmm(x, y).relu()


print(f(torch.ones(2, 24, 24), torch.ones(2, 24, 24)).sum())
