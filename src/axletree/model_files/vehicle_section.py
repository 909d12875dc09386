"""The section ``vehicle`` of a model file: the vehicle's components, and the manoeuvres, the
run and the plots that it proposes.

All vehicles have the same names, so that their reports show the same.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from axletree.components.fields import piece_of
from axletree.components.file_entries import located_file, spelled_out
from axletree.core.errors import ModelError
from axletree.core.files import package_table
from axletree.core.problems import Problems
from axletree.core.registry import section, unknown_name
from axletree.core.yaml_document import Entry
from axletree.ground.surfaces import Flat
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model, Plot, Run
from axletree.model_files.declaration import FileSection
from axletree.model_files.drafts import add_within
from axletree.model_files.included_files import READY_MADE, on_line, read_ready_made
from axletree.runs.ground_manoeuvres import ground_manoeuvres, soil_manoeuvres
from axletree.runs.standard_manoeuvres import (
    keep_steering_manoeuvres,
    path_manoeuvres,
    standard_manoeuvres,
)
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.performance_limits import with_own_pace
from axletree.vehicles.vehicle import Fidelity, Vehicle

_PLACE = ("vehicle",)

# Tyres get stiff where a vehicle comes to rest, and steps are taken in parts there.
PROPOSED = Run(step=5e-3, method="subdivided-rk45", record_interval=1e-2)
# Light wheels on stiff tyres hop more quickly, as those of a Formula Student car at 15 Hz; by steps
# of 5 ms their spin is off by 1.3 % in a lane change, and the path at its top speed by 5 %.
_QUICKEST_HOP = 14.0  # Hz, up to which steps of 5 ms hold
PROPOSED_FOR_LIGHT_WHEELS = replace(PROPOSED, step=2.5e-3)
# On rough roads wheels touch the ground for a few milliseconds, which no stage of a longer step
# may see: with steps of 5 ms the spin of a wheel is off by 2 % on a road of class E.
PROPOSED_ON_UNEVEN = replace(PROPOSED, step=1e-3)
# Soil and brakes hold a vehicle at rest by forces that have to be solved for. With longer steps the
# kingpins of a full model swing otherwise: by 7 % of their range at 2 ms, 21 % at 5 ms.
PROPOSED_ON_SOIL = Run(step=1e-3, method="complementarity", record_interval=2e-2)


def read_vehicle(model: Model, entry: Entry, folder: Path | None, problems: Problems) -> None:
    """Add the vehicle that an entry describes to a model."""
    try:
        vehicle = with_own_pace(vehicle_of_entry(entry, folder))
        assemble_vehicle(vehicle, model)
        model.described["vehicle"] = vehicle
        model.run = _proposed(vehicle)
        steered = "rack" if vehicle.has_links_of_a_rack else "kingpins"
        model.plots = vehicle_plots("soil" if vehicle.is_on_soil else "road", steered)
        manoeuvres = _manoeuvres(vehicle)
        if vehicle.fidelity is Fidelity.LINEAR:
            keep_steering_manoeuvres(model, manoeuvres)
        else:
            model.manoeuvres.update(manoeuvres)
    except ModelError as error:
        for text in error.problems:
            add_within(entry, _PLACE, text, problems)


def _proposed(vehicle: Vehicle) -> Run:
    if vehicle.is_on_soil:
        return PROPOSED_ON_SOIL
    if not isinstance(vehicle.road, Flat) or vehicle.posts:
        return PROPOSED_ON_UNEVEN
    hops = (
        math.sqrt(2.0 * axle.tyre.stiffness / axle.unsprung_mass) / (2.0 * math.pi)
        for axle in vehicle.every_axle.values()
    )
    is_light = not vehicle.fidelity.is_planar and max(hops) > _QUICKEST_HOP
    return PROPOSED_FOR_LIGHT_WHEELS if is_light else PROPOSED


def _manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    if vehicle.is_on_soil:
        return soil_manoeuvres(vehicle)
    found = standard_manoeuvres(vehicle) | path_manoeuvres(vehicle)
    return found | ground_manoeuvres(vehicle)


SECTION = FileSection("a vehicle by its body and axles", Vehicle, read_vehicle)


@cache
def vehicle_plots(ground: str, steered: str) -> tuple[Plot, ...]:
    """What the report of a vehicle shows, on a "road" or on "soil"; it is steered by the links of
    a "rack" or about its "kingpins"."""
    table = package_table("axletree.model_files", "vehicle_plots.toml")
    listed = (table["motion"] | table[steered] | table[ground]).items()
    return tuple(Plot(title, **{**shown, "y": tuple(shown["y"])}) for title, shown in listed)


KINDS = re.compile(r"\b[A-Z]\w*, (?=[a-z])")  # names of classes before fields of theirs


def vehicle_of_entry(entry: Entry, folder: Path | None) -> Vehicle:
    """Problems with files and names of laws are reported with all others."""
    strays: dict[str, str] = {}
    found = _with_files(entry, folder, strays)
    problems = [f"{place}: {text}" for place, text in strays.items()]
    try:
        vehicle = piece_of(found.plain, Vehicle)
    except ModelError as error:
        rest = [t for t in error.problems if not KINDS.sub("", t).startswith(tuple(strays))]
        raise ModelError([*problems, *rest]) from None
    if problems:
        raise ModelError(problems)
    return vehicle


def _with_files(
    entry: Entry, folder: Path | None, strays: dict[str, str], place: tuple[str, ...] = ()
) -> Entry:
    """The entry, with every ``file`` of a part in it led back to the folder of its file.

    What is not there, and laws of tyres that nothing is called, go to ``strays`` by their place.
    """
    if isinstance(entry.content, list):
        parts = enumerate(entry.content)
        return replace(
            entry, content=[_with_files(one, folder, strays, (*place, str(k))) for k, one in parts]
        )
    if not isinstance(entry.content, dict):
        return entry
    content = {
        key: _with_files(_law(value) if key == "law" else value, folder, strays, (*place, key))
        for key, value in entry.content.items()
    }
    word = content["law"].content if place[-1:] == ("tyre",) and "law" in content else None
    if isinstance(word, str) and word not in section("TYRES"):
        strays[": ".join((*place, "law"))] = _unknown_law(word)
    if "type" in content and "file" in content:
        file = content["file"]
        try:
            content["file"] = replace(file, content=str(located_file(file.plain, folder)))
        except ModelError as error:
            strays[": ".join(place)] = str(error)
            content["file"] = replace(file, content="")
    return replace(entry, content=content)


def _unknown_law(word: str) -> str:
    """What is wrong with the name of a law."""
    names = [*section("TYRES"), *section(READY_MADE["tyre"])]
    error = unknown_name("part", word, names, "the catalogue")
    return f"{error}; or give the path of a property file, such as law: my.tir"


def _law(entry: Entry) -> Entry:
    """A tyre law by the path of a property file or the name of a ready-made tyre, in full."""
    if isinstance(entry.content, str) and entry.content in section(READY_MADE["tyre"]):
        made = read_ready_made(entry.content, READY_MADE["tyre"])
        return on_line(made.entry.content["law"], entry.line)
    return spelled_out(entry, "TYRES")
