import sys
import unittest

from scrub_observe import cells, telling


class Cells(unittest.TestCase):
    def sources(self, text):
        return [s[0] for s in cells.pieces(text)[0]]

    def test_statements(self):
        self.assertEqual(
            self.sources("a = 1\nif a:\n    b = 2\n\n@d\ndef f():\n    pass\nf()"),
            ["a = 1", "if a:\n    b = 2", "@d\ndef f():\n    pass", "f()"],
        )

    def test_two_on_a_line(self):
        self.assertEqual(
            self.sources("a = 1; b = 2"), ["a = 1", "b = 2"] if sys.version_info >= (3, 8) else ["a = 1; b = 2"]
        )

    def test_python_2(self):
        self.assertEqual(self.sources('print "x"\nprint(1)'), ['print("x")', "print(1)"])

    def test_what_parses_is_kept(self):
        found, whole = cells.pieces("a = 1\nthis is some prose\nb = [1,\n  2]\n")
        self.assertEqual(([f[:2] for f in found], whole), ([("a = 1", 1), ("b = [1,\n  2]", 3)], False))

    def test_magics(self):
        self.assertEqual(self.sources("%matplotlib inline\n%time f()"), ["pass", "f()"])


class Telling(unittest.TestCase):
    def test_programs(self):
        for text, lang, want in [
            ("import os", "", "yes"),
            ("Matrix([1, 2])", "", "maybe"),
            ("Matrix([1, 2])", "python", "yes"),
            ("x.y(3)", "", "yes"),
            ("3", "", "no"),
            ("a + 1", "python", "maybe"),
            ("hello world, this is some prose", "", "no"),
            ("Traceback (most recent call last):\n  File", "", "no"),
            ("$ pip install x", "", "no"),
            ("<xarray.Dataset>\nDimensions: (x: 1)", "", "no"),
            ("import x\nx.f(1)\nValueError: no", "", "yes"),
            ("a = 1", "bash", "no"),
        ]:
            self.assertEqual(telling.program(text, lang), want, text)

    def test_calls(self):
        for text, want in [
            ("def repro():\n    pass", ["repro()"]),
            ("def repro():\n    pass\nrepro()", []),
            ("def f(x):\n    pass", []),
            ("import x\ndef f(x=1):\n    pass", ["f()"]),
            ("def f():\n    pass\ndef g():\n    f()", ["g()"]),
            ("class T(unittest.TestCase):\n    def test_a(self):\n        pass", ["T('test_a').debug()"]),
            ("class TestX:\n    def test_a(self):\n        pass", ["TestX().test_a()"]),
            ("def test_a(tmp_path):\n    pass", [telling.PYTEST]),
            ("import pytest\ndef test_a():\n    pass", [telling.PYTEST]),
            ("import pytest\ndef f(x):\n    pass", []),
        ]:
            self.assertEqual(telling.calls([s[0] for s in cells.pieces(text)[0]]), want, text)


if __name__ == "__main__":
    unittest.main()
