"""Soil: how it yields under pressure and under shear, in the rut of wheels before too; and a list.

Soils by name are rows of ``soils.csv``, with source and uncertainty. A soil of the list is a class
of soil whose fields have the values of its row as defaults, so that a model may write
``soil: dry-sand-lll`` or ``soil: {type: dry-sand-lll, cohesion: 2 kPa}``. Values that were not
measured with a soil are generic ones, and its uncertainty says which: K of Wong 2008, section 2.4
(sand and loam 10 to 25 mm, clay from 6 mm, snow 25 to 50 mm), c_1 and c_2 of Wong and Reece 1967
for compact sand, of Ishigami et al. 2007 for regolith, and the a of passes after Abebe et al. 1989.
"""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import radians
from types import MappingProxyType
from typing import Any, ClassVar

from axletree.components.fields import Parameters, Part, parameter, positive
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.expr import Value, maximum, power

# Of soils of which they were not measured: c1 and c2 of Wong and Reece 1967 for compact sand, and
# K in the middle of the 10 to 25 mm that Wong 2008, section 2.4, has for most soils.
PEAK_OFFSET = 0.43
PEAK_SLOPE = 0.32
SHEAR_MODULUS = 0.018


@dataclass(frozen=True)
class Soil(Part):
    """Bekker's pressure against sinkage and Janosi and Hanamoto's shear.

    Pressure under a plate of width b at the depth z is (k_c / b + k_phi) (z / 1 m)^n, Peiret et
    al., eq. (4), after Bekker 1969. With depth in metres the moduli have the units N/m and Pa and
    the values that tables have in N/m^(n+1) and N/m^(n+2).

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.soil import pressure
    >>> loam = at.Soil(2000.0, 1e6, 1.0, cohesion=3e3, friction_angle="30 deg")
    >>> print(f"{float(pressure(0.05, 0.2, loam.numbers)):.0f} Pa")  # (2000 / 0.2 + 1e6) * 0.05
    50500 Pa
    """

    summary: ClassVar[str] = "pressure by Bekker, shear by Janosi and Hanamoto"

    cohesive_modulus: float = parameter("N/m", "k_c, at a depth of 1 m", lower=0.0)
    frictional_modulus: float = positive("Pa", "k_phi, at a depth of 1 m")
    sinkage_exponent: float = positive("1", "n", upper=2.5)
    cohesion: float = parameter("Pa", "shear strength without pressure, c", lower=0.0)
    friction_angle: float = parameter(
        "rad", "angle of internal shearing resistance, phi", lower=0.0, upper=1.2
    )
    shear_modulus: float = positive(
        "m", "displacement at which 63 % of the shear strength is reached, K", default=SHEAR_MODULUS
    )
    peak_offset: float = parameter(
        "1", "angle of greatest pressure over the entry angle without slip, c_1",
        default=PEAK_OFFSET, lower=0.0, upper=0.95,
    )  # fmt: skip
    peak_slope: float = parameter(
        "1", "growth of that ratio with |slip|, c_2", default=PEAK_SLOPE, lower=0.0, upper=0.95
    )
    rebound: float = parameter(
        "1", "height by which the rut rises behind the wheel over the sinkage", default=0.0,
        lower=0.0, upper=1.0,
    )  # fmt: skip
    unit_weight: float = parameter(
        "N/m^3", "weight of the soil by volume, for bulldozing", default=0.0, lower=0.0
    )
    multipass_coefficient: float = parameter(
        "1", "a of the sinkage z_1 N^(1/a) after N passes", default=3.0, lower=1.0
    )

    def problems(self) -> list[str]:
        furthest = self.peak_offset + self.peak_slope
        if furthest > 0.95:
            return [
                f"peak_offset + peak_slope is {furthest:g}; pressure would be greatest where the "
                "wheel enters the soil, give values whose sum is at most 0.95"
            ]
        return []


def modulus(width: Value, p: Parameters) -> Value:
    """k_c / b + k_phi [Pa], for a width in m."""
    return p["cohesive_modulus"] / width + p["frictional_modulus"]


def pressure(sinkage: Value, width: Value, p: Parameters) -> Value:
    """The pressure [Pa] under a plate of this width [m] at this depth [m], 0 above ground."""
    return modulus(width, p) * power(maximum(sinkage, 0.0), p["sinkage_exponent"])


# Wheels in the rut of others.
#
# After N passes of a wheel the rut has the depth z_1 N^(1/a) (Abebe, Tanaka and Yamazaki 1989,
# "Soil
# compaction by multiple passes of a rigid wheel relevant for optimization of traffic", Journal of
# Terramechanics 26), with a of some 2 to 3 in loose soil and more in firm soil.


