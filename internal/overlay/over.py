# Puts some modules of an installed package in another version in its place: those of a change that
# need no compilation. MODULES, above this text, says which, and which are gone.
import importlib.abc
import importlib.util
import os
import sys


class Over(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name not in MODULES:
            return None
        file = MODULES[name]
        if not file:
            raise ModuleNotFoundError("No module named %r" % name, name=name)
        file = os.path.join(BOX, "over", file)
        places = None
        if os.path.basename(file) == "__init__.py":
            places = [os.path.dirname(file)]
            for finder in sys.meta_path:
                found = finder.find_spec(name, path, target) if finder is not self else None
                if found is not None:
                    places = list(found.submodule_search_locations or []) + places
                    break
        return importlib.util.spec_from_file_location(name, file, submodule_search_locations=places)


sys.meta_path.insert(0, Over())
