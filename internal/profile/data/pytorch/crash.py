# Has generated code wait for the device after every kernel and around every graph, so that a crash comes
# up where its cause is.
import runpy
import sys

try:
    import torch._inductor.config as config

    config.triton.debug_sync_kernel = True
    config.triton.debug_sync_graph = True
except (ImportError, AttributeError):
    pass  # this release has no such switches
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
