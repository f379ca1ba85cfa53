# Runs the tests of a file that are plain functions, as pytest would, without
# asking for pytest to be there.
import runpy
import sys

names = runpy.run_path(sys.argv[1], run_name="tests")
for name, test in list(names.items()):
    if name.startswith("test_") and callable(test):
        test()
