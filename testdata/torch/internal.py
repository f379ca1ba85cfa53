# want: internal in dynamo
import torch


class Meta(type):
    def __instancecheck__(cls, other):
        raise KeyError("registry")


class Config(metaclass=Meta):
    @property
    def __class__(self):
        raise KeyError("lazy")

    scale = 2


config = Config()


@torch.compile(backend="eager")
def f(x):
    return x * config.scale


f(torch.ones(3))
