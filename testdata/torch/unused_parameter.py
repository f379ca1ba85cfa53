# want: argument in distributed
# aspect: distributed
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used = torch.nn.Linear(4, 4)
        self.spare = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.used(x)


def work(rank, world, path):
    dist.init_process_group("gloo", init_method="file://" + path, rank=rank, world_size=world)
    net = torch.nn.parallel.DistributedDataParallel(Net())
    for step in range(2):
        net(torch.ones(2, 4)).sum().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    world = int(os.environ.get("WORLD_SIZE", 2))
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(work, (world, folder + "/store"), nprocs=world)
