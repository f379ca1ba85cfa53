# Runs some tests of a file by name, with pytest where it is installed, and says what became of each.
import importlib.util
import json
import sys
import unittest

with open("scrub_near.json") as f:
    order = json.load(f)


def tell(name, result, why=""):
    sys.stdout.write("\nscrub-near:" + json.dumps({"name": name, "result": result, "why": str(why)}) + "\n")
    sys.stdout.flush()


def last(text):
    return (str(text).strip().splitlines() or [""])[-1]


class Reporter:
    """Hears from pytest."""

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            tell(report.nodeid.split("::")[-1], report.outcome, "" if report.passed else last(report.longreprtext))


class Result(unittest.TestResult):
    """Hears from unittest."""

    def addSuccess(self, test):
        tell(test._testMethodName, "passed")

    def addFailure(self, test, err):
        tell(test._testMethodName, "failed", "%s: %s" % (err[0].__name__, err[1]))

    addError = addFailure

    def addSkip(self, test, reason):
        tell(test._testMethodName, "skipped", reason)

    def addExpectedFailure(self, test, err):
        tell(test._testMethodName, "passed", "it is expected to fail")

    def addUnexpectedSuccess(self, test):
        tell(test._testMethodName, "failed", "it was expected to fail")


def plainly():
    spec = importlib.util.spec_from_file_location("tests", order["file"])
    module = sys.modules["tests"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    loader = unittest.TestLoader()
    loader.testNamePatterns = ["*.%s*" % n for n in order["names"]]
    loader.loadTestsFromModule(module).run(Result())
    for name in order["names"]:
        test = getattr(module, name, None)
        if callable(test):
            try:
                test()
            except Exception as e:
                tell(name, "failed", "%s: %s" % (type(e).__name__, e))
            else:
                tell(name, "passed")


sys.path.insert(0, ".")
try:
    import pytest
except ImportError:
    plainly()
else:
    names = " or ".join(order["names"])
    quietly = ["-q", "-p", "no:cacheprovider", "--rootdir=.", "-c", "/dev/null"]
    pytest.main(quietly + [order["file"], "-k", names], plugins=[Reporter()])
