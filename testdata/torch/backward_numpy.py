# want: backend in aotautograd
# aspect: autograd
import numpy
import torch


@torch.library.custom_op("scrub::softclip", mutates_args=())
def softclip(x: torch.Tensor) -> torch.Tensor:
    return torch.atan(x)


@softclip.register_fake
def _(x):
    return torch.empty_like(x)


def setup(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return grad * torch.from_numpy(1 / (1 + numpy.square(x.detach().numpy())))


softclip.register_autograd(backward, setup_context=setup)

x = torch.linspace(-1, 1, 5, requires_grad=True)
softclip(x * 2).sum().backward()
print("eager", x.grad)
f = torch.compile(lambda x: softclip(x * 2).sum())
f(x).backward()
print("compiled", x.grad)
