"""Soils by name: a row of ``soils.csv`` each, with source and uncertainty.

A soil of the list is a class of soil whose fields have the values of its row as defaults, so that
a model may write ``soil: dry-sand-lll`` or ``soil: {type: dry-sand-lll, cohesion: 2 kPa}``.
Values that were not measured with a soil are generic ones, and its uncertainty says which:
K of Wong 2008, section 2.4 (sand and loam 10 to 25 mm, clay from 6 mm, snow 25 to 50 mm), c_1 and
c_2 of Wong and Reece 1967 for compact sand, of Ishigami et al. 2007 for regolith, and the a of
passes after Abebe et al. 1989.
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
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.wheel.soils.soil import Soil

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
    >>> from axletree.wheel.soils.soil_list import soil_records
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
    records = soil_records()
    if name not in records:
        raise ModelError(str(unknown_name("soil", name, records, "the list of soils")))
    return _class(class_name(name))(**fields)


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
