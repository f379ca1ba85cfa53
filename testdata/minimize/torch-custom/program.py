# Minimal-ish training script of our tokenizer. Trains fine for a while and
# then dies in backward(). No GPU needed.
import argparse
import collections
import logging
import math
import random

import torch
from torch import nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
logger = logging.getLogger(__name__)


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)


class ToyFrames(torch.utils.data.Dataset):
    """Frames from a few noisy oscillators; the later ones drift."""

    def __init__(self, n=256, width=16, drift=0.02):
        self.n = n
        self.width = width
        self.drift = drift
        self.time = torch.linspace(0, 2 * math.pi, width)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        phase = (i % 4) * math.pi / 4
        scale = 1.0 + self.drift * i
        g = torch.Generator().manual_seed(i)
        noise = 0.01 * torch.randn(self.width, generator=g)
        return scale * torch.sin(self.time + phase) + noise


class NearestCode(torch.autograd.Function):
    """Nearest-neighbour lookup with a straight-through gradient.

    The gradient for the input gets a pull towards the chosen code, which
    saves us the separate commitment loss.
    """

    @staticmethod
    def forward(ctx, z, codebook, pull):
        d = (z.unsqueeze(1) - codebook.unsqueeze(0)).pow(2).sum(-1)
        index = d.argmin(dim=1)
        ctx.pull = pull
        ctx.save_for_backward(z, codebook, index)
        ctx.mark_non_differentiable(index)
        return codebook[index], index

    @staticmethod
    def backward(ctx, grad_out, _grad_index):
        z, codebook, index = ctx.saved_tensors
        chosen = codebook[index]
        grad_z = grad_out + ctx.pull * (z - chosen) / z.shape[0]
        grad_codebook = torch.zeros_like(codebook)
        grad_codebook.index_add_(0, index, chosen - z)
        return grad_z, grad_codebook / z.shape[0], None


class Quantizer(nn.Module):
    def __init__(self, codes, dim, pull=0.25, patience=12):
        super().__init__()
        self.codebook = nn.Parameter(torch.randn(codes, dim))
        self.register_buffer("idle", torch.zeros(codes, dtype=torch.long))
        self.pull = pull
        self.patience = patience
        self.revived = 0

    def extra_repr(self):
        return "codes={}, dim={}, patience={}".format(*self.codebook.shape, self.patience)

    @torch.no_grad()
    def track_usage(self, z, index):
        self.idle += 1
        self.idle[index.unique()] = 0
        dead = (self.idle > self.patience).nonzero().flatten()
        if len(dead) == 0:
            return
        # give the dead codes a second life on top of some real frames
        pick = torch.randint(len(z), (len(dead),))
        self.codebook[dead] = z[pick]
        self.idle[dead] = 0
        self.revived += len(dead)
        logger.info("revived %d codes", len(dead))

    def forward(self, z):
        q, index = NearestCode.apply(z, self.codebook, self.pull)
        if self.training:
            self.track_usage(z, index)
        return q, index


class Tokenizer(nn.Module):
    def __init__(self, width=16, dim=4, codes=24, hidden=32, patience=12):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, dim))
        self.quantizer = Quantizer(codes, dim, patience=patience)
        self.decoder = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, width))
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)
            nn.init.zeros_(m.bias)

    def forward(self, x):
        z = self.encoder(x)
        q, index = self.quantizer(z)
        return self.decoder(q), index

    @torch.no_grad()
    def tokens(self, x):
        was = self.training
        self.eval()
        _, index = self(x)
        self.train(was)
        return index.tolist()


class Meter:
    def __init__(self, keep=20):
        self.values = collections.deque(maxlen=keep)

    def add(self, v):
        self.values.append(float(v))

    @property
    def mean(self):
        return sum(self.values) / max(1, len(self.values))


class Warmup:
    def __init__(self, optimizer, steps, lr):
        self.optimizer, self.steps, self.lr, self.now = optimizer, steps, lr, 0

    def step(self):
        self.now += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.lr * min(1.0, self.now / self.steps)


def perplexity(index, codes):
    p = torch.bincount(index, minlength=codes).float()
    p = p / p.sum()
    return torch.exp(-(p * torch.log(p + 1e-9)).sum()).item()


def save_checkpoint(model, path):
    # not reached when it crashes
    torch.save({"model": model.state_dict()}, path)


def train(model, loader, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    schedule = Warmup(optimizer, 8, args.lr)
    meter = Meter()
    step = 0
    for epoch in range(args.epochs):
        for x in loader:
            optimizer.zero_grad(set_to_none=True)
            y, index = model(x)
            loss = F.smooth_l1_loss(y, x)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            meter.add(loss)
            step += 1
            if step % 5 == 0:
                logger.info("epoch %d step %d loss %.4f ppl %.2f", epoch, step, meter.mean,
                            perplexity(index, model.quantizer.codebook.shape[0]))
    return meter.mean


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--codes", type=int, default=24)
    p.add_argument("--patience", type=int, default=12)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--save", default=None)
    args = p.parse_args()

    torch.set_num_threads(1)
    seed_everything(args.seed)
    data = ToyFrames()
    loader = torch.utils.data.DataLoader(data, batch_size=args.batch, shuffle=True, drop_last=True)
    model = Tokenizer(codes=args.codes, patience=args.patience)
    logger.info("%s", model.quantizer)

    final = train(model, loader, args)
    logger.info("done, loss %.4f, %d codes revived", final, model.quantizer.revived)
    if args.save:
        save_checkpoint(model, args.save)


if __name__ == "__main__":
    main()
