# want: argument in aotautograd
# aspect: custom operator
import torch


@torch.library.custom_op("scrub::turned", mutates_args=())
def turned(x: torch.Tensor) -> torch.Tensor:
    return x.clone().t()


@turned.register_fake
def _(x):
    return x.new_empty(x.shape[1], x.shape[0])


def f(x):
    y = turned(x * 2)
    return y.reshape(-1) + 1


x = torch.arange(12.0).reshape(3, 4)
torch.testing.assert_close(torch.compile(f, backend="aot_eager")(x), f(x))
