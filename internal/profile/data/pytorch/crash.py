# Has generated code wait for the device after every kernel and around every graph, so that a crash comes
# up where its cause is.


def wait(config):
    for switch in ("debug_sync_kernel", "debug_sync_graph"):
        if hasattr(config.triton, switch):  # not in every release
            setattr(config.triton, switch, True)


after("torch._inductor.config", wait)
