"""Mean sea surface temperature of ice free water, by basin.

I noticed that the basin means of our monthly bulletin are far too warm since
the area weights were swapped for a simple open-water mask.  Stripped down to
synthetic fields; the numbers are made up but the processing is the real one.
"""
import functools
import itertools
import math
import sys
import textwrap
import warnings
from dataclasses import asdict, dataclass, replace
from typing import Callable, List, NamedTuple

import numpy as np
import xarray as xr


@dataclass(frozen=True)
class Basin:
    name: str
    south: float
    north: float
    west: float
    east: float

    def contains(self, lat, lon):
        return (
            (lat >= self.south)
            & (lat < self.north)
            & (lon >= self.west)
            & (lon < self.east)
        )

    def select(self, obj):
        return obj.sel(
            lat=slice(self.south, self.north - 1e-6),
            lon=slice(self.west, self.east - 1e-6),
        )


@dataclass(frozen=True)
class Options:
    resolution: float = 2.5
    freezing_point: float = -1.8
    ice_threshold: float = 0.15
    months: int = 3
    weighting: str = "open-water"
    decimals: int = 3


class Line(NamedTuple):
    basin: str
    month: int
    value: float
    reference: float

    def __str__(self):
        return f"{self.basin:<14}{self.month:>3}{self.value:>12.3f}{self.reference:>12.3f}"


BASINS = [
    Basin("north gyre", 60.0, 70.0, -30.0, -15.0),
    Basin("south gyre", 50.0, 60.0, -30.0, -15.0),
    Basin("shelf", 50.0, 70.0, -15.0, -5.0),
]


def compose(*functions: Callable) -> Callable:
    return functools.reduce(lambda f, g: lambda x: g(f(x)), functions)


def make_grid(opts: Options) -> xr.Dataset:
    lat = np.arange(50.0, 70.0, opts.resolution)
    lon = np.arange(-30.0, -5.0, opts.resolution)
    return xr.Dataset(
        coords={"lat": lat, "lon": lon, "month": np.arange(1, opts.months + 1)},
        attrs={"options": repr(asdict(opts))},
    )


def add_temperature(ds: xr.Dataset) -> xr.Dataset:
    season = np.cos((ds["month"] - 8) * math.pi / 6)
    north = (ds["lat"] - 50.0) / 20.0
    ripple = 0.5 * np.sin(ds["lon"] / 3.0)
    sst = 14.0 + 4.0 * season - 13.0 * north + ripple
    sst = sst.transpose("month", "lat", "lon")
    sst.attrs = {"units": "degC", "standard_name": "sea_surface_temperature"}
    return ds.assign(sst=sst)


def add_ice(ds: xr.Dataset, freezing_point: float) -> xr.Dataset:
    distance = ds["sst"] - freezing_point
    ice = (1.0 - distance / 3.0).clip(min=0.0, max=1.0)
    return ds.assign(ice=ice)


def add_land(ds: xr.Dataset) -> xr.Dataset:
    # an island and a piece of coast
    island = (abs(ds["lat"] - 65.0) < 2.6) & (abs(ds["lon"] + 20.0) < 2.6)
    coast = ds["lon"] + 0.4 * (ds["lat"] - 50.0) > -3.0
    land = (island | coast).transpose("lat", "lon")
    return ds.assign(land=land, sst=ds["sst"].where(~land))


def area_weights(ds: xr.Dataset) -> xr.DataArray:
    return np.cos(np.deg2rad(ds["lat"])) * xr.ones_like(ds["lon"])


def open_water(ds: xr.Dataset, threshold: float) -> xr.DataArray:
    mask = (ds["ice"] < threshold) & ~ds["land"]
    mask.attrs["long_name"] = "open water"
    return mask.transpose("month", "lat", "lon")


def pick_weights(ds: xr.Dataset, opts: Options) -> xr.DataArray:
    table = {
        "area": lambda: area_weights(ds),
        "open-water": lambda: open_water(ds, opts.ice_threshold),
        "none": lambda: xr.ones_like(ds["sst"]),
    }
    try:
        return table[opts.weighting]()
    except KeyError:
        raise SystemExit(f"unknown weighting {opts.weighting!r}")


def basin_means(ds: xr.Dataset, weights: xr.DataArray, basins: List[Basin]) -> xr.DataArray:
    parts = []
    for basin in basins:
        sst = basin.select(ds["sst"])
        mean = sst.weighted(basin.select(weights)).mean(("lat", "lon"))
        parts.append(mean.assign_coords(basin=basin.name))
    result = xr.concat(parts, dim="basin")
    result.name = "basin_mean"
    return result


def reference_mean(ds: xr.Dataset, weights: xr.DataArray, basin: Basin, month: int) -> float:
    """The same with two loops and Python floats."""
    total = count = 0.0
    sst = ds["sst"].sel(month=month)
    w = weights.sel(month=month) if "month" in weights.dims else weights
    for lat, lon in itertools.product(ds["lat"].values, ds["lon"].values):
        if not basin.contains(lat, lon):
            continue
        value = float(sst.sel(lat=lat, lon=lon))
        weight = float(w.sel(lat=lat, lon=lon))
        if not math.isnan(value):
            total += value * weight
            count += weight
    return total / count if count else math.nan


def bulletin(lines: List[Line]) -> str:
    head = f"{'basin':<14}{'mon':>3}{'mean':>12}{'reference':>12}"
    return "\n".join([head, "-" * len(head)] + [str(line) for line in lines])


def anomaly(means: xr.DataArray, base: float = 10.0) -> xr.DataArray:
    return (means - base).rename("anomaly")


def main(argv: List[str]) -> List[Line]:
    warnings.simplefilter("ignore", FutureWarning)
    opts = Options()
    if "--area" in argv:
        opts = replace(opts, weighting="area")
    build = compose(
        make_grid,
        add_temperature,
        functools.partial(add_ice, freezing_point=opts.freezing_point),
        add_land,
    )
    ds = build(opts)
    weights = pick_weights(ds, opts)
    means = basin_means(ds, weights, BASINS)
    lines = []
    for basin, month in itertools.product(BASINS, ds["month"].values):
        lines.append(
            Line(
                basin.name,
                int(month),
                round(float(means.sel(basin=basin.name, month=month)), opts.decimals),
                round(reference_mean(ds, weights, basin, month), opts.decimals),
            )
        )
    print(textwrap.indent(bulletin(lines), "  "))
    return lines


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        both_missing = math.isnan(line.value) and math.isnan(line.reference)
        assert both_missing or abs(line.value - line.reference) < 0.01, (
            f"weighted mean differs for {line.basin}: {line.value} != {line.reference}"
        )
