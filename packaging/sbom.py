#!/usr/bin/env python3
"""What a Go binary is built from, as CycloneDX: sbom.py BINARY OUT. Needs go and the standard library."""
import base64, json, os, subprocess, sys
from urllib.parse import quote


def purl(path, version):
    return f"pkg:golang/{quote(path, safe='/')}@{quote(version, safe='')}"


def part(m, kind="library"):
    m = m.get("Replace") or m
    version = m.get("Version") or "(devel)"
    c = {"type": kind, "bom-ref": purl(m["Path"], version), "name": m["Path"], "version": version,
         "purl": purl(m["Path"], version)}
    if m.get("Sum", "").startswith("h1:"):  # the hash of Go's module tree, not of an archive
        c["hashes"] = [{"alg": "SHA-256", "content": base64.b64decode(m["Sum"][3:]).hex()}]
    return c


def main(binary, out):
    said = subprocess.run(["go", "version", "-m", "-json", binary], check=True, capture_output=True, text=True)
    info = json.loads(said.stdout)
    main = part(info["Main"], "application")
    std = {"type": "library", "bom-ref": "pkg:golang/std@" + info["GoVersion"].removeprefix("go"), "name": "std",
           "version": info["GoVersion"], "purl": "pkg:golang/std@" + info["GoVersion"].removeprefix("go")}
    parts = [std] + [part(d) for d in info.get("Deps", [])]
    main["properties"] = [{"name": "go:build:" + s["Key"], "value": s["Value"]} for s in info.get("Settings", [])]
    bom = {"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX",
           "specVersion": "1.6", "version": 1,
           "metadata": {"component": main}, "components": parts,
           "dependencies": [{"ref": main["bom-ref"], "dependsOn": [p["bom-ref"] for p in parts]}]}
    with open(out, "w") as f:
        json.dump(bom, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
