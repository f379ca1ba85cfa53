"""Writes down values and exceptions."""

LONGEST = 8000


def text_of(f):
    try:
        text = f()
    except Exception as e:  # a repr that fails is something to see
        return "!%s: %.200s" % (type(e).__name__, e)
    return text[:LONGEST] if isinstance(text, str) else ""


def views(value, viewers):
    """The ways in which people show a value, by name; only those that differ from its repr."""
    shown = {"repr": text_of(lambda: repr(value))}
    others = {"str": lambda: str(value)}
    package = type(value).__module__.split(".")[0]
    if package in viewers and len(shown["repr"]) < 2000:
        others.update(viewers[package](value))
    for name, f in others.items():
        text = text_of(f)
        if text and not text.startswith("!") and text not in shown.values():
            shown[name] = text
    return shown


def chain(e):
    """An exception and those it came from, the last one first; of a group, what it holds."""
    found, seen, queue = [], set(), [e]
    while queue and len(found) < 6:
        e = queue.pop(0)
        if e is None or id(e) in seen:
            continue
        seen.add(id(e))
        found.append(one(e))
        queue += list(getattr(e, "exceptions", ()))[:4] if isinstance(getattr(e, "exceptions", ()), tuple) else []
        queue.append(e.__cause__ or (None if e.__suppress_context__ else e.__context__))
    return found


def one(e):
    tb, frames = e.__traceback__, []
    while tb is not None:
        frames.append((tb.tb_frame.f_globals.get("__name__") or "", tb.tb_frame.f_code.co_name))
        tb = tb.tb_next
    frames = [f for f in frames if not f[0].startswith("scrub_observe")]
    try:
        message = str(e)[:2000]
    except Exception:
        message = ""
    where = "%s.%s" % frames[-1] if frames else ""
    module = type(e).__module__ or ""
    return {"class": type(e).__name__, "module": module, "message": message, "where": where, "depth": len(frames)}
