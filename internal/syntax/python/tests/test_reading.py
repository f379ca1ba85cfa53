"""What the reader finds in programs, without running them."""

import json
import os
import unittest

import scrub_reading
from scrub_reading.known import computed
from scrub_reading.values import Const, Ref, Scope, plain, texts, union, wrap

from . import corpus


def uses(program):
    "The names that a program touches, with the texts they are given."
    return {u["name"]: u["args"] for u in scrub_reading.read(program)["uses"]}


class Names(unittest.TestCase):
    def test_follows_aliases(self):
        self.assertIn("os.system", uses("import os as o\nf = o.system\nf('ls')\n"))
        self.assertEqual(uses("from os import system as s\ns('ls')\n")["os.system"], ["ls"])

    def test_follows_containers_and_calls(self):
        self.assertIn("os.system", uses("import os\nall = {'a': [os.system]}\nall['a'][0]('ls')\n"))
        self.assertIn("os.system", uses("import os\ndef give():\n    return os.system\ngive()('ls')\n"))
        self.assertIn("os.system", uses("import os\ndef take(f):\n    f('ls')\ntake(os.system)\n"))

    def test_follows_names_in_texts(self):
        self.assertIn("os.system", uses("getattr(__import__('o' + 's'), 'sys' 'tem')('ls')\n"))
        self.assertIn("os.system", uses("import importlib\nimportlib.import_module('os').system('ls')\n"))
        self.assertIn("os.system", uses("import operator, os\noperator.attrgetter('system')(os)('ls')\n"))
        self.assertIn("os.system", uses("import os\nvars(os)['system']('ls')\n"))
        self.assertIn("os.system", uses("import sys\nsys.modules['os'].system('ls')\n"))

    def test_reads_code_within_code(self):
        self.assertIn("os.system", uses("exec('import os; os.system(1)')\n"))
        self.assertIn("?", uses("exec(input())\n")["exec"])
        self.assertIn("os.system", uses("import base64\nexec(base64.b64decode('aW1wb3J0IG9zO29zLnN5c3RlbSgxKQ=='))\n"))

    def test_what_a_thread_is_given_is_called(self):
        self.assertIn("os.system", uses("import os, threading\nthreading.Thread(target=os.system, args=('ls',))\n"))

    def test_what_a_loop_sees(self):
        self.assertIn("os.system", uses("import os\nfor f in [os.system]:\n    f('ls')\n"))
        self.assertIn("os.system", uses("import os\nlist(map(os.system, ['ls']))\n"))

    def test_what_cannot_be_read_is_part_of_what_may_be(self):
        for program, name, given in (
            ("import pickle, sys\npickle.load(x, a=len(sys.argv) < 2 or True)\n", "pickle.load", "a=?"),
            ("import pickle\nd = pickle.dumps(1)\nif x:\n    d = y\npickle.loads(d)\n", "pickle.loads", "from ?"),
            ("import pickle\ndef f(d=b''):\n    pickle.loads(d)\nf(pickle.dumps(1))\nf(x)\n", "pickle.loads", "from ?"),
            ("import pickle\nd = pickle.dumps(1)\nfor i in x:\n    pickle.loads(d)\n    d = open('x').read()\n",
             "pickle.loads", "from open.read:5"),
            ("import shutil, sys\nshutil.rmtree(sys.argv[1])\n", "shutil.rmtree", "from sys.argv.__getitem__:2"),
            ("import os\nopen(os.sep + 'etc' + os.sep + x)\n", "open", "/etc/\ufffd"),
            ("p = 'a'\nif x:\n    p = '/etc'\nopen(f'{p}/b')\n", "open", "/etc/b"),
            ("__import__(input())\n", "__import__", "?"),
        ):
            self.assertIn(given, uses(program).get(name, []), program)

    def test_nothing_ends_the_reader(self):
        for program in (
            "import threading\nthreading.Thread(target=x.y, args=(1,))\nthreading.Thread(None, args=())\n",
            "import this\nthis.s\n",
            "x = []\nx.append(x)\nfor i in x:\n    print(enumerate(x), i)\n",
        ):
            self.assertNotIn("broken", scrub_reading.read(program), program)
        deep = "[[[i * j * k for i in range(99)] for j in range(99)] for k in range(99)]"
        self.assertIn("unfollowed", uses("def f(a):\n    return %s\nf(1)\nf('b')\n" % deep))

    def test_the_library_is_read(self):
        for path in list(corpus.files([os.path.dirname(json.__file__), os.path.dirname(unittest.__file__)])):
            self.assertIsNone(corpus.ended(corpus.text(path)), path)

    def test_own_functions_are_not_the_languages(self):
        self.assertNotIn("open", uses("def open(x):\n    return x\nopen('a')\n"))


