"""Replay of calibrated readings. Python dies with 'Segmentation fault', no traceback.

The corrections log has one correction per minute; every correction is put on
top of the stream of readings, lazily, so that nothing is computed twice.
Works for a few days of corrections, crashes for a season.
"""
import dataclasses
import datetime as dt
import functools
import itertools
import logging
import operator
import os
import statistics
import sys

log = logging.getLogger("replay")

DAYS = int(os.environ.get("REPLAY_DAYS", "120"))
START = dt.datetime(2023, 4, 1, tzinfo=dt.timezone.utc)


@dataclasses.dataclass(frozen=True)
class Correction:
    minute: int
    offset: float
    origin: str = "auto"

    @property
    def when(self):
        return START + dt.timedelta(minutes=self.minute)

    def apply(self, value):
        return value + self.offset


@dataclasses.dataclass
class Stats:
    count: int = 0
    low: float = float("inf")
    high: float = float("-inf")

    def feed(self, value):
        self.count += 1
        self.low = min(self.low, value)
        self.high = max(self.high, value)
        return value


class CorrectionLog:
    """Makes the corrections of a number of days; every 500th is by hand."""

    def __init__(self, days):
        self.days = days

    def __len__(self):
        return self.days * 24 * 60

    def __iter__(self):
        for minute in range(len(self)):
            offset = ((minute * 37) % 21 - 10) / 1e6
            origin = "manual" if minute % 500 == 0 else "auto"
            yield Correction(minute, offset, origin)


class Readings:
    def __init__(self, base=20.0, count=50):
        self.base = base
        self.count = count

    def __iter__(self):
        for i in range(self.count):
            yield self.base + (i % 7) * 0.25


class Stream:
    """A lazy stream that can be stacked. Iterating it consumes it."""

    def __init__(self, source):
        self._it = iter(source)
        self.layers = 0

    def map(self, function):
        self._it = map(function, self._it)
        self.layers += 1
        return self

    def filter(self, predicate):
        self._it = filter(predicate, self._it)
        self.layers += 1
        return self

    def tap(self, stats):
        return self.map(stats.feed)

    def __iter__(self):
        return self._it


class Plan:
    def __init__(self, skip_origins=()):
        self.skip = frozenset(skip_origins)
        self.used = 0
        self.skipped = 0

    def build(self, stream, corrections):
        for correction in corrections:
            if correction.origin in self.skip:
                self.skipped += 1
                continue
            stream.map(correction.apply)
            self.used += 1
            if correction.minute % 1440 == 0:
                # once a day: drop what the probe cannot have measured
                stream.filter(functools.partial(operator.gt, 85.0))
        return stream


def in_batches(iterable, size):
    it = iter(iterable)
    while True:
        batch = list(itertools.islice(it, size))
        if not batch:
            return
        yield batch


def summarize(stream, size=10):
    rows = []
    for number, batch in enumerate(in_batches(stream, size)):
        rows.append((number, statistics.mean(batch), statistics.pstdev(batch)))
    return rows


def self_test():
    """A day is no problem at all."""
    stats = Stats()
    stream = Plan().build(Stream(Readings(count=5)), CorrectionLog(1))
    rows = summarize(stream.tap(stats), 5)
    assert len(rows) == 1 and stats.count == 5, rows
    log.info("self test: %d layers, %.3f..%.3f", stream.layers, stats.low, stats.high)


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M")
    self_test()
    before, after = Stats(), Stats()
    corrections = CorrectionLog(DAYS)
    plan = Plan(skip_origins={"manual"})
    stream = Stream(Readings()).tap(before)
    plan.build(stream, corrections)
    stream.tap(after)
    log.info("%d corrections used, %d skipped, %d layers", plan.used, plan.skipped, stream.layers)
    sys.stderr.flush()
    for number, mean, spread in summarize(stream):
        print("%4d %10.5f %8.5f" % (number, mean, spread))
    log.info("before %s", before)
    log.info("after  %s", after)


if __name__ == "__main__":
    main()
