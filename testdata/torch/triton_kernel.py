# want: install in triton
import torch
import triton
import triton.language as tl


@triton.jit
def double(src, dst, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + at, tl.load(src + at, mask=at < n) * 2, mask=at < n)


@torch.compile
def f(x):
    out = torch.empty_like(x)
    double[(1,)](x, out, x.numel(), BLOCK=16)
    return out


print(f(torch.ones(8)))
