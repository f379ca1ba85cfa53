# want: triton in triton
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(src, dst, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(src + at, mask=at < n)
    tl.store(dst + at, row + tl.arange(0, 2 * BLOCK), mask=at < n)


signature = {"src": "*fp32", "dst": "*fp32", "n": "i32", "BLOCK": "constexpr"}
source = ASTSource(fn=add, signature=signature, constexprs={"BLOCK": 16})
triton.compile(source, target=GPUTarget("cuda", 80, 32))
