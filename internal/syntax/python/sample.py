"""Runs the program subject.py and has the interpreter write down where it is, every few milliseconds of CPU and now
and then while it waits. Nothing in the program is changed, and how this ends is how the program does.
"""

import faulthandler
import os
import signal
import sys
import threading
import time
import types

CPU, WALL = 0.002, 0.02  # seconds between two looks
TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF, CPU), (signal.ITIMER_REAL, signal.SIGALRM, WALL))

script = os.path.abspath("subject.py")
with open(script, "rb") as f:
    code = compile(f.read(), script, "exec", dont_inherit=True)
scope = types.ModuleType("__main__")
scope.__dict__.update(__file__=script, __builtins__=__builtins__)
sys.modules["__main__"], sys.argv = scope, [script]
# The program's own output is no matter: what is written down takes its place.
out, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 1)
os.write(out, b"%x %f\n" % (threading.get_ident(), time.process_time()))
for timer, number, seconds in TIMERS:
    faulthandler.register(number, file=out, all_threads=True)
    signal.setitimer(timer, seconds, seconds)
try:
    exec(code, scope.__dict__)
finally:
    for timer, _, _ in TIMERS:
        signal.setitimer(timer, 0)
