# Makes a virtual environment with the pip that Python brings along. Installing that pip the usual way runs pip and
# takes ten times as long; its wheel only has to be unpacked.
import ensurepip
import glob
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile

home = sys.argv[1]
folders = [
    os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"),
    sysconfig.get_config_var("WHEEL_PKG_DIR"),
    "/usr/share/python-wheels",
]
wheels = [w for f in folders if f for w in glob.glob(os.path.join(f, "*.whl"))]

venv.create(home, symlinks=True)
packages = os.path.join(home, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
for name in "pip", "setuptools":
    for wheel in [w for w in wheels if os.path.basename(w).startswith(name + "-")][:1]:
        zipfile.ZipFile(wheel).extractall(packages)

works = [os.path.join(home, "bin", "python"), "-I", "-c", "import pip._internal.cli.main, pip._vendor.requests"]
if subprocess.call(works, stderr=subprocess.DEVNULL):
    venv.create(home, clear=True, symlinks=True, with_pip=True)
