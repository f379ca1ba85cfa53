"""Reads the blocks of a report: which of them are programs, and their statements.

blocks.json is a list of {"text", "lang", "session"}; the answer is a list of
{"program", "statements": [[source, line, kind]], "whole"}, and last what to call.
"""

import json
import sys

from scrub_observe import cells, telling


def read(block):
    told = "yes" if block.get("session") else telling.program(block["text"], block.get("lang", ""))
    if told == "no":
        return {"program": told, "statements": [], "whole": False}
    found, whole = cells.pieces(block["text"])
    return {"program": told, "statements": found, "whole": whole}


def main():
    with open("blocks.json") as f:
        blocks = json.load(f)
    read_all = [read(b) for b in blocks]
    sources = [s[0] for r in read_all if r["program"] == "yes" for s in r["statements"]]
    json.dump({"blocks": read_all, "calls": telling.calls(sources)}, sys.stdout)


if __name__ == "__main__":
    main()
