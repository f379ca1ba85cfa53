# Runs a program whose compilations are traced, and makes a page of the trace: what was compiled, and with which
# graphs, guards and code. tlparse makes a better one, where it is installed.
import atexit
import collections
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys

RECORD = re.compile(r"^[A-Z]\d{4} \S+ \d+ \S+\] (\{.*\})$")
DULL = {"chromium_event", "str", "artifact"}


def records(path):
    "Each record of a trace, with what is indented under it."
    record, payload = None, []
    with open(path, errors="replace") as f:
        for line in f:
            found = RECORD.match(line.rstrip("\n"))
            if found is None:
                payload.append(line[1:] if line.startswith("\t") else line)
                continue
            if record is not None:
                yield record, "".join(payload)
            try:
                record, payload = json.loads(found.group(1)), []
            except ValueError:
                record = None
    if record is not None:
        yield record, "".join(payload)


def named(record):
    for key, value in record.items():
        if key == "artifact":
            return value.get("name", key)
        if isinstance(value, (dict, list)) and key not in DULL:
            return key
    return ""


def page():
    compiled = collections.OrderedDict()
    for path in sorted(glob.glob("torch_trace/*.log")):
        for record, payload in records(path):
            name = named(record)
            if name and "frame_id" in record:
                which = "%s/%s" % (record["frame_id"], record.get("frame_compile_id", 0))
                compiled.setdefault(which, []).append((name, payload or json.dumps(record, indent=1)))
    if not compiled:
        return
    parts = ["<!doctype html><meta charset=utf-8><title>Compilations</title><h1>Compilations</h1>"]
    for which, found in compiled.items():
        names = [name for name, _ in found]
        print("scrub: compilation %s: %s" % (which, ", ".join(dict.fromkeys(names))), file=sys.stderr)
        parts.append("<h2>%s</h2>" % html.escape(which))
        for name, payload in found:
            text = html.escape(payload[:200000])
            parts.append("<details><summary>%s</summary><pre>%s</pre></details>" % (html.escape(name), text))
    with open("index.html", "w") as f:
        f.write("\n".join(parts))
    print("scrub: %d compilations are in index.html" % len(compiled), file=sys.stderr)


def end():
    page()
    tool = shutil.which("tlparse") or os.path.join(os.path.dirname(sys.executable), "tlparse")
    for path in glob.glob("torch_trace/*.log"):
        if os.path.exists(tool) and not subprocess.run([tool, path, "-o", "tl_out", "--no-browser"]).returncode:
            print("scrub: tlparse's page is in tl_out", file=sys.stderr)


if MAIN:
    atexit.register(end)
