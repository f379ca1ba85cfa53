# Prints where names can be imported from, as JSON: {"name": "module"}.
import importlib
import json
import sys

top = sys.argv[1]
package = importlib.import_module(top)
found = {}
for name in sys.argv[2:]:
    if name == top:
        found[name] = ""
        continue
    if hasattr(package, name):
        found[name] = top
        continue
    for module in sorted(m for m in sys.modules if m.startswith(top + ".")):
        thing = vars(sys.modules[module]).get(name) if sys.modules[module] is not None else None
        if thing is not None and getattr(thing, "__module__", None) == module:
            found[name] = module
            break
    else:
        try:
            importlib.import_module(name)
            found[name] = ""
        except BaseException:
            pass
print(json.dumps(found))
