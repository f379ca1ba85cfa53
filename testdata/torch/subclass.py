# want: accuracy in aotautograd
# aspect: tensor subclass
import torch
from torch.utils._pytree import tree_map


class Scaled(torch.Tensor):
    @staticmethod
    def __new__(cls, raw, scale):
        return torch.Tensor._make_wrapper_subclass(cls, raw.shape, dtype=raw.dtype, strides=raw.stride())

    def __init__(self, raw, scale):
        self.raw, self.scale = raw, scale

    def __tensor_flatten__(self):
        return ["raw"], None

    @staticmethod
    def __tensor_unflatten__(inner, meta, size, stride):
        return Scaled(inner["raw"], 1.0 if meta is None else meta)

    @classmethod
    def __torch_dispatch__(cls, func, types, args, kwargs=None):
        args = tree_map(lambda a: a.raw * a.scale if isinstance(a, Scaled) else a, args)
        return func(*args, **(kwargs or {}))


def f(x):
    return torch.sin(x) + 1


x = Scaled(torch.linspace(0, 1, 5), 3.0)
torch.testing.assert_close(torch.compile(f)(x), f(x))
