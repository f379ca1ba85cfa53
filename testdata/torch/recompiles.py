# want: recompile in dynamo
import torch

torch._dynamo.config.recompile_limit = 2
torch._dynamo.config.fail_on_recompile_limit_hit = True


@torch.compile
def tagged(x, name):
    return x * len(name)


for n in range(8):
    tagged(torch.ones(3), "layer%d" % n)
