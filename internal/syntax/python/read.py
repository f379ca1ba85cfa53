# Prints what scrub_reading reads in a program, or in several, as JSON.
import json
import sys

import scrub_reading

sys.setrecursionlimit(10000)
if sys.argv[1] == "--all":
    with open("programs.json", encoding="utf-8") as f:
        print(json.dumps([scrub_reading.read_one(name) for name in json.load(f)]))
else:
    print(json.dumps(scrub_reading.read_one(sys.argv[1])))
