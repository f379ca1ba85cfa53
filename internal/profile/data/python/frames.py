# Shows the functions that were running when an exception ended the program, with their variables.
import sys
import traceback


def say(text):
    print("scrub: " + text, file=sys.stderr, flush=True)


def short(value):
    try:
        text = " ".join(repr(value).split())
    except Exception as e:
        text = "<no repr: %s>" % type(e).__name__
    # An array says what it is like rather than what is in it.
    like = [n + "=" + str(getattr(value, n)) for n in ("shape", "dtype", "device") if n in dir(type(value))]
    if like:
        text = "%s(%s)" % (type(value).__name__, ", ".join(like))
    return text if len(text) <= 60 else text[:57] + "..."


def where(frame, line):
    if frame.f_code.co_name == "<module>":
        return "the program, line %d" % line
    return "%s, line %d" % (getattr(frame.f_code, "co_qualname", frame.f_code.co_name), line)


def variables(frame):
    return [
        "%s = %s" % (name, short(value))
        for name, value in frame.f_locals.items()
        if not name.startswith("__") and type(value).__name__ not in ("module", "function", "type")
    ][:12]


def show(kind, error, trace):
    frames = [
        (frame, line)
        for frame, line in traceback.walk_tb(trace)
        if "runpy" not in frame.f_code.co_filename and "scrub_logs" not in frame.f_code.co_filename
    ]
    # The innermost, wherever they are, and before them those of the program's own files.
    outer = [at for at in frames[:-5] if at[0].f_code.co_filename.startswith(BOX)]
    for frame, line in outer[-3:] + frames[-5:]:
        found = variables(frame)
        say(where(frame, line) + (": " + ", ".join(found) if found else ""))
    before(kind, error, trace)


before, sys.excepthook = sys.excepthook, show
