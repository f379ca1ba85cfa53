# want: triton in triton
# aspect: configuration
import os

os.environ["TRITON_INTERPRET"] = "1"
import torch
import triton
import triton.language as tl
from triton.runtime import interpreter

interpreter.interpreter_builder.options = interpreter.InterpreterOptions(debug=True)


@triton.jit
def pick(src, index, dst, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(index + at)
    tl.device_assert((0 <= row) & (row < n), "index out of bounds: 0 <= row < n")
    tl.store(dst + at, tl.load(src + row, mask=row < n))


src, index = torch.arange(8.0), torch.tensor([0, 3, 8, 1])
dst = torch.empty(4)
pick[(1,)](src, index, dst, src.numel(), BLOCK=4)
print(dst)
