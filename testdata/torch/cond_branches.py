# want: argument in higher-order operators
import torch


def tall(x):
    return x.sin()


def flat(x):
    return x.sum(0)


@torch.compile
def f(x):
    return torch.cond(x.sum() > 0, tall, flat, (x,))


print(f(torch.ones(3, 2)))
