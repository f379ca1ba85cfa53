# want: accuracy in decompositions
# aspect: autograd
import torch
from torch._inductor.decomposition import decompositions


def gelu_backward(grad, x, *, approximate="none"):
    s = torch.sigmoid(1.702 * x)
    return grad * (s + x * s * (1 - s))


decompositions[torch.ops.aten.gelu_backward.default] = gelu_backward


def f(x):
    return (torch.nn.functional.gelu(x) * x.cos()).sum()


x = torch.linspace(-2, 2, 9, requires_grad=True)
y = x.detach().clone().requires_grad_()
got = torch.compile(f)(x)
want = f(y)
torch.testing.assert_close(got, want)
got.backward()
want.backward()
torch.testing.assert_close(x.grad, y.grad)
