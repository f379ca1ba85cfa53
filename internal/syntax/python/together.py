"""Runs the programs 0.py, 1.py, … one after the other in this one process, each as a main module of its own, and
writes down how each ended as soon as it has. It stops where going on tells nothing: after one that ended the process,
or after which what alive.py does fails.
"""

import io
import json
import linecache
import os
import sys
import traceback
import types

SCRIPT = os.path.abspath("repro.py")
MOST = 1 << 16  # bytes of what a program prints
told, null = os.dup(1), os.open(os.devnull, os.O_RDONLY)
with open("alive.py") as f:
    alive = compile(f.read(), "alive.py", "exec")


def run(text):
    "How a program ends that begins here: its exit code."
    scope = types.ModuleType("__main__")
    scope.__dict__.update(__file__=SCRIPT, __builtins__=__builtins__)
    sys.modules["__main__"], sys.argv = scope, ["repro.py"]
    linecache.cache[SCRIPT] = (len(text), None, text.splitlines(True), SCRIPT)
    try:
        exec(compile(text, SCRIPT, "exec", dont_inherit=True), scope.__dict__)
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else int(e.code is not None)
    except BaseException as e:
        trace = e.__traceback__.tb_next if e.__traceback__ else None
        traceback.print_exception(type(e), e, trace)
        return 1
    return 0


def caught(text):
    "The same, with what it printed, also past Python."
    streams = [os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC) for name in ("out", "err")]
    for number, fd in enumerate(streams, 1):
        os.dup2(fd, number)
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(n, "w", closefd=False), write_through=True) for n in (1, 2))
    code = run(text)
    texts = []
    for fd in streams:
        os.lseek(fd, 0, os.SEEK_SET)
        texts.append(os.read(fd, MOST).decode("utf-8", "replace"))
        os.close(fd)
    return {"code": code, "stdout": texts[0], "stderr": texts[1]}


for number in range(len(os.listdir("."))):
    if not os.path.exists("%d.py" % number):
        break
    with open("%d.py" % number) as f:
        ended = caught(f.read())
    os.write(told, (json.dumps(ended) + "\n").encode())
    try:
        exec(alive, {})
    except Exception:
        break
os.write(told, b"end\n")
os._exit(0)
