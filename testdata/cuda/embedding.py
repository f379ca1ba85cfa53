# want: crash in cuda
import math

import torch
from torch import nn


class Position(nn.Module):
    def __init__(self, dim, length=64):
        super().__init__()
        at = torch.arange(length).unsqueeze(1)
        scale = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(length, dim)
        table[:, 0::2] = torch.sin(at * scale)
        table[:, 1::2] = torch.cos(at * scale)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.size(1)]


class Tagger(nn.Module):
    def __init__(self, words, dim=32, tags=5):
        super().__init__()
        self.embed = nn.Embedding(words, dim)
        self.position = Position(dim)
        self.layer = nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True)
        self.out = nn.Linear(dim, tags)

    def forward(self, ids):
        return self.out(self.layer(self.position(self.embed(ids))))


def batches(words, n):
    torch.manual_seed(0)
    for i in range(n):
        yield torch.randint(0, words, (8, 16)), torch.randint(0, 5, (8, 16))


words = 100
model = Tagger(words).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step, (ids, tags) in enumerate(batches(words + 28, 3)):
    optimizer.zero_grad()
    logits = model(ids.cuda())
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), tags.cuda().flatten())
    loss.backward()
    optimizer.step()
    print("step", step, float(loss))
