# Runs a file that runs its own tests. What only helps to write expectations,
# and is not in every environment, is stood in for.
import runpy
import sys
import types
import unittest

try:
    import expecttest
except ImportError:
    expecttest = sys.modules["expecttest"] = types.ModuleType("expecttest")
    expecttest.TestCase = unittest.TestCase
    expecttest.assert_expected_inline = lambda *args, **kwargs: None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
