# want: gradient in autograd
# aspect: checkpointing
import torch
from torch.utils.checkpoint import checkpoint

seen = {}


def block(x):
    """Remembers the exponential of what it saw already."""
    key = x.shape
    if key not in seen:
        seen[key] = True
        return x.exp().sin()
    return x.sin()


x = torch.linspace(-1, 1, 8, requires_grad=True)
checkpoint(block, x, use_reentrant=False).sum().backward()
print(x.grad)
