"""Small build driver: reads a manifest, orders the packages, builds them.

    core 1.4
    net  0.9.2  <- core
    ...

Since the resolver pins versions, the driver stops in the middle with an
error from graphlib. I do not see why: the package *is* in the graph.
"""
import abc
import argparse
import functools
import graphlib
import logging
import re
from dataclasses import dataclass, field, replace

MANIFEST = """
# name    version   needs
core      1.4.1
text      0.9.2     core
net       3.0.1     core
codec     2.0       core text
store     1.1.7     net codec
viewer    0.3.12    codec net
suite     5.2.2     store viewer
"""

logger = logging.getLogger("build")


class Checked:
    """Descriptor: a value that must match a pattern."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern)

    def __set_name__(self, owner, name):
        self.name = name
        self.slot = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.slot)

    def __set__(self, instance, value):
        if not self.pattern.fullmatch(value):
            raise ValueError("%s: %r is not allowed" % (self.name, value))
        setattr(instance, self.slot, value)


@functools.total_ordering
class Version:
    text = Checked(r"\d+(\.\d+)*")

    def __init__(self, text):
        self.text = text

    @functools.cached_property
    def parts(self):
        numbers = [int(p) for p in self.text.split(".")]
        while len(numbers) < 3:
            numbers.append(0)
        return tuple(numbers)

    def pinned(self):
        return Version(".".join(map(str, self.parts)))

    def bump(self):
        major, minor, patch = self.parts[:3]
        return Version("%d.%d.%d" % (major, minor, patch + 1))

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts == other.parts

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts < other.parts

    def __hash__(self):
        return hash(self.text)

    def __repr__(self):
        return "Version(%r)" % self.text


@dataclass(frozen=True, order=True)
class Package:
    name: str
    version: Version
    log: list = field(default_factory=list, compare=False, repr=False)

    @property
    def label(self):
        return "%s-%s" % (self.name, self.version.text)


class StepMeta(abc.ABCMeta):
    """Every step registers itself under its lower-case name."""

    registry = {}

    def __new__(mcls, name, bases, space, **kw):
        cls = super().__new__(mcls, name, bases, space, **kw)
        if bases:
            mcls.registry[name.lower()] = cls
        return cls


class Step(metaclass=StepMeta):
    @abc.abstractmethod
    def run(self, package):
        """Returns the package as it is after the step."""


class Pin(Step):
    def run(self, package):
        return replace(package, version=package.version.pinned())


class Compile(Step):
    def run(self, package):
        package.log.append("compiled " + package.label)
        return package


class Test(Step):
    def __init__(self, skip=("viewer",)):
        self.skip = set(skip)

    def run(self, package):
        if package.name not in self.skip:
            package.log.append("tested " + package.label)
        return package


class Manifest:
    def __init__(self):
        self.packages = {}
        self.needs = {}

    @classmethod
    def parse(cls, text):
        self = cls()
        for line in text.splitlines():
            line = line.split("#")[0].strip()
            if not line:
                continue
            name, version, *needs = line.split()
            self.packages[name] = Package(name, Version(version))
            self.needs[name] = needs
        return self

    def graph(self):
        return {
            self.packages[name]: [self.packages[n] for n in needs]
            for name, needs in self.needs.items()
        }

    def newest(self):
        return max(self.packages.values(), key=lambda p: p.version)


class Builder:
    def __init__(self, manifest, steps):
        self.manifest = manifest
        self.steps = [StepMeta.registry[s]() for s in steps]
        self.built = []

    def build(self, package):
        for step in self.steps:
            package = step.run(package)
        self.built.append(package)
        logger.info("built %s", package.label)
        return package

    def run(self):
        sorter = graphlib.TopologicalSorter(self.manifest.graph())
        sorter.prepare()
        while sorter.is_active():
            for package in sorted(sorter.get_ready()):
                done = self.build(package)
                if done != package:
                    raise RuntimeError("%s turned into %s" % (package, done))
                sorter.done(done)
        return self.built


def print_summary(built):
    width = max(len(p.label) for p in built)
    for package in built:
        print(package.label.ljust(width), "; ".join(package.log))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", default="pin,compile,test")
    parser.add_argument("-q", "--quiet", action="store_true")
    args = parser.parse_args()
    logging.basicConfig(level=logging.ERROR if args.quiet else logging.INFO, format="%(message)s")

    manifest = Manifest.parse(MANIFEST)
    logger.info("%d packages, newest is %s", len(manifest.packages), manifest.newest().label)
    builder = Builder(manifest, args.steps.split(","))
    print_summary(builder.run())


if __name__ == "__main__":
    main()
