# Imports the modules of the package named on the command line, and says which other module is missing for that.
import glob
import importlib
import os
import re
import sys
import sysconfig

site = sysconfig.get_paths()["purelib"]
same = re.sub(r"[-_.]+", "_", sys.argv[1]).lower()
own = set()
for info in glob.glob(os.path.join(site, "*.dist-info")):
    if re.sub(r"[-_.]+", "_", os.path.basename(info).split("-")[0]).lower() == same:
        with open(os.path.join(info, "RECORD")) as f:
            paths = [line.split(",")[0] for line in f]
        modules = [p for p in paths if p.endswith("/__init__.py") or "/" not in p and ".py" in p]
        own = {p.split("/")[0].split(".")[0] for p in modules}
missing = ""
for name in sorted(own):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as e:
        if e.name and e.name.split(".")[0] not in own:
            missing = e.name.split(".")[0]
            break
    except BaseException:
        pass  # as its users would see
print("missing: " + missing)
