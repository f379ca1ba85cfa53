#!/usr/bin/env python3
"""Pack one built binary into a wheel: wheel.py BINARY VERSION PLATFORM OUTDIR

PLATFORM is GOOS/GOARCH. Needs nothing but the standard library. The same input
gives the same bytes; SOURCE_DATE_EPOCH dates the entries."""
import base64, hashlib, os, re, sys, time, zipfile

# The index has another package called scrub, so this one is scrub-dev; its command is scrub.
NAME, SUMMARY, LICENSE = "scrub_dev", "Check bug reports by running them in a sandbox", "Apache-2.0"
TAGS = {
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64",
    "darwin/arm64": "macosx_12_0_arm64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "windows/amd64": "win_amd64",
}


def pep440(v):
    """A version of git's as one of Python's: v1.2.3-rc.1 is 1.2.3rc1, v1.2.3-4-gabc is 1.2.3.post4+gabc."""
    v = v.removeprefix("v")
    m = re.fullmatch(r"(\d+(?:\.\d+)*)(?:-(?:(alpha|beta|rc)\.?(\d+))?(?:(\d+)-(g[0-9a-f]+))?"
                     r"(?:SNAPSHOT-([0-9a-f]+))?)?", v)
    if not m:
        raise SystemExit(f"wheel: not a version: {v}")
    base, pre, pn, post, sha, snap = m.groups()
    out = base + ({"alpha": "a", "beta": "b", "rc": "rc"}[pre] + pn if pre else "")
    if post:
        out += f".post{post}+{sha}"
    if snap:
        out += f".dev0+g{snap}"
    return out


def main(binary, version, platform, outdir):
    version = pep440(version)
    tags = TAGS[platform]
    root = f"{NAME}-{version}"
    exe = "scrub" + (".exe" if platform.startswith("windows") else "")
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    readme = os.environ.get("README", os.path.join(here, "README.md"))
    licence = os.environ.get("LICENSE_FILE", os.path.join(here, "LICENSE"))
    meta = (f"Metadata-Version: 2.4\nName: scrub-dev\nVersion: {version}\nSummary: {SUMMARY}\n"
            f"License-Expression: {LICENSE}\n"
            + ("License-File: LICENSE\n" if os.path.exists(licence) else "")
            + "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n")
    meta = meta.encode() + (open(readme, "rb").read() if os.path.exists(readme) else b"")
    wheel = "Wheel-Version: 1.0\nGenerator: scrub wheel.py\nRoot-Is-Purelib: false\n"
    wheel += "".join(f"Tag: py3-none-{t}\n" for t in tags.split("."))
    files = [(f"{root}.data/scripts/{exe}", open(binary, "rb").read(), 0o755),
             (f"{root}.dist-info/METADATA", meta, 0o644),
             (f"{root}.dist-info/WHEEL", wheel.encode(), 0o644)]
    if os.path.exists(licence):
        files.append((f"{root}.dist-info/licenses/LICENSE", open(licence, "rb").read(), 0o644))
    record = ""
    for name, data, _ in files:
        sum = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={sum},{len(data)}\n"
    record += f"{root}.dist-info/RECORD,,\n"
    files.append((f"{root}.dist-info/RECORD", record.encode(), 0o644))
    when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]  # zip begins in 1980
    out = os.path.join(outdir, f"{root}-py3-none-{tags}.whl")
    os.makedirs(outdir, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name, data, mode in files:
            i = zipfile.ZipInfo(name, when)
            i.compress_type, i.create_system, i.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100000 | mode) << 16
            z.writestr(i, data, compresslevel=9)
    print(out)


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[3] not in TAGS:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
