# Keeps what a profile's own program has left in its caches.
import json
import os
import shutil

with open("first.py") as f:
    exec(compile(f.read(), "first.py", "exec"), {"__name__": "ready"})
with open("keep.json") as f:
    made, caches, own = json.load(f)


def left_out(folder, names):
    return [name for name in names if os.path.join(folder, name) in own or name == "locks"]


for i, at in enumerate(caches):
    if os.path.isdir(at):
        shutil.copytree(at, os.path.join(made, str(i)), ignore=left_out)
