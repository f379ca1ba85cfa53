#: prints
print("hello", [1, 2], {"a": 1})
#: arguments and names
import sys
print(sys.argv, __name__, __file__, __doc__, __package__, __spec__, sorted(k for k in globals() if k != "__annotations__"))
#: main guard
def main():
    print("main")
if __name__ == "__main__":
    main()
#: main module
import sys, __main__
print(__main__ is sys.modules["__main__"], __main__.__file__, sys.path[0])
#: what is imported
import sys
print([m for m in ("json", "ctypes", "socket", "select", "struct", "array", "resource", "importlib.util", "concurrent.futures") if m in sys.modules])
#: a module that only seems to be there
import importlib
try:
    print(importlib.util.find_spec("os") is not None)
except AttributeError as e:
    print(e)
#: traceback through functions
def f(x):
    return g(x + 1)
def g(x):
    y = {"a": 1}
    return y["b" * x]
f(1)
#: chained exceptions
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError("inner") from e
except ValueError:
    raise RuntimeError("outer\nsecond line")
#: syntax error
x = (1
y = 2
#: indentation error
def f():
x = 1
#: bad escape warning
print("\d")
#: exception group
try:
    raise ExceptionGroup("many", [ValueError("a"), TypeError("b")])
except NameError:
    print("old Python")
#: exception with notes
e = ValueError("x")
if hasattr(e, "add_note"):
    e.add_note("a note")
raise e
#: exit zero
import sys
sys.exit()
#: exit code
import sys
sys.exit(42)
#: exit with words
import sys
print("before")
sys.exit("some words")
#: exit by exception class
raise SystemExit
#: exit code that wraps
import sys
sys.exit(-1)
#: hard exit
import os
print("lost in the buffer")
os._exit(3)
#: abort
import os
os.abort()
#: killed
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
#: interrupted
raise KeyboardInterrupt
#: at exit
import atexit
atexit.register(print, "bye")
atexit.register(lambda: 1 / 0)
print("main is over")
#: at exit after an exception
import atexit
atexit.register(print, "bye")
raise ValueError("x")
#: destructors
class A:
    def __init__(self, n): self.n = n
    def __del__(self): print("gone", self.n)
a = A(1)
_b = A(2)
cycle = [A(3)]
cycle.append(cycle)
#: destructor that raises
class A:
    def __del__(self): raise ValueError("in del")
a = A()
del a
#: threads that are waited for
import threading, time
def late():
    time.sleep(0.05)
    print("late")
threading.Thread(target=late).start()
print("early")
#: thread that raises
import threading
t = threading.Thread(target=lambda: 1 / 0, name="worker")
t.start()
t.join()
print("still here")
#: daemon thread
import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
#: pickling what main defines
import pickle
class A:
    x = 1
def f(): return 2
print(pickle.loads(pickle.dumps(A)).x, pickle.loads(pickle.dumps(f))(), A.__module__)
#: processes by fork
import multiprocessing as mp
def square(x): return x * x
if __name__ == "__main__":
    with mp.get_context("fork").Pool(2) as p:
        print(p.map(square, [1, 2, 3]))
#: processes by spawn
import multiprocessing as mp
def square(x): return x * x
if __name__ == "__main__":
    with mp.get_context("spawn").Pool(1) as p:
        print(p.map(square, [1, 2, 3]))
#: source of a function
import inspect
def f(x):
    "Doc."
    return x + 1
print(inspect.getsource(f), inspect.getfile(f), inspect.stack()[0].code_context)
#: depth of the stack
import inspect
print(len(inspect.stack()))
#: own exception hook
import sys
sys.excepthook = lambda *a: print("hook", a[0].__name__, a[1])
raise ValueError("x")
#: exception hook that exits
import sys
sys.excepthook = lambda *a: sys.exit(9)
raise ValueError("x")
#: own stdout
import sys, io
sys.stdout = io.StringIO()
print("nowhere")
sys.stderr.write("somewhere\n")
#: closed stdout
import sys
print("x")
sys.stdout.close()
#: both streams
import sys
sys.stderr.write("e1\n")
print("o1")
sys.stderr.write("e2\n")
print("o2", flush=True)
#: standard input
import sys
print(repr(sys.stdin.read()))
input()
#: unicode
print("héllo ∑ 👩‍🔬")
raise ValueError("∑")
#: encodings
import sys, locale
print(sys.stdout.encoding, sys.getfilesystemencoding(), locale.getpreferredencoding(False), sys.stdout.line_buffering)
#: recursion
def f(n): return f(n + 1)
f(0)
#: recursion limit
import sys
print(sys.getrecursionlimit())
#: warnings
import warnings
warnings.warn("careful")
warnings.warn("old", DeprecationWarning)
#: logging
import logging
logging.warning("w")
logging.getLogger("x").error("e")
#: arguments that are wrong
import argparse
p = argparse.ArgumentParser()
p.add_argument("need")
p.parse_args()
#: asyncio
import asyncio
async def f():
    await asyncio.sleep(0)
    raise ValueError("async")
asyncio.run(f())
#: coroutine that nobody awaits
async def f(): pass
f()
print("x")
#: generators and context managers
import contextlib
@contextlib.contextmanager
def c():
    try:
        yield 1
    finally:
        print("finally")
with c():
    raise KeyError("k")
#: exec and eval
exec("def f():\n    raise ValueError('x')")
eval("f()")
#: a file of its own
with open("out.txt", "w") as f:
    f.write("x")
import os
print(os.listdir("."), os.path.abspath("out.txt"))
#: a module of its own
with open("mine.py", "w") as f:
    f.write("def f():\n    raise ValueError('mine')\n")
import mine
mine.f()
#: fork
import os, sys
pid = os.fork()
if pid == 0:
    print("child")
    sys.exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if hasattr(os, "waitstatus_to_exitcode") else 5)
