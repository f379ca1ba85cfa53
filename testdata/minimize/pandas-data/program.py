"""Clean up the export of the pulse counters and compute consumption per site.

Counter exports have gaps (the radio link drops), so all value columns are
forward filled within one site before the daily consumption is taken.  Worked
for months, then a technician forgot to assign a meter to a site ...
"""
from __future__ import annotations

import io
import logging
from dataclasses import dataclass, field
from typing import Iterable, Optional

import numpy as np
import pandas as pd

logging.basicConfig(level=logging.INFO, format="%(message)s")
logger = logging.getLogger("meters")

MARCH = """\
stamp,meter,pulses,temperature,battery
2022-03-01 00:00,M-101,11200,4.5,97
2022-03-01 00:00,M-102,830,4.1,88
2022-03-01 00:00,M-201,54020,,91
2022-03-01 06:00,M-101,11218,,97
2022-03-01 06:00,M-102,833,3.9,88
2022-03-01 06:00,M-201,54101,5.2,91
2022-03-01 12:00,M-101,11240,7.0,96
2022-03-01 12:00,M-102,841,,88
2022-03-01 12:00,M-201,54230,8.8,90
"""

APRIL = """\
stamp,meter,pulses,temperature,battery
2022-04-01 00:00,M-101,12900,9.5,95
2022-04-01 00:00,M-103,12,9.0,100
2022-04-01 00:00,M-201,60110,,88
2022-04-01 06:00,M-101,12931,8.7,95
2022-04-01 06:00,M-103,19,,100
2022-04-01 06:00,M-201,60188,9.9,88
2022-04-01 12:00,M-101,12950,,95
2022-04-01 12:00,M-103,31,13.1,100
2022-04-01 12:00,M-201,60301,14.2,87
"""

SITES = """\
meter,site,liters_per_pulse
M-101,mill,10
M-102,mill,10
M-103,,10
M-201,harbour,2
"""

VALUE_COLUMNS = ["pulses", "temperature", "battery"]


@dataclass
class Check:
    """Result of one plausibility check."""

    name: str
    bad_rows: pd.DataFrame

    @property
    def ok(self) -> bool:
        return self.bad_rows.empty

    def describe(self) -> str:
        if self.ok:
            return f"{self.name}: ok"
        return f"{self.name}: {len(self.bad_rows)} bad rows\n{self.bad_rows}"


@dataclass
class Settings:
    value_columns: list[str] = field(default_factory=lambda: list(VALUE_COLUMNS))
    max_battery: int = 100
    site_dtype: Optional[str] = None
    ffill_limit: Optional[int] = None


def read_export(text: str) -> pd.DataFrame:
    frame = pd.read_csv(io.StringIO(text), parse_dates=["stamp"])
    duplicated = frame.duplicated(["stamp", "meter"])
    if duplicated.any():
        logger.warning("dropping %d duplicates", duplicated.sum())
        frame = frame[~duplicated]
    return frame.sort_values(["meter", "stamp"], ignore_index=True)


def attach_sites(frame: pd.DataFrame, sites: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    merged = frame.merge(sites, on="meter", how="left", validate="many_to_one")
    if settings.site_dtype:
        merged["site"] = merged["site"].astype(settings.site_dtype)
    unknown = merged["site"].isna()
    logger.info("%d of %d rows have no site", unknown.sum(), len(merged))
    return merged


def fill_gaps(frame: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Forward fill, never from one site into the next."""
    result = frame.copy()
    columns = settings.value_columns
    result[columns] = frame.groupby("site")[columns].transform("ffill")
    return result


def consumption(frame: pd.DataFrame) -> pd.Series:
    span = frame.groupby("meter")["pulses"].agg(["min", "max"])
    factor = frame.groupby("meter")["liters_per_pulse"].first()
    return ((span["max"] - span["min"]) * factor).rename("liters")


def check_battery(frame: pd.DataFrame, settings: Settings) -> Check:
    bad = frame[frame["battery"] > settings.max_battery]
    return Check("battery", bad)


def check_unchanged(before: pd.DataFrame, after: pd.DataFrame, settings: Settings) -> Check:
    """A value that was there must survive the filling (or become missing)."""
    bad = pd.Series(False, index=before.index)
    for column in settings.value_columns:
        present = before[column].notna() & after[column].notna()
        bad |= present & (before[column] != after[column])
    return Check("unchanged", after.loc[bad, ["meter", "site", *settings.value_columns]])


def memory_report(frames: Iterable[pd.DataFrame]) -> str:
    total = sum(int(f.memory_usage(deep=True).sum()) for f in frames)
    return f"{total / 1024:.1f} KiB"


def to_wide(frame: pd.DataFrame) -> pd.DataFrame:
    # the spreadsheet people want one column per meter
    wide = frame.pivot(index="stamp", columns="meter", values="pulses")
    return wide.replace({np.nan: ""})


class MonthlyRun:
    def __init__(self, name: str, text: str, sites: pd.DataFrame, settings: Settings):
        self.name = name
        self.settings = settings
        self.raw = attach_sites(read_export(text), sites, settings)
        self.filled: Optional[pd.DataFrame] = None
        self.checks: list[Check] = []

    def process(self) -> MonthlyRun:
        self.filled = fill_gaps(self.raw, self.settings)
        self.checks.append(check_battery(self.filled, self.settings))
        self.checks.append(check_unchanged(self.raw, self.filled, self.settings))
        return self

    def finish(self) -> pd.Series:
        for check in self.checks:
            logger.info("%s / %s", self.name, check.describe())
            assert check.ok, (
                f"check {check.name!r} failed in {self.name} for "
                f"{sorted(check.bad_rows['meter'].unique())}"
            )
        return consumption(self.filled)


def main() -> None:
    settings = Settings()
    sites = pd.read_csv(io.StringIO(SITES))
    totals = {}
    for name, text in {"march": MARCH, "april": APRIL}.items():
        run = MonthlyRun(name, text, sites, settings).process()
        totals[name] = run.finish()
        logger.info("%s done, %s", name, memory_report([run.raw, run.filled]))
    print(pd.DataFrame(totals))


if __name__ == "__main__":
    main()
