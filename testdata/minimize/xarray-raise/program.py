# -*- coding: utf-8 -*-
"""
Zonal soil moisture anomalies.

Pipeline (each step takes and returns the Dataset, see STEPS):

    grid -> terrain -> forcing -> moisture -> zones -> anomalies -> summary

Runs through when the domain is all land.  As soon as the domain contains
some water (zone is missing there) the "anomalies" step stops with an
IndexError that says nothing about the reason.
"""
import argparse
import logging
import time
from collections import OrderedDict

import numpy as np
import pandas as pd
import xarray as xr

log = logging.getLogger("zonal")

CONFIG = {
    "shape": {"lat": 6, "lon": 5},
    "origin": (46.25, 9.5),
    "spacing": 0.25,
    "start": "2018-05-01",
    "days": 4,
    "sea_level": 35.0,
    "zone_breaks": [150.0, 320.0],
    "porosity": 0.42,
    "drainage": 0.15,
}

STEPS = OrderedDict()


def step(func):
    """Register a pipeline step under its function name."""
    STEPS[func.__name__] = func
    return func


class Timer(object):
    def __init__(self, what):
        self.what = what

    def __enter__(self):
        self.begin = time.time()
        return self

    def __exit__(self, kind, value, tb):
        state = "failed" if kind else "ok"
        log.debug("%s: %s (%.3f s)", self.what, state, time.time() - self.begin)
        return False


@step
def grid(ds, cfg):
    lat0, lon0 = cfg["origin"]
    n_lat, n_lon = cfg["shape"]["lat"], cfg["shape"]["lon"]
    ds.coords["lat"] = lat0 + cfg["spacing"] * np.arange(n_lat)
    ds.coords["lon"] = lon0 + cfg["spacing"] * np.arange(n_lon)
    ds.coords["time"] = pd.date_range(cfg["start"], periods=cfg["days"], freq="D")
    ds["lat"].attrs["units"] = "degrees_north"
    ds["lon"].attrs["units"] = "degrees_east"
    return ds


@step
def terrain(ds, cfg):
    y = np.arange(ds.sizes["lat"], dtype=float)[:, np.newaxis]
    x = np.arange(ds.sizes["lon"], dtype=float)[np.newaxis, :]
    height = 90.0 * y + 25.0 * x * np.cos(y) + 20.0
    ds["height"] = (("lat", "lon"), height)
    ds["height"].attrs.update(units="m", long_name="surface height")
    ds["land"] = ds["height"] > cfg["sea_level"]
    if not bool(ds["land"].any()):
        raise ValueError("the domain has no land at all")
    return ds


@step
def forcing(ds, cfg):
    days = xr.DataArray(np.arange(ds.sizes["time"]), dims="time")
    rain = 4.0 + 3.0 * np.sin(1.3 * days) + 0.01 * ds["height"]
    ds["rain"] = rain.transpose("time", "lat", "lon")
    ds["rain"].attrs["units"] = "mm d-1"
    ds["evaporation"] = 0.2 * ds["rain"] + 0.4
    return ds


def bucket(rain, evaporation, porosity, drainage):
    """Very small bucket model, one value per time step."""
    store = np.zeros(rain.shape[1:])
    out = np.empty_like(rain)
    for i in range(rain.shape[0]):
        store = store + 0.01 * (rain[i] - evaporation[i])
        store = np.clip(store * (1.0 - drainage), 0.0, porosity)
        out[i] = store
    return out


@step
def moisture(ds, cfg):
    result = bucket(
        ds["rain"].values,
        ds["evaporation"].values,
        cfg["porosity"],
        cfg["drainage"],
    )
    ds["moisture"] = (("time", "lat", "lon"), result)
    ds["moisture"].attrs.update(units="m3 m-3", long_name="soil moisture")
    return ds


@step
def zones(ds, cfg):
    zone = xr.zeros_like(ds["height"])
    for level in cfg["zone_breaks"]:
        zone = zone + (ds["height"] > level)
    # water has no zone
    zone = zone.where(ds["land"])
    zone.attrs = {"long_name": "elevation zone"}
    ds["zone"] = zone
    log.info(
        "zones: %s, cells without zone: %d",
        sorted(set(zone.values[~np.isnan(zone.values)])),
        int(zone.isnull().sum()),
    )
    return ds


def standardize(group):
    spread = group.std()
    return (group - group.mean()) / spread


@step
def anomalies(ds, cfg):
    small = ds[["moisture", "rain", "zone"]]
    scaled = small.groupby("zone").apply(standardize)
    for name in ("moisture", "rain"):
        ds[name + "_anomaly"] = scaled[name]
        ds[name + "_anomaly"].attrs["units"] = "1"
    return ds


@step
def summary(ds, cfg):
    names = [v for v in ds.data_vars if v.endswith("_anomaly")]
    for name in names:
        values = ds[name].values
        print(
            "%-20s min %7.3f  max %7.3f  missing %d"
            % (name, np.nanmin(values), np.nanmax(values), np.isnan(values).sum())
        )
    return ds


def zone_table(ds):
    """Plain numpy version of the zone means (kept for comparison)."""
    rows = []
    zone = ds["zone"].values
    for number in np.unique(zone[~np.isnan(zone)]):
        pick = zone == number
        rows.append((number, pick.sum(), ds["moisture"].values[:, pick].mean()))
    return pd.DataFrame(rows, columns=["zone", "cells", "moisture"])


def run(cfg, stop_after=None):
    ds = xr.Dataset(attrs={"title": "zonal anomalies", "source": "synthetic"})
    for name, func in STEPS.items():
        log.info("step %s", name)
        with Timer(name):
            ds = func(ds, cfg)
        if name == stop_after:
            break
    return ds


def parse_args(args=None):
    parser = argparse.ArgumentParser(description="zonal soil moisture anomalies")
    parser.add_argument("--days", type=int, default=CONFIG["days"])
    parser.add_argument("--sea-level", type=float, default=CONFIG["sea_level"])
    parser.add_argument("--stop-after", choices=list(STEPS))
    parser.add_argument("--debug", action="store_true")
    return parser.parse_args(args)


def main():
    args = parse_args()
    logging.basicConfig(
        level=logging.DEBUG if args.debug else logging.INFO,
        format="%(levelname)-7s %(message)s",
    )
    cfg = dict(CONFIG, days=args.days, sea_level=args.sea_level)
    ds = run(cfg, args.stop_after)
    if "zone" in ds:
        print(zone_table(ds))


if __name__ == "__main__":
    main()