def rut_depth(first_sinkage: Value, passes: Value, p: Parameters) -> Value:
    """The depth [m] of a rut after passes of one load, of which the first sinks as told [m]."""
    return first_sinkage * power(passes, 1.0 / p["multipass_coefficient"])


def pass_share(passes: int, p: Parameters) -> Value:
    """What the last of several passes adds to the rut, over the sinkage of the first [1]."""
    if passes < 1:
        raise ModelError(f"{passes} passes; the first wheel makes pass 1")
    a = p["multipass_coefficient"]
    return power(float(passes), 1.0 / a) - (power(passes - 1.0, 1.0 / a) if passes > 1 else 0.0)


def soil_values_of_pass(p: Parameters, passes: int) -> Parameters:
    """The parameters of the soil that the wheel of a pass meets at the bottom of the rut.

    The same soil, but stiffer: its moduli are greater by f^-(n + 1/2), so that under a load, which
    goes with z^(n + 1/2) at small sinkages, a wheel sinks by the share f of the first sinkage.
    """
    share = pass_share(passes, p)
    if passes == 1:
        return p
    factor = power(share, -(p["sinkage_exponent"] + 0.5))
    moduli = ("cohesive_modulus", "frictional_modulus")
    return {**p, **{name: p[name] * factor for name in moduli}}


def soil_of_pass(soil: Soil, passes: int) -> Soil:
    """The soil that the wheel of a pass meets, by its numbers."""
    return soil.with_numbers(soil_values_of_pass(soil.numbers, passes))


_TEXTS = ("name", "kind", "moisture_percent", "source", "uncertainty")


@dataclass(frozen=True)
class SoilRecord:
    """A row of the list."""

    name: str
    kind: str  # sand, loam, clay, snow, simulant or regolith
    moisture: float | None  # [1], by weight; None where it is not told
    values: Mapping[str, float]  # fields of a soil, SI units
    source: str
    uncertainty: str


@cache
def soil_records() -> Mapping[str, SoilRecord]:
    """The list by name.

    Example:
    >>> from axletree.wheel.soils.soil import soil_records
    >>> record = soil_records()["dry-sand-lll"]
    >>> print(record.kind, record.values["cohesion"], "Pa")
    sand 1040.0 Pa
    """
    text = files("axletree").joinpath("data", "soils", "soils.csv").read_text(encoding="utf-8")
    found = (_record(row) for row in csv.DictReader(text.splitlines()))
    return MappingProxyType({record.name: record for record in found})


def _record(row: Mapping[str, str]) -> SoilRecord:
    values = {name: float(text) for name, text in row.items() if name not in _TEXTS}
    values["friction_angle"] = radians(values.pop("friction_angle_deg"))
    moisture = float(row["moisture_percent"]) / 100.0 if row["moisture_percent"] else None
    texts = row["source"], row["uncertainty"]
    return SoilRecord(row["name"], row["kind"], moisture, MappingProxyType(values), *texts)


def listed_soil(name: str, **fields: Any) -> Soil:
    """A soil of the list; ``fields`` replace values of its row.

    Example:
    >>> import axletree as at
    >>> sand = at.listed_soil("dry-sand-lll", cohesion="2 kPa")
    >>> sand.cohesion, sand.sinkage_exponent  # Pa, 1
    (2000.0, 1.1)
    """
    check_arguments(listed_soil, locals())
    records = soil_records()
    if name not in records:
        raise ModelError(str(unknown_name("soil", name, records, "the list of soils")))
    kind = _class(class_name(name))
    known = [one.name for one in dataclasses.fields(kind)]
    for field in fields:
        if field not in known:
            raise ModelError(str(unknown_name("field", field, known, f"the soil {name!r}")))
    return kind(**fields)


def class_name(name: str) -> str:
    """``DrySandLll`` of ``dry-sand-lll``."""
    return "".join(word.capitalize() for word in name.split("-"))


def __getattr__(name: str) -> type[Soil]:
    """The class of a soil, made when it is first asked for."""
    if name in {class_name(known) for known in soil_records()}:
        return _class(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _class(name: str) -> type[Soil]:
    (record,) = (r for r in soil_records().values() if class_name(r.name) == name)
    fields = {
        item.name: dataclasses.field(
            default=record.values.get(item.name, item.default), metadata=item.metadata
        )
        for item in dataclasses.fields(Soil)
    }
    content = {
        **fields,
        "__annotations__": {item.name: item.type for item in dataclasses.fields(Soil)},
        "__module__": __name__,
        "__doc__": f"{record.source}; {record.uncertainty}.",
        "summary": f"{record.kind}, {record.source}",
    }
    return dataclass(frozen=True)(type(name, (Soil,), content))
