# want: accuracy in inductor
# aspect: distributed
import os
import tempfile

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
import torch.multiprocessing as mp


def unscale(graph):
    """Takes the largest for the sum."""
    for node in graph.nodes:
        if "all_reduce" in str(node.target) and node.args[1] == "sum":
            node.args = (node.args[0], "max", node.args[2])


def work(rank, world, path):
    torch._inductor.config.post_grad_custom_pre_pass = unscale
    dist.init_process_group("gloo", init_method="file://" + path, rank=rank, world_size=world)

    def f(x):
        return funcol.all_reduce(x * 2, "sum", dist.group.WORLD) + 1

    x = torch.arange(4.0) + rank
    torch.testing.assert_close(torch.compile(f)(x), f(x))
    dist.destroy_process_group()


if __name__ == "__main__":
    world = int(os.environ.get("WORLD_SIZE", 2))
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(work, (world, folder + "/store"), nprocs=world)
