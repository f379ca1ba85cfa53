# want: accuracy in inductor
# aspect: checkpointing
import torch
from torch.utils.checkpoint import checkpoint

aten = torch.ops.aten


def cheaper(graph):
    """Recomputes a sine by its first terms."""
    for node in graph.find_nodes(op="call_function", target=aten.sin.default):
        if "recompute" in node.meta:
            node.target = aten.tanh.default


torch._inductor.config.joint_custom_pre_pass = cheaper


def block(x):
    return (x * 3).sin().exp()


def f(x):
    return checkpoint(block, x, use_reentrant=False).sum()


x = torch.linspace(-1, 1, 8, requires_grad=True)
y = x.detach().clone().requires_grad_()
torch.compile(f)(x).backward()
f(y).backward()
torch.testing.assert_close(x.grad, y.grad)