#: subprocess
import subprocess, sys
print(subprocess.run([sys.executable, "-c", "print(1); raise SystemExit(4)"], stdout=subprocess.PIPE).returncode)
#: signal handlers
import os, signal
print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGPIPE), signal.getsignal(signal.SIGCHLD))
print(signal.pthread_sigmask(signal.SIG_BLOCK, set()))
signal.signal(signal.SIGALRM, lambda *a: print("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.01)
signal.pause()
#: children that end
import signal, subprocess
signal.signal(signal.SIGCHLD, lambda *a: print("child ended"))
subprocess.Popen(["true"]).wait()
#: dataclasses and types
from dataclasses import dataclass
import typing
@dataclass
class P:
    x: int
    y: typing.Optional[str] = None
print(P(1), typing.get_type_hints(P), __annotations__ if "__annotations__" in globals() else {})
#: annotations of the module
x: int = 1
print(__annotations__)
#: enum and abstract classes
import abc, enum
class E(enum.Enum):
    A = 1
class B(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
print(E.A)
B()
#: garbage collection
import gc
print(gc.isenabled(), gc.get_threshold(), gc.collect() >= 0)
#: random numbers differ
import random
random.random()
random.seed(7)
print(random.random())
#: flags
import sys
print(sys.flags, sys.dont_write_bytecode, getattr(sys, "orig_argv", [0, "repro.py"])[1:], sys.warnoptions)
#: doctest
import doctest
def f():
    """
    >>> f()
    2
    """
    return 1
print(doctest.testmod())
#: unittest
import unittest
class T(unittest.TestCase):
    def test(self): self.assertEqual(1, 2)
if __name__ == "__main__":
    unittest.main(argv=["x"], verbosity=0, exit=False)
    import sys
    sys.exit(1)
#: future imports
from __future__ import annotations
x: Missing = 1
print(__annotations__)
#: empty
#: only a comment
# nothing
#: null byte
print("a\0b")
#: crash in native code
import faulthandler
faulthandler._sigsegv()
#: file descriptors
import os
print(sorted(int(n) for n in os.listdir("/proc/self/fd"))[:3], len(os.listdir("/proc/self/fd")))
#: user and folder
import getpass, os, pathlib, tempfile
print(os.getuid(), os.getgid(), pathlib.Path.home(), os.getcwd(), tempfile.gettempdir())
#: limits
import resource
print([resource.getrlimit(l) for l in (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)])
