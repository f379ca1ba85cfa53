# Tells at its end how long a program's functions were compiled, by the compiler's own count.
import atexit
import sys


def tell():
    utils = sys.modules.get("torch._dynamo.utils")
    spent = getattr(utils, "compilation_time_metrics", None) if utils else None
    if not spent:
        return
    whole = [k for k in ("_compile.compile_inner", "entire_frame_compile", "_compile") if k in spent][:1]
    total = sum(sum(spent[k]) for k in whole + ["backward._backward_impl"] if k in spent)
    sys.stderr.write("\nscrub: told %.6f\n" % total)


if MAIN:
    atexit.register(tell)
