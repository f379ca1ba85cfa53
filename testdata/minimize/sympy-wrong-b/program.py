"""Slice simple solids for a belt printer (the layers are tilted by 45 degrees).

The exact arithmetic of sympy.geometry is used on purpose: the slicer in C++
is tested against this one.  `BeltSlicer.audit` counts for every layer how many
edges really pass through the layer's plane, with signed distances only, and
compares that with the number of edges for which sympy returned a point.
"""
import itertools
import json
import logging
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional, Tuple

from sympy import Plane, Point3D, Rational, Segment3D

logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
log = logging.getLogger("slicer")

Triple = Tuple[int, int, int]


@dataclass(frozen=True)
class MachineConfig:
    """What the printer looks like."""

    belt_normal: Triple = (0, 1, 1)
    layer_step: Rational = Rational(7, 4)
    first_offset: Rational = Rational(3, 8)
    layers: int = 2
    bed: Tuple[int, int] = (40, 200)

    def plane(self, number: int) -> Plane:
        offset = self.first_offset + number * self.layer_step
        return Plane(Point3D(0, 0, offset), normal_vector=self.belt_normal)


@dataclass
class Solid:
    name: str
    corners: List[Point3D] = field(default_factory=list)
    pairs: List[Tuple[int, int]] = field(default_factory=list)
    material: Optional[str] = None

    @classmethod
    def box(cls, name: str, origin: Triple, size: Triple) -> "Solid":
        solid = cls(name)
        for bits in itertools.product((0, 1), repeat=3):
            solid.corners.append(
                Point3D(*[o + s * b for o, s, b in zip(origin, size, bits)])
            )
        for i, j in itertools.combinations(range(8), 2):
            if bin(i ^ j).count("1") == 1:
                solid.pairs.append((i, j))
        return solid

    @classmethod
    def tetrahedron(cls, name: str, origin: Triple, height: int) -> "Solid":
        x, y, z = origin
        solid = cls(name)
        solid.corners = [
            Point3D(x, y, z),
            Point3D(x + height, y, z),
            Point3D(x, y + height, z),
            Point3D(x, y, z + height),
        ]
        solid.pairs = list(itertools.combinations(range(4), 2))
        return solid

    def shifted(self, dx: int = 0, dy: int = 0, dz: int = 0) -> "Solid":
        moved = [p.translate(dx, dy, dz) for p in self.corners]
        return Solid(self.name + "'", moved, list(self.pairs), self.material)

    def edges(self) -> Iterator[Segment3D]:
        for i, j in self.pairs:
            yield Segment3D(self.corners[i], self.corners[j])


@dataclass
class Hit:
    solid: str
    edge: int
    point: Point3D

    def as_row(self) -> Dict[str, object]:
        return {
            "solid": self.solid,
            "edge": self.edge,
            "at": [str(c) for c in self.point.args],
        }


class LayerLog:
    """Remembers the hits of one layer in the order in which they were found."""

    def __init__(self, number: int):
        self.number = number
        self.hits: List[Hit] = []
        self.closed = False

    def record(self, hit: Hit) -> None:
        if self.closed:
            raise RuntimeError("layer %d is closed" % self.number)
        self.hits.append(hit)

    def close(self) -> None:
        self.closed = True

    def edges_of(self, solid: str) -> List[int]:
        return sorted({h.edge for h in self.hits if h.solid == solid})

    def __len__(self) -> int:
        return len(self.hits)


class BeltSlicer:
    def __init__(self, config: MachineConfig):
        self.config = config
        self.solids: Dict[str, Solid] = {}
        self.layers: Dict[int, LayerLog] = {}
        self._warnings: List[str] = []

    # -- building up -----------------------------------------------------
    def place(self, solid: Solid, at: Triple = (0, 0, 0)) -> "BeltSlicer":
        if any(at):
            solid = solid.shifted(*at)
        if solid.name in self.solids:
            raise KeyError("duplicate solid %r" % solid.name)
        width, length = self.config.bed
        for corner in solid.corners:
            if not (0 <= corner.x <= width and 0 <= corner.y <= length):
                self._warnings.append("%s leaves the bed" % solid.name)
                break
        self.solids[solid.name] = solid
        return self

    # -- slicing -----------------------------------------------------------
    def slice_layer(self, number: int) -> LayerLog:
        plane = self.config.plane(number)
        layer = LayerLog(number)
        for name, solid in self.solids.items():
            for index, edge in enumerate(solid.edges()):
                for found in plane.intersection(edge):
                    if isinstance(found, Point3D):
                        layer.record(Hit(name, index, found))
        layer.close()
        self.layers[number] = layer
        return layer

    def slice_all(self) -> None:
        for number in range(self.config.layers):
            layer = self.slice_layer(number)
            log.info("layer %d: %d hits", number, len(layer))

    # -- checking ----------------------------------------------------------
    def _height(self, number: int, corner: Point3D) -> Rational:
        """Signed distance to the layer, times the length of the normal."""
        anchor = self.config.first_offset + number * self.config.layer_step
        nx, ny, nz = self.config.belt_normal
        return nx * corner.x + ny * corner.y + nz * (corner.z - anchor)

    def straddling(self, number: int, solid: Solid) -> List[int]:
        result = []
        for index, (i, j) in enumerate(solid.pairs):
            a = self._height(number, solid.corners[i])
            b = self._height(number, solid.corners[j])
            if a * b < 0:
                result.append(index)
        return result

    def audit(self) -> int:
        checked = 0
        for number, layer in sorted(self.layers.items()):
            for name, solid in self.solids.items():
                wanted = self.straddling(number, solid)
                got = layer.edges_of(name)
                assert got == wanted, (
                    "wrong edges cut in layer %d of %s: got %s, the plane crosses %s"
                    % (number, name, got, wanted)
                )
                checked += 1
        return checked

    # -- output --------------------------------------------------------------
    def report(self) -> str:
        return json.dumps(
            {
                str(n): [h.as_row() for h in layer.hits]
                for n, layer in self.layers.items()
            },
            indent=1,
            sort_keys=True,
        )


def demo_parts() -> List[Tuple[Solid, Triple]]:
    return [
        (Solid.tetrahedron("clip", (2, 1, 0), 3), (0, 0, 0)),
        (Solid.box("bracket", (0, 0, 0), (4, 2, 3)), (6, 0, 0)),
    ]


def main() -> None:
    slicer = BeltSlicer(MachineConfig())
    for solid, at in demo_parts():
        slicer.place(solid, at)
    slicer.slice_all()
    print("checked", slicer.audit(), "solid/layer pairs")
    print(slicer.report())


if __name__ == "__main__":
    main()
