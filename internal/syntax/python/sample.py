"""Runs the program subject.py and writes down where it is, every few milliseconds of CPU and now and then while it
waits. Nothing in the program is changed, and how this ends is how the program does.

Between two steps of the program a handler of Python's writes it down. While it waits, or computes in C, no handler is
called; then faulthandler does it from outside. It does so only then: stacks that are just changing may not be read.
"""

import faulthandler
import os
import signal
import sys
import threading
import time
import types

CPU, WALL = 0.002, 0.02  # seconds between two looks
main = threading.get_ident()


def write(number, frame):
    signal.setitimer(signal.ITIMER_REAL, WALL, WALL)
    lines = ["Current thread 0x%x (most recent call first):" % main]
    while frame is not None and len(lines) < 100:
        code = frame.f_code
        lines.append('  File "%s", line %d in %s' % (code.co_filename, frame.f_lineno or 0, code.co_name))
        frame = frame.f_back
    os.write(out, ("\n".join(lines) + "\n\n").encode("utf-8", "replace"))


script = os.path.abspath("subject.py")
with open(script, "rb") as f:
    code = compile(f.read(), script, "exec", dont_inherit=True)
scope = types.ModuleType("__main__")
scope.__dict__.update(__file__=script, __builtins__=__builtins__)
sys.modules["__main__"], sys.argv = scope, [script]
# The program's own output is no matter: what is written down takes its place.
out, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 1)
os.write(out, b"%x %f\n" % (main, time.process_time()))
faulthandler.register(signal.SIGALRM, file=out, all_threads=True)
signal.signal(signal.SIGPROF, write)
signal.setitimer(signal.ITIMER_REAL, WALL, WALL)
signal.setitimer(signal.ITIMER_PROF, CPU, CPU)
try:
    exec(code, scope.__dict__)
finally:
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)

