"""Reads every Python file below folders: python3 corpus.py FOLDER…  What ends the reader, or takes it long, is said."""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import scrub_reading  # noqa: E402

LONG = 2  # seconds of CPU


def files(folders):
    for folder in folders:
        for at, below, names in os.walk(folder):
            below.sort()
            for name in sorted(names):
                if name.endswith(".py"):
                    yield os.path.join(at, name)


def text(path):
    "A file as text; None for one that is none."
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except (OSError, UnicodeDecodeError):
        return None


def ended(source):
    "What of the reader's own ends it."
    try:
        scrub_reading.read(source)
    except Exception as e:
        return "%s: %s" % (type(e).__name__, e)
    return None


def main(folders):
    sys.setrecursionlimit(10000)
    n = ends = late = lines = 0
    spent = time.process_time()
    for path in files(folders):
        source = text(path)
        if source is None:
            continue
        began = time.process_time()
        why = ended(source)
        took = time.process_time() - began
        n, lines = n + 1, lines + source.count("\n")
        if why:
            ends += 1
            print("ended\t%s\t%s" % (path, why), flush=True)
        if took > LONG:
            late += 1
            print("%.1f s\t%s" % (took, path), flush=True)
    spent = time.process_time() - spent
    print("%d files: the reader was ended in %d and took long in %d; %.0f ms for 1,000 lines" % (
        n, ends, late, 1e6 * spent / max(lines, 1)))
    return 1 if ends else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
