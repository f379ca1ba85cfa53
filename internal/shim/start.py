# Starts a program behind the text of a shim, and has every Python that the program starts begin with it, too.
import os
import runpy
import sys

folder = os.path.abspath(__file__)[: -len(".py")]
with open(folder + "/sitecustomize.py") as f:
    exec(compile(f.read(), f.name, "exec"), {"__name__": "scrub_shim", "__file__": f.name, "MAIN": True})
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
sys.argv = sys.argv[1:]
if sys.argv[0] == "-m":
    del sys.argv[0]
    sys.path[0] = os.getcwd()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
else:
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")
