# want: crash in core
import ctypes

import torch

libc = ctypes.CDLL(None)
libc.free.argtypes = [ctypes.c_void_p]


def release(x):
    """Gives the storage back before its owner does."""
    libc.free(x.untyped_storage().data_ptr() + 8)


x = torch.arange(64.0)
y = x.reshape(8, 8) @ x.reshape(8, 8).t()
release(y)
print(y.sum())
