import argparse
import dataclasses
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch._inductor.lowering import register_lowering


@torch.library.custom_op("scrub::twist", mutates_args=())
def twist(x: torch.Tensor) -> torch.Tensor:
    return x.flip(0)


twist.register_autograd(lambda ctx, g: twist(g))


@twist.register_fake
def _(x):
    return torch.empty_like(x)


@register_lowering(torch.ops.scrub.twist.default)
def lowered(x):
    raise NotImplementedError("twist of %d dimensions" % len(x.get_size()))


@dataclasses.dataclass
class Config:
    width: int = 16
    heads: int = 4
    layers: int = 2
    vocabulary: int = 32
    dropout: float = 0.0
    length: int = 8


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.size = config.width // config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.out = nn.Linear(config.width, config.width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(c, dim=2)
        q = q.view(b, t, self.heads, self.size).transpose(1, 2)
        k = k.view(b, t, self.heads, self.size).transpose(1, 2)
        v = v.view(b, t, self.heads, self.size).transpose(1, 2)
        weights = (q @ k.transpose(-2, -1)) / math.sqrt(self.size)
        mask = torch.tril(torch.ones(t, t)).bool()
        weights = weights.masked_fill(~mask, float("-inf")).softmax(-1)
        y = (weights @ v).transpose(1, 2).reshape(b, t, c)
        return self.out(y)


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.first = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.second = nn.LayerNorm(config.width)
        self.wide = nn.Linear(config.width, 4 * config.width)
        self.narrow = nn.Linear(4 * config.width, config.width)

    def forward(self, x):
        x = x + self.attention(self.first(x))
        h = F.gelu(self.wide(self.second(x)))
        return x + twist(self.narrow(h))


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.places = nn.Embedding(config.length, config.width)
        self.blocks = nn.ModuleList([Block(config) for _ in range(config.layers)])
        self.norm = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def batches(config, count):
    for _ in range(count):
        yield torch.randint(0, config.vocabulary, (2, config.length))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=1)
    random.seed(0)
    torch.manual_seed(0)
    config = Config(layers=parser.parse_args([]).layers)
    model = torch.compile(Model(config))
    losses = []
    for ids in batches(config, 3):
        logits = model(ids)
        loss = F.cross_entropy(logits.flatten(0, 1), ids.flatten())
        losses.append(loss.item())
    print("mean loss", sum(losses) / len(losses))


if __name__ == "__main__":
    main()
