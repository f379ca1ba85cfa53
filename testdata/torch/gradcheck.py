# want: accuracy in autograd
# aspect: autograd
import torch


@torch.library.custom_op("scrub::swish", mutates_args=())
def swish(x: torch.Tensor) -> torch.Tensor:
    return x * torch.sigmoid(x)


@swish.register_fake
def _(x):
    return torch.empty_like(x)


def setup(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    s = torch.sigmoid(x)
    return grad * (s + x * s)


swish.register_autograd(backward, setup_context=setup)
x = torch.linspace(-1, 1, 5, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(swish, (x,))
