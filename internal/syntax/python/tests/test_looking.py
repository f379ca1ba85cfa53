"""What a look at a run tells, and how values are written down."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def look(what, program):
    "The answer of a look at a program, in a folder of its own."
    folder = tempfile.mkdtemp()
    try:
        shutil.copytree(os.path.join(HERE, "scrub_look"), os.path.join(folder, "scrub_look"))
        shutil.copy(os.path.join(HERE, "look.py"), os.path.join(folder, "repro.py"))
        for name, text in (("subject.py", program), ("look.txt", what + " 0 password")):
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        out = subprocess.run([sys.executable, "repro.py"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = out.stdout.decode()
        return json.loads(said[said.rindex("\npassword") + len("\npassword") :])
    finally:
        shutil.rmtree(folder)


class Looks(unittest.TestCase):
    def test_lines_that_ran(self):
        ran = look("frames", "a = 1\nif a > 1:\n    b = 2\nc = 3\n")["lines"]
        self.assertEqual([line for line in ran if line], [1, 2, 4])

    def test_the_failing_call_stands_alone(self):
        seen = look("frames", "def f(x):\n    return int(x + 'b')\nf('a')\n")
        self.assertTrue(seen["raised"])
        self.assertIn("int('a' + 'b')\n", [lift["text"] for lift in seen["lifts"]])
        self.assertEqual([f["func"] for f in seen["frames"]], ["<module>", "f"])

    def test_values_that_never_vary(self):
        seen = look("values", "a = 2 * 3\nfor i in range(a):\n    b = i\n")
        self.assertIn("6", [v[2] for v in seen["values"]])

    def test_what_was_asked_in_a_straight_line(self):
        seen = look("replay", "import datetime\nfor y in [1, 2]:\n    d = datetime.date(y, 1, 1)\nd.strftime(5)\n")
        whole = [lift["text"] for lift in seen["lifts"]]
        self.assertTrue(any("datetime.date(2, 1, 1)" in text and "for" not in text for text in whole), whole)

    def test_a_program_that_dies_has_left_its_trail(self):
        ran = look("frames", "import os\nos.kill(os.getpid(), 11)\n")["lines"]
        self.assertEqual([line for line in ran if line], [1, 2])

    def test_what_the_program_asks_itself_no_library_calls(self):
        seen = look(
            "kin",
            "import graphlib\nclass V:\n    def __init__(self, text):\n        self.its = text\n    @property\n"
            "    def text(self):\n        return self.its\n    def __hash__(self):\n        return hash(self.text)\n"
            "    def __eq__(self, other):\n        return True\n"
            "s = graphlib.TopologicalSorter({V('a'): []})\ns.prepare()\ns.done(V('b'))\n",
        )["kin"]
        called = [name for op in seen["operations"] for name in op["called"]]
        self.assertIn("__hash__", called)
        self.assertNotIn("text", called)

    def test_what_came_later_gave_nothing(self):
        seen = look(
            "kin", "import collections\nd = collections.deque(['hello there', 2])\nd.popleft()\nd.index(1)\n"
        )["kin"]
        flow = {op["entry"]: op["operands"] for op in seen["flow"]}
        self.assertEqual(flow["collections.deque"][0][:2], ["0", "written"])

    def test_what_python_counts_is_a_number(self):
        seen = look("kin", "import math, struct\nn = int(math.sqrt(90000)) + 5\nstruct.pack('B', n)\n")["kin"]
        self.assertEqual(seen["operations"][0]["operands"][1][:2], ["1", "written"])

    def test_what_python_only_passes_on_is_a_gift(self):
        seen = look("kin", "import csv\nrows = list(csv.reader(['ab,x3']))\nfor r in rows:\n    float(r[1])\n")["kin"]
        self.assertEqual(seen["operations"][0]["operands"][0][:2], ["0", "library"])

    def test_what_an_assertion_compares_is_a_result(self):
        seen = look("kin", "import math\nn = int(math.sqrt(90000)) + 5\nassert n == 300\n")["kin"]
        self.assertEqual(seen["operations"][0]["operands"][0][:2], ["0", "library"])

    def test_a_wrong_result_keeps_its_operands(self):
        seen = look("kin", "import statistics\nprint(round(statistics.fmean([1, 2]), 3))\n")["kin"]
        self.assertEqual([by["values"] for by in seen["printed"][0][1]], [["[1, 2]"]])

    def test_objects_of_the_program_are_made_again(self):
        program = "import heapq\nclass A:\n    def __init__(self, n):\n        self.n = n\ndef add(q, n):\n"
        program += "    heapq.heappush(q, A(n))\nq = []\nadd(q, 1)\nadd(q, 2)\n"
        lines = look("replay", program)["lifts"]
        self.assertTrue(any("heapq.heappush([A(1)], A(2))" in x["text"] for x in lines), lines)


if __name__ == "__main__":
    unittest.main()
