# want: argument in distributed
# aspect: distributed
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, world, path):
    dist.init_process_group("gloo", init_method="file://" + path, rank=rank, world_size=world)
    x = torch.full((4,), float(rank))
    out = torch.empty_like(x)
    dist.all_gather_into_tensor(out, x)
    print(rank, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    world = int(os.environ.get("WORLD_SIZE", 2))
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(work, (world, folder + "/store"), nprocs=world)
