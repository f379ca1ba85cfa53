# A first compilation probes the processor, compiles headers and imports half of
# the compiler, which takes most of a minute; one after it takes a second. This is
# what an interpreter has done before any program is forked from it. It leaves no
# threads, no processes and nothing of a device behind, since none of them survives
# a fork, and no counters either, which programs print.
import collections
import functools
import importlib
import itertools
import os
import sys

import torch


def compile_once():
    import torch._dynamo
    import torch._inductor.config

    torch._inductor.config.compile_threads = 1

    def forward(x, y):
        return (torch.sin(x) * y + torch.cos(y).sum()).relu()

    torch.compile(forward)(torch.ones(8, 8), torch.ones(8, 8))
    torch.compile(forward, dynamic=True)(torch.ones(6, 8), torch.ones(6, 8))
    # Gradients are computed by threads, already while they are traced: none here.
    with torch.no_grad():
        layers = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.LayerNorm(8), torch.nn.ReLU())
        torch.compile(layers)(torch.ones(4, 8))
    for name in ("torch._functorch.partitioners", "torch._inductor.fx_passes.joint_graph", "torch.export"):
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # it has another name in this version


forgotten = ("cuda", "triton", "gpu", "device", "once", "system")  # in the names of what remembers its answer


def no_devices():
    raise RuntimeError("no device is asked before the fork")


def hide_devices():
    "Until it is forked nothing asks a driver: who has asked one cannot be forked for programs that do."
    none = [(torch._C, "_cuda_getDeviceCount", lambda: 0), (torch._C, "_ensureCUDADeviceGuardSet", lambda: None)]
    none += [(torch.cuda, "device_count", lambda: 0), (torch.cuda, "is_available", lambda: False)]
    none += [(torch._C, "_cuda_init", no_devices)]
    try:
        import tqdm
    except ImportError:
        pass  # the compiler shows no progress, then, and no thread watches over that
    else:
        none += [(tqdm.tqdm, "monitor_interval", 0)]
    for where, name, instead in none:
        if hasattr(where, name):
            hidden.append((where, name, getattr(where, name)))
            setattr(where, name, instead)


def show_devices():
    while hidden:
        setattr(*hidden.pop())


def forget_devices():
    "What was asked without them is forgotten."
    for name, module in list(sys.modules.items()):
        if name.startswith(("torch.", "triton")):
            for held in list(vars(module).values()):
                for key, value in [("", held)] if not isinstance(held, type) else list(vars(held).items()):
                    asked = value.__func__ if isinstance(value, staticmethod) else value
                    if type(asked) is functools._lru_cache_wrapper:
                        if any(word in (key or asked.__name__) for word in forgotten):
                            asked.cache_clear()


def as_new():
    "Takes back what counts: names of graphs and frames are as in a process that has compiled nothing."
    torch._dynamo.reset()
    for name, fresh in (
        ("torch._dynamo.utils", {"counters": None, "compilation_time_metrics": None}),
        ("torch._dynamo.convert_frame", {"FRAME_COUNTER": 0, "FRAME_COMPILE_COUNTER": None}),
        ("torch._functorch.aot_autograd", {"AOT_COUNTER": itertools.count()}),
        ("torch._functorch._aot_autograd.logging_utils", {"nth_graph": 0}),
        ("torch._dynamo.output_graph", {"graph_sizes_log": None}),
    ):
        module = sys.modules.get(name)
        for key, value in fresh.items():
            old = getattr(module, key, None)
            if isinstance(old, (dict, collections.Counter)):
                old.clear()
            elif old is not None and value is not None:
                setattr(module, key, value)
    metrics = sys.modules.get("torch._inductor.metrics")
    if metrics is not None:
        metrics.reset()
    torch.random.default_generator.set_state(state)


def restore():
    "In a program: the devices and as many threads as it would have."
    if threads:
        torch.set_num_threads(threads.pop())
        show_devices()


hidden = []
hide_devices()
state = torch.random.default_generator.get_state()
threads = [torch.get_num_threads()]
torch.set_num_threads(1)
os.register_at_fork(after_in_child=restore)
compile_once()
forget_devices()
as_new()
