#!/usr/bin/env python3
"""Match weather sensors to road sections by distance.

Coordinates are projected (metres, easting/northing), as our survey tool
exports them. The matcher was rewritten from a loop to torch.cdist and since
then sections get assigned to the wrong sensor.
"""
import argparse
import logging
import sys
import time
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

import torch

log = logging.getLogger("match")

SURVEY = """\
# id     easting     northing   kind
S01   512695.0   5403210.0   rain
S02   512804.0   5403240.0   rain
S03   513120.5   5403310.5   wind
S04   513402.0   5402988.0   rain
S05   513777.5   5402875.0   rain
S06   514010.0   5403420.0   wind
S07   514255.0   5403555.5   rain
S08   514631.5   5403120.0   rain
"""


@dataclass
class Config:
    sections: int = 36
    spacing: float = 55.0
    tolerance: float = 5.0
    kinds: Tuple[str, ...] = ("rain", "wind")
    dtype: torch.dtype = torch.float32
    origin: Tuple[float, float] = (512650.0, 5403100.0)
    notes: Dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sensor:
    name: str
    east: float
    north: float
    kind: str

    @property
    def xy(self) -> Tuple[float, float]:
        return (self.east, self.north)


class Timer:
    """Context manager that logs how long a block took."""

    def __init__(self, what: str):
        self.what = what
        self.took = 0.0

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *exc):
        self.took = time.perf_counter() - self.start
        log.debug("%s took %.1f ms", self.what, 1000 * self.took)
        return False


def parse_survey(text: str, kinds) -> List[Sensor]:
    sensors = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        parts = line.split()
        if len(parts) != 4:
            log.warning("line %d skipped: %r", number, line)
            continue
        name, east, north, kind = parts
        if kind not in kinds:
            continue
        sensors.append(Sensor(name, float(east), float(north), kind))
    return sensors


def road_sections(cfg: Config) -> torch.Tensor:
    """Midpoints of the sections along a road that bends slowly north."""
    steps = torch.arange(cfg.sections, dtype=torch.float64)
    east = cfg.origin[0] + steps * cfg.spacing
    north = cfg.origin[1] + 140.0 * torch.sin(steps / 9.0)
    return torch.stack([east, north], dim=1).to(cfg.dtype)


class Matcher:
    def __init__(self, sensors: List[Sensor], cfg: Config):
        if not sensors:
            raise ValueError("no sensors left after filtering")
        self.sensors = sensors
        self.cfg = cfg
        self.points = torch.tensor([s.xy for s in sensors], dtype=cfg.dtype)

    def distances(self, sections: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def nearest(self, sections: torch.Tensor) -> List[str]:
        index = self.distances(sections).argmin(dim=1)
        return [self.sensors[i].name for i in index.tolist()]


class LoopMatcher(Matcher):
    """What we had before; slow for the whole network, but simple."""

    def distances(self, sections):
        rows = []
        for section in sections:
            rows.append(torch.linalg.norm(self.points - section, dim=1))
        return torch.stack(rows)


class BatchMatcher(Matcher):
    def distances(self, sections):
        return torch.cdist(sections, self.points)


def histogram(values: torch.Tensor, bins: int = 5) -> str:
    # used for the report only
    counts = torch.histc(values, bins=bins)
    return " ".join(str(int(c)) for c in counts)


def report(name: str, matcher: Matcher, sections: torch.Tensor) -> torch.Tensor:
    with Timer(name):
        found = matcher.distances(sections)
    log.info("%-6s min %.1f  max %.1f  [%s]", name, found.min(), found.max(), histogram(found))
    return found


def parse_args(argv: Optional[List[str]] = None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sections", type=int, default=36)
    parser.add_argument("--tolerance", type=float, default=5.0, help="metres")
    parser.add_argument("--only", choices=["rain", "wind"])
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser.parse_args(argv)


def main(argv=None) -> int:
    args = parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO, format="%(message)s")
    torch.set_num_threads(1)

    cfg = Config(sections=args.sections, tolerance=args.tolerance)
    if args.only:
        cfg.kinds = (args.only,)
    sensors = parse_survey(SURVEY, cfg.kinds)
    sections = road_sections(cfg)
    log.info("%d sensors, %d sections", len(sensors), len(sections))

    old, new = LoopMatcher(sensors, cfg), BatchMatcher(sensors, cfg)

    # A handful of sections is fine:
    few = sections[:10]
    assert old.nearest(few) == new.nearest(few)

    # The whole road is not:
    slow = report("loop", old, sections)
    fast = report("batch", new, sections)
    worst = (slow - fast).abs().max().item()
    log.info("largest difference: %.1f m", worst)
    assert worst <= cfg.tolerance, "batch and loop distances differ by more than the tolerance"

    for section, name in enumerate(new.nearest(sections)):
        print(section, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
