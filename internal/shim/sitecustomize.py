# Runs the text of a shim in this interpreter: the one that a program begins in, which says so, or one that
# the program has started, which finds this file by itself.
import importlib.abc
import os
import sys


class After(importlib.abc.MetaPathFinder):
    """Calls somebody when a module has been imported."""

    def __init__(self):
        self.calls = {}

    def find_spec(self, name, path=None, target=None):
        if name not in self.calls:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None and spec.loader is not None:
                call, loader = self.calls.pop(name), spec.loader
                as_is = loader.exec_module

                def exec_module(module):
                    as_is(module)
                    call(module)

                loader.exec_module = exec_module
                return spec
        return None


def run():
    folder = os.path.dirname(os.path.abspath(__file__))
    later = After()

    def after(name, call):
        if name in sys.modules:
            call(sys.modules[name])
        else:
            later.calls[name] = call

    names = {"__name__": "scrub_shim", "after": after, "BOX": os.path.dirname(folder), "MAIN": "MAIN" in globals()}
    with open(folder + "/text.py") as f:
        exec(compile(f.read(), f.name, "exec"), names)
    sys.meta_path.insert(0, later)
    if names["MAIN"]:
        return
    # Whoever has a sitecustomize of their own gets it.
    sys.path[:] = [at for at in sys.path if os.path.abspath(at) != folder]
    stand_in = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize
    except ImportError:
        sys.modules["sitecustomize"] = stand_in


run()