class Programs(unittest.TestCase):
    def test_broken(self):
        self.assertEqual(scrub_reading.read("x = (\n")["broken"]["line"], 1)

    def test_unbound_and_bare(self):
        r = scrub_reading.read("np.ones(3)\nx = y\n")
        self.assertEqual(r["unbound"], ["np", "y"])
        self.assertEqual(r["bare"], [[1, 1]])
        self.assertEqual(scrub_reading.read("print(1)\n2\n")["bare"], [])

    def test_inert(self):
        for text, inert in (
            ("def f():\n    pass\n", True),
            ("'about'\nimport os\nclass A:\n    x = 1\n", True),
            ("import os\n", False),
            ("def f():\n    pass\nf()\n", False),
            ("x = 1\n", False),
        ):
            self.assertEqual(scrub_reading.read(text)["inert"], inert, text)

    def test_missing(self):
        r = scrub_reading.read("import os, no_such_module_at_all, scrub_reading\n")
        self.assertEqual(r["missing"], ["no_such_module_at_all", "scrub_reading"])

    def test_texts_that_are_put_together(self):
        found = [s["text"] for s in scrub_reading.read("a = 'http://' + 'example' + '.org'\n")["strings"]]
        self.assertIn("http://example.org", found)


class Values(unittest.TestCase):
    def test_union_keeps_each_once_and_not_too_many(self):
        self.assertEqual(len(union([Const(1)], [Const(1), Const(2)])), 2)
        self.assertEqual(len(union([Const(0)], [Const(i) for i in range(99)])), 8)

    def test_a_list_may_hold_itself(self):
        loop = Const([])
        loop.value.append([loop])
        self.assertEqual(texts([loop]), [])

    def test_plain_and_wrap_are_inverse(self):
        for value in ("a", [1, "b"], (1, (2, "c"))):
            self.assertEqual(plain(wrap(value)), value)
        self.assertRaises(ValueError, plain, Ref("os"))

    def test_a_name_in_a_branch_may_stand_for_both(self):
        scope = Scope()
        scope.set("x", [Const(1)])
        scope.depth = 1
        scope.set("x", [Const(2)])
        self.assertEqual([v.value for v in scope.get("x")], [1, 2])

    def test_the_same_thing_many_times_is_looked_at_once_in_a_while(self):
        values = [Const("a")]
        for _ in range(40):  # looked at as often as it stands there it would take for ever
            values = [Const([values] * 20)]
        self.assertLessEqual(len(texts(values)), 40)

    def test_what_cannot_be_followed_is_noted(self):
        for program, name, given in (
            ("import os\nall = []\nall.append(os)\n", "escapes", "os"),
            ("import logging\nlogging.os.system('true')\n", "through", "logging.os"),
            ("import enum\nenum.bltns.eval(x)\n", "through", "enum.bltns"),
            ("import os\ndef f(): os.remove(p)\nos = None\n", "os.remove", "?"),
            ("exec(''.join([input()]))\n", "evaluates", "?"),
            ("source = '1'\nfor i in range(2):\n    exec(source)\n    source = input()\n", "evaluates", "?"),
            ("df.query('a == @tools.os.system(1)')\n", "evaluates", "a == @tools.os.system(1)"),
            ("f.__globals__\n", "insides", "__globals__"),
        ):
            self.assertIn(given, uses(program).get(name, []), program)
        for program in ("import numpy as np\nf(np)\n", "import math\nf(math)\n", "import os\nprint(os.path.sep)\n"):
            self.assertNotIn("escapes", uses(program), program)

    def test_nothing_large_is_computed(self):
        import ast

        self.assertEqual(computed(ast.Mult(), "ab", 3), "ababab")
        self.assertIsNone(computed(ast.Mult(), "ab", 10**9))
        self.assertIsNone(computed(ast.Pow(), 2, 3))


if __name__ == "__main__":
    unittest.main()
