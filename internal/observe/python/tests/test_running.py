import types
import unittest

from scrub_observe.running import Running


class Statements(unittest.TestCase):
    def run_all(self, *texts, **more):
        scope = types.ModuleType("__main__").__dict__
        running = Running(scope, more.get("each", 5), more.get("budget", 1e9), {})
        return [running.statement(n, text) for n, text in enumerate(texts)]

    def test_values(self):
        seen = self.run_all("a = [1]", "a", "print(a)", "_ + [2]", "None", "'x'")
        self.assertEqual(seen[0]["set"]["repr"], "[1]")
        self.assertEqual(seen[1]["value"]["repr"], "[1]")
        self.assertEqual(seen[2], {"out": "[1]\n"})
        self.assertEqual(seen[3]["value"]["repr"], "[1, 2]")
        self.assertEqual(seen[4], {})
        self.assertEqual(seen[5]["value"], {"repr": "'x'", "str": "x"})

    def test_goes_on(self):
        seen = self.run_all("a = 1 / 0", "a + 1", "b = a", "b", "2", "a = 3", "a")
        self.assertEqual(seen[0]["raised"][0]["class"], "ZeroDivisionError")
        self.assertEqual(
            [s.get("skipped") for s in seen], [None, "unreached", "unreached", "unreached", None, None, None]
        )
        self.assertEqual(seen[6]["value"]["repr"], "3")

    def test_chain(self):
        seen = self.run_all("try:\n    {}[1]\nexcept KeyError as e:\n    raise ValueError('no') from e")
        self.assertEqual([r["class"] for r in seen[0]["raised"]], ["ValueError", "KeyError"])

    def test_warnings_and_filters_stay(self):
        seen = self.run_all(
            "import warnings", "warnings.warn('careful')", "warnings.simplefilter('error')", "warnings.warn('x')"
        )
        self.assertEqual(seen[1]["warned"], ["UserWarning: careful"])
        self.assertEqual(seen[3]["raised"][0]["class"], "UserWarning")

    def test_slow(self):
        seen = self.run_all("while True: pass", "1", each=0.2)
        self.assertEqual(seen[0], {"slow": 0.2})
        self.assertEqual(seen[1]["value"]["repr"], "1")

    def test_exit_ends_it(self):
        seen = self.run_all("import sys", "sys.exit(3)", "1")
        self.assertEqual(seen[1]["raised"][0]["class"], "SystemExit")
        self.assertEqual(seen[2], {"skipped": "ended"})

    def test_a_repr_that_fails(self):
        seen = self.run_all("class A:\n    def __repr__(self): raise ValueError('no')", "A()")
        self.assertEqual(seen[1]["value"]["repr"], "!ValueError: no")

    def test_a_part_of_a_package_is_imported(self):
        seen = self.run_all("import xml", "xml.dom.minidom.Node.ELEMENT_NODE", "xml.nothing")
        self.assertEqual(seen[1]["value"]["repr"], "1")
        self.assertEqual(seen[2]["raised"][0]["class"], "AttributeError")

    def test_functions_have_a_source(self):
        seen = self.run_all("def f():\n    return 1\n", "import inspect", "inspect.getsource(f)")
        self.assertEqual(seen[2]["value"]["str"], "def f():\n    return 1\n")


if __name__ == "__main__":
    unittest.main()
