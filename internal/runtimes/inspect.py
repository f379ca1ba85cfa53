# Says what interpreter this is, and which versions it has of the packages named
# on the command line. Runs on any Python 3, in a box.
import json
import os
import sys

packages = {}
try:
    from importlib import metadata
except ImportError:
    metadata = None
for name in sys.argv[1:]:
    try:
        packages[name] = metadata.version(name)
    except Exception:
        # An old Python, or a name that is no package's: look at the folders.
        for folder in sys.path:
            for entry in os.listdir(folder) if os.path.isdir(folder) else []:
                base, ext = os.path.splitext(entry)
                if (
                    ext in (".dist-info", ".egg-info")
                    and base.split("-")[0].lower().replace("_", "-") == name.lower().replace("_", "-")
                    and "-" in base
                ):
                    packages[name] = base.split("-")[1]

print(
    json.dumps(
        {
            "path": sys.executable,
            "version": "%d.%d.%d" % sys.version_info[:3]
            + ("" if sys.version_info[3] == "final" else sys.version_info[3][0] + str(sys.version_info[4])),
            "packages": packages,
        }
    )
)
