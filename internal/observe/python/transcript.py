"""Runs the statements of session.json in one namespace and tells what each showed.

Each answer is a line of JSON behind a password that the program cannot guess: its
number before a statement runs, and what it showed after. What is missing at the
end is what a crash or a limit has cut off.
"""

import importlib
import json
import os
import sys
import types

from scrub_observe.running import Running


def viewers():
    """Ways to show the values of a package, by its name: scrub_view_NAME.py."""
    found = {}
    for name in os.listdir("."):
        if name.startswith("scrub_view_") and name.endswith(".py"):
            found[name[len("scrub_view_") : -3]] = importlib.import_module(name[:-3]).views
    return found


def main():
    with open("session.json") as f:
        session = json.load(f)
    os.remove("session.json")  # the program must not answer in our place
    answer = os.fdopen(os.dup(1), "w")

    def tell(record):
        answer.write("\n" + session["password"] + json.dumps(record) + "\n")
        answer.flush()

    scope = types.ModuleType("__main__")
    scope.__dict__["__builtins__"] = __builtins__
    with open("repro.py", "w") as f:
        f.write("\n".join(session["statements"]) + "\n")
    scope.__dict__["__file__"] = os.path.abspath("repro.py")
    running = Running(scope.__dict__, session["each"], session["budget"], viewers(), session["seeds"])
    sys.argv = ["repro.py"]
    sys.modules["__main__"] = scope
    for number, text in enumerate(session["statements"]):
        tell({"begins": number})
        seen = running.statement(number, text)
        seen["number"] = number
        tell(seen)


if __name__ == "__main__":
    main()
