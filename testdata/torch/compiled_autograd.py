# want: graph-break in dynamo
# aspect: compiled autograd
import torch


def clip(grad):
    if grad.norm() > 1:
        return grad / grad.norm()
    return grad


def step(w):
    y = w * 3
    y.register_hook(clip)
    y.square().sum().backward()
    return w.grad


print(step(torch.ones(4, requires_grad=True)))
backward = torch.compile(backend="eager", fullgraph=True)
with torch._dynamo.compiled_autograd._enable(backward):
    print(step(torch.ones(4, requires_grad=True)))
