"""Level monitor for the clock line of an acquisition card (int16 samples).

We keep the last few blocks in a ring, raise the gain while the line is too
quiet, and watch the 5/50/95 percentiles. At some gain the median leaves the
range of the data. Samples are made up here, the card shows the same thing.
"""
from __future__ import annotations

import configparser
import enum
import logging
import sys

import numpy as np

CONFIG = """
[capture]
block = 48
blocks kept = 4
idle level = 2600
duty = 0.5

[gain]
start = 1.0
factor = 1.25
limit = 12.0
target = 30000

[report]
percentiles = 5 50 95
every = 4
"""

log = logging.getLogger("levels")


class State(enum.Enum):
    SEARCHING = "searching"
    LOCKED = "locked"
    CLIPPED = "clipped"


class Ring:
    """Fixed memory for the last samples; push() overwrites the oldest."""

    def __init__(self, size: int, dtype=np.int16):
        self._data = np.zeros(size, dtype=dtype)
        self._at = 0
        self._filled = 0

    def __len__(self) -> int:
        return self._filled

    @property
    def full(self) -> bool:
        return self._filled == self._data.size

    def push(self, block: np.ndarray) -> None:
        n = block.size
        where = np.arange(self._at, self._at + n) % self._data.size
        self._data[where] = block
        self._at = (self._at + n) % self._data.size
        self._filled = min(self._filled + n, self._data.size)

    def view(self) -> np.ndarray:
        return self._data[: self._filled]


class Card:
    """Stands in for the driver: a square wave with some ripple."""

    bits = 16

    def __init__(self, level: int, duty: float, block: int):
        self.level = level
        self.duty = duty
        self.block = block
        self.gain = 1.0
        self.serial = 0

    def read(self) -> np.ndarray:
        t = np.arange(self.serial, self.serial + self.block)
        self.serial += self.block
        high = (t % 8) < 8 * self.duty
        wave = np.where(high, self.level, -self.level).astype(np.float64)
        wave += 40.0 * np.cos(t * 0.7)
        wave *= self.gain
        top = np.iinfo(np.int16).max
        return np.clip(wave, -top, top).astype(np.int16)


class AutoGain:
    def __init__(self, card: Card, start: float, factor: float, limit: float, target: int):
        self.card = card
        self.factor = factor
        self.limit = limit
        self.target = target
        self.state = State.SEARCHING
        card.gain = start

    def update(self, window: np.ndarray) -> None:
        peak = int(np.max(np.abs(window.astype(np.int32))))
        if peak >= np.iinfo(np.int16).max:
            self._go(State.CLIPPED)
            self.card.gain /= self.factor
        elif peak < self.target and self.card.gain < self.limit:
            self._go(State.SEARCHING)
            self.card.gain = min(self.card.gain * self.factor, self.limit)
        else:
            self._go(State.LOCKED)

    def _go(self, state: State) -> None:
        if state is not self.state:
            log.info("%s -> %s at gain %.2f", self.state.value, state.value, self.card.gain)
            self.state = state


class Monitor:
    def __init__(self, ring: Ring, wanted: list[float]):
        self.ring = ring
        self.wanted = wanted
        self.history: list[tuple[float, ...]] = []

    def measure(self) -> tuple[float, ...]:
        window = self.ring.view()
        found = tuple(float(v) for v in np.percentile(window, self.wanted))
        self.history.append(found)
        return found

    def check(self) -> None:
        last = self.history[-1]
        assert list(last) == sorted(last), "percentiles are not in order"

    def drift(self) -> float:
        """Not used at the moment, the alarm was too nervous."""
        if len(self.history) < 2:
            return 0.0
        middles = np.array([h[len(h) // 2] for h in self.history])
        return float(np.abs(np.diff(middles)).max())


def load(text: str) -> configparser.ConfigParser:
    config = configparser.ConfigParser()
    config.read_string(text)
    return config


def spark(window: np.ndarray, width: int = 16) -> str:
    marks = "_.-=^"
    part = window[:width].astype(float)
    span = np.ptp(part) or 1.0
    return "".join(marks[int(4 * (v - part.min()) / span)] for v in part)


def run(config: configparser.ConfigParser, rounds: int = 24) -> Monitor:
    capture, gain = config["capture"], config["gain"]
    block = capture.getint("block")
    card = Card(capture.getint("idle level"), capture.getfloat("duty"), block)
    auto = AutoGain(card, gain.getfloat("start"), gain.getfloat("factor"),
                    gain.getfloat("limit"), gain.getint("target"))
    ring = Ring(block * capture.getint("blocks kept"))
    wanted = [float(p) for p in config["report"]["percentiles"].split()]
    monitor = Monitor(ring, wanted)
    every = config["report"].getint("every")

    for number in range(rounds):
        ring.push(card.read())
        low, middle, high = monitor.measure()
        if number % every == 0:
            log.info("%3d gain %5.2f  %9.1f %9.1f %9.1f  %s", number, card.gain, low, middle, high,
                     spark(ring.view()))
        if ring.full:
            monitor.check()
        auto.update(ring.view())
    return monitor


def main() -> int:
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s: %(message)s")
    monitor = run(load(CONFIG))
    for row in monitor.history:
        print(*("%.1f" % v for v in row))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
