#!/usr/bin/env python
"""Collects the nightly bundles and prints what is in them.

Hangs at 100% CPU on one of our bundles. `unzip -l` lists the same archive
without trouble, and so does ZipFile.namelist().
"""
import argparse
import collections
import fnmatch
import hashlib
import io
import json
import logging
import zipfile

logger = logging.getLogger("bundles")

Entry = collections.namedtuple("Entry", "name size digest")


class BundleError(Exception):
    pass


class BundleWriter:
    """Writes files below a prefix, with a manifest at the end."""

    def __init__(self, prefix="", compression=zipfile.ZIP_DEFLATED):
        self.prefix = prefix
        self.buffer = io.BytesIO()
        self.archive = zipfile.ZipFile(self.buffer, "w", compression)
        self.entries = []

    def _name(self, name):
        if not self.prefix:
            return name
        return "{}/{}".format(self.prefix, name)

    def add(self, name, payload):
        if isinstance(payload, str):
            payload = payload.encode("utf-8")
        info = zipfile.ZipInfo(self._name(name), date_time=(2023, 11, 5, 2, 0, 0))
        self.archive.writestr(info, payload)
        digest = hashlib.sha256(payload).hexdigest()[:12]
        self.entries.append(Entry(info.filename, len(payload), digest))

    def close(self):
        manifest = [e._asdict() for e in self.entries]
        self.archive.writestr("MANIFEST.json", json.dumps(manifest, indent=1))
        self.archive.close()
        return self.buffer.getvalue()


class Bundle:
    def __init__(self, title, raw):
        self.title = title
        self.archive = zipfile.ZipFile(io.BytesIO(raw))
        broken = self.archive.testzip()
        if broken is not None:
            raise BundleError("%s: %s is damaged" % (title, broken))

    @property
    def root(self):
        return zipfile.Path(self.archive)

    def walk(self, path=None, depth=0):
        path = self.root if path is None else path
        for child in sorted(path.iterdir(), key=lambda c: c.name):
            yield depth, child
            if child.is_dir():
                yield from self.walk(child, depth + 1)

    def manifest(self):
        text = self.archive.read("MANIFEST.json").decode("utf-8")
        return [Entry(**e) for e in json.loads(text)]


class Filter:
    def __init__(self, patterns=(), hidden=False):
        self.patterns = list(patterns)
        self.hidden = hidden

    def __call__(self, name):
        if not self.hidden and name.startswith("."):
            return False
        return not self.patterns or any(fnmatch.fnmatch(name, p) for p in self.patterns)


def make_logs(writer, days):
    for day in range(1, days + 1):
        lines = ["%02d:%02d ok" % (hour, (hour * 7 + day) % 60) for hour in range(24)]
        writer.add("logs/day-%02d.txt" % day, "\n".join(lines))


def make_metrics(writer, hosts):
    for number in range(hosts):
        rows = ["metric,value"] + ["m%d,%d" % (m, (m * 31 + number) % 97) for m in range(10)]
        writer.add("metrics/node%d.csv" % number, "\n".join(rows))


def make_bundles():
    """The three kinds of bundle that we get, as the agents write them."""
    plain = BundleWriter()
    make_logs(plain, 3)
    yield "plain", plain.close()

    prefixed = BundleWriter("agent-a")
    make_logs(prefixed, 2)
    make_metrics(prefixed, 2)
    yield "prefixed", prefixed.close()

    # This agent is configured with an absolute volume name, and its
    # template puts one more slash in front.
    volume = BundleWriter("/" + "/volume1")
    make_metrics(volume, 2)
    make_logs(volume, 1)
    yield "volume", volume.close()


def human(size):
    for unit in ("B", "K", "M"):
        if size < 1024:
            return "%d%s" % (size, unit)
        size //= 1024
    return "%dG" % size


def show(bundle, accept):
    total = 0
    print("== %s (%d entries)" % (bundle.title, len(bundle.archive.namelist())))
    for depth, path in bundle.walk():
        if path.is_dir():
            print("%s%s/" % ("  " * depth, path.name))
            continue
        if not accept(path.name):
            continue
        content = path.read_bytes()
        total += len(content)
        print("%s%s %s" % ("  " * depth, path.name, human(len(content))))
    return total


def check(bundle):
    known = {e.name for e in bundle.manifest()}
    extra = set(bundle.archive.namelist()) - known - {"MANIFEST.json"}
    if extra:
        raise BundleError("%s: not in the manifest: %s" % (bundle.title, ", ".join(sorted(extra))))


def main(argv=None):
    parser = argparse.ArgumentParser(description="show nightly bundles")
    parser.add_argument("patterns", nargs="*", help="show only these files")
    parser.add_argument("--hidden", action="store_true")
    parser.add_argument("--no-check", dest="check", action="store_false")
    parser.add_argument("--debug", action="store_true")
    options = parser.parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if options.debug else logging.WARNING)

    accept = Filter(options.patterns, options.hidden)
    total = 0
    for title, raw in make_bundles():
        logger.debug("%s: %d bytes", title, len(raw))
        bundle = Bundle(title, raw)
        if options.check:
            check(bundle)
        total += show(bundle, accept)
    print("total", human(total))


if __name__ == "__main__":
    main()
